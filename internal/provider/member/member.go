// Package member implements reseller_member, reseller_members and the members data source of a private label.
package member

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Entry is what the provider has of members.
var Entry = object.Entry{
	Resources:   []object.Type{Member, Set},
	DataSources: []func() datasource.DataSource{membersData.New},
	Lists:       []*object.Listing{memberList, setList},
	Actions:     []*object.Action{resendInvite},
}

// Member describes reseller_member.
var Member = &object.Description[*model, *client.Member, *step]{
	Type:   "member",
	Schema: schemaOf,
	Policy: policy,
	Identity: []object.Attribute{
		{Name: "private_label_id", Description: "Private label ID, 32 lowercase hex characters."},
		{Name: "id", Description: "User ID of the member, 32 lowercase hex characters."},
	},
	Subject:   "email",
	Replacing: []string{"private_label_id", "email"},
	Name:      nameOf,
	Label:     func(m *model) types.String { return m.PrivateLabelID },
	Key:       keyOf,
	Look:      look,
	Presence: func(ctx context.Context, s *session.Session, m *model, _ error) (inventory.Presence, error) {
		return s.Inventory.CheckMember(ctx, m.PrivateLabelID.ValueString(), m.ID.ValueString(), m.Reseller.ValueString())
	},
	Fill:     func(m *model, live *client.Member) { m.fill(live) },
	Import:   importMember,
	Steps:    steps,
	Announce: notices,
	Drift:    drift,
	Plan:     plan,
	Check:    check,
	Take:     take,
	Failed:   failed,
	Moved:    []string{client.CodeUserNotFound},
	AtCreate: inventory.Cached,
	AtDelete: inventory.Cached,
	Texts: object.Texts[*model]{
		SummaryRead: summaryRead,
		Gone:        gone,
		Replace:     replaceRejected,
	},
}

var policy = &effect.DeletionPolicy{
	Noun:   "member",
	Values: []string{effect.PolicyRemove, effect.PolicyAbandon, effect.PolicyPrevent},
	Loss:   "removes the member, who is signed out immediately",
}

// step adds a member, or removes one.
type step struct {
	removes bool
	person  string // email address of a member to add, user ID of one to remove
}

// Key is "add ADDRESS" or "remove ID".
func (s *step) Key() string {
	if s.removes {
		return "remove " + s.person
	}
	return "add " + s.person
}

// steps adds a person who is no member yet, and removes the user in state, not another one with the same address.
func steps(was, want *model, live *client.Member) []*step {
	switch {
	case was == nil && live == nil:
		return []*step{{person: want.Email.ValueString()}}
	case want == nil && was.DeletionPolicy.ValueString() != effect.PolicyAbandon:
		return []*step{{removes: true, person: was.ID.ValueString()}}
	default:
		return nil // only the state has a name
	}
}

func nameOf(ctx context.Context, s *session.Session, m *model) string {
	return m.name() + " of " + s.HostOf(ctx, m.PrivateLabelID.ValueString())
}

func keyOf(m *model) string {
	if m.PrivateLabelID.IsUnknown() || m.Email.IsUnknown() {
		return ""
	}
	return m.PrivateLabelID.ValueString() + "/" + m.Email.Normal()
}

// look finds a member by the user ID, or by the address if there is none in state.
func look(ctx context.Context, s *session.Session, m *model, age inventory.Age) (*client.Member, error) {
	members, err := s.Inventory.Members(ctx, m.PrivateLabelID.ValueString(), age)
	if err != nil {
		return nil, err
	}
	if id := m.ID.ValueString(); id != "" {
		live, _ := members.ByID(id)
		return live, nil
	}
	live, _ := members.ByEmail(m.Email.ValueString())
	return live, nil
}

type change = object.Change[*model, *client.Member, *step]

// plan warns about a name that only the state takes.
func plan(_ context.Context, c *change) diag.Diagnostics {
	if c.Creates() || c.Destroys() || c.Want.FirstName.Equal(c.Was.FirstName) && c.Want.LastName.Equal(c.Was.LastName) {
		return nil
	}
	return diag.Diagnostics{nameOnlyInState(c.Was.name())}
}

// check rejects removing an owner or admin, by the role that the API shows now.
func check(ctx context.Context, c *change) diag.Diagnostics {
	if !c.Destroys() || len(c.Steps) == 0 {
		return nil
	}
	live := c.Live
	if live == nil {
		live = &client.Member{Role: c.Was.Role.ValueString()}
	}
	if !live.Administers() {
		return nil
	}
	host := c.HostOf(ctx, c.Was.PrivateLabelID.ValueString())
	if c.Ready() { // the cached list may be old
		if now, err := look(ctx, c.Session, c.Was, inventory.Fresh); err == nil && (now == nil || !now.Administers()) {
			return nil
		}
	}
	if c.Replacing {
		return diag.Diagnostics{cannotReplace(c.Was.name(), host, live.Role)}
	}
	return diag.Diagnostics{cannotRemove(c.Was, host, live.Role)}
}

func take(ctx context.Context, c *change, s *step, now *model) error {
	label := c.Subject().PrivateLabelID.ValueString()
	if s.removes {
		return removePerson(ctx, c.Session, label, s.person)
	}
	added, err := addPerson(ctx, c.Session, label, client.NewMember{
		Email: s.person, FirstName: c.Want.FirstName.ValueString(), LastName: c.Want.LastName.ValueString(),
	})
	if err != nil {
		return err
	}
	if added.ResponseLost {
		c.Warn(responseLost(path.Root("email"), s.person, c.HostOf(ctx, label)))
	}
	now.fillAdded(added)
	return nil
}

// addPerson makes the API call that adds a member, and records the member if the API created one. After an error that
// leaves the outcome unknown, such as an email that failed (Reseller API §7.1), the members list decides.
func addPerson(ctx context.Context, s *session.Session, label string, who client.NewMember) (*client.Added, error) {
	done := s.Inventory.BeginMemberWrite(label)
	added, err := s.Client.AddMember(ctx, label, who)
	done()
	if transport.MayHaveTakenEffect(err) {
		return addedNevertheless(ctx, s, label, who.Email, err)
	}
	if err != nil {
		return nil, err
	}
	if added.Created {
		s.Inventory.RecordMemberAdded(label, client.Member{
			ID: added.UserID, Email: who.Email, FirstName: who.FirstName, LastName: who.LastName, Role: client.RoleMember,
		})
	}
	return added, nil
}

// addedNevertheless looks for a member after a failed call. It returns the failure if the list lacks the member.
func addedNevertheless(ctx context.Context, s *session.Session, label, email string, failure error) (*client.Added, error) {
	own, cancel := transport.DetachedContext(ctx)
	defer cancel()
	members, err := s.Inventory.Members(own, label, inventory.Fresh)
	if err != nil {
		return nil, &transport.UnknownOutcomeError{
			Op: "add", Subject: email, Reason: transport.ReasonCheckFailed, Err: failure,
			Seen: "The members could not be listed afterwards. At most one set-password email was sent, and applying again sends no second one to a member.",
		}
	}
	if live, found := members.ByEmail(email); found {
		return &client.Added{UserID: live.ID, ResponseLost: true}, nil
	}
	return nil, failure
}

// removePerson makes the API call that removes a member, and records the removal.
func removePerson(ctx context.Context, s *session.Session, label, id string) error {
	done := s.Inventory.BeginMemberWrite(label)
	err := s.Client.RemoveMember(ctx, label, id)
	done()
	if err == nil {
		s.Inventory.RecordMemberRemoved(label, id)
	}
	return err
}

func failed(ctx context.Context, c *change, s *step, err error) diag.Diagnostics {
	host := c.HostOf(ctx, c.Subject().PrivateLabelID.ValueString())
	switch {
	case !s.removes:
		return diag.Diagnostics{addFailure(s.person, host).Diagnostic(err)}
	case transport.IsCode(err, client.CodeCannotRemoveOwner):
		return diag.Diagnostics{cannotRemove(c.Was, host, "now owner or admin")}
	default:
		return diag.Diagnostics{removeFailure(c.Was.name(), host).Diagnostic(err)}
	}
}

// importMember resolves "<private label ID or host name>/<user ID or email address>".
func importMember(ctx context.Context, s *session.Session, given string) ([]string, diag.Diagnostics) {
	label, person, ok := SplitMemberID(given)
	if !ok {
		return nil, diag.Diagnostics{invalidImportID(given)}
	}
	id, diags := s.LookUp(ctx, label)
	if diags.HasError() {
		return nil, diags
	}
	members, err := s.Inventory.Members(ctx, id, inventory.Current)
	if err != nil {
		return nil, append(diags, diagnostic.ReadFailure(summaryRead, person+" of "+label).Diagnostic(err))
	}
	live, ok := members.ByEmail(person)
	if !ok {
		live, ok = members.ByID(person)
	}
	if !ok {
		return nil, append(diags, notAMember(person, label))
	}
	return []string{id, live.ID}, diags
}

// SplitMemberID splits "<private label ID or host name>/<user ID or email address>" at the first slash: an email
// address may contain more. It does not check whether the private label and the user exist.
func SplitMemberID(id string) (label, person string, ok bool) {
	label, person, _ = strings.Cut(id, "/")
	return label, person, label != "" && !strings.Contains(label, ":") && (fwtype.IDForm.MatchString(person) || strings.Contains(person, "@"))
}
