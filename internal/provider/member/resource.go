// Package member implements reseller_member, reseller_members and the members data source of a private label.
package member

import (
	"cmp"
	"context"
	"fmt"
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
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Entry is what the provider has of members.
var Entry = registration.Entry{
	Resources:   []registration.Type{Member, Set},
	DataSources: []func() datasource.DataSource{membersData.New},
	Lists:       []*registration.Listing{memberList, setList},
	Actions:     []*registration.Action{resendInvite},
}

// Member is reseller_member.
var Member = object.New[*model](resource{})

type resource struct{}

type (
	change = object.Change[*model]
	view   = object.View[*model]
)

func (resource) Traits() object.Traits {
	return object.Traits{
		Type: "member",
		Identity: []object.Attribute{
			{Name: "private_label_id", Description: "Private label ID, 32 lowercase hex characters."},
			{Name: "id", Description: "User ID of the member, 32 lowercase hex characters."},
		},
		Subject:     "email",
		ProperNames: true,
		SummaryRead: summaryRead,
		Policy: &effect.DeletionPolicy{
			Noun:   "member",
			Values: []string{effect.PolicyRemove, effect.PolicyAbandon, effect.PolicyPrevent},
			Loss:   "removes the member, who is signed out immediately",
		},
		Replacing:        []string{"private_label_id", "email"},
		StaleCodes:       []string{client.CodeUserNotFound},
		NotReplaceable:   notReplaceable,
		ReadBeforeCreate: inventory.Cached,
		ReadBeforeUpdate: object.DontRead,
		ReadBeforeDelete: inventory.Cached,
	}
}

func (resource) Name(ctx context.Context, s *session.Session, m *model) string {
	return m.name() + " of " + s.HostOf(ctx, m.PrivateLabelID.ValueString())
}

func (resource) Key(m *model) string {
	return normalEmail(cmp.Or(m.address, m.Email.ValueString()))
}

func (resource) Light(m *model, members int) inventory.Seen {
	return inventory.Seen{Label: m.PrivateLabelID.ValueString(), Members: members}
}

// Read finds a member by the user ID, or by the address if there is none in state.
func (resource) Read(ctx context.Context, s *session.Session, m *model, age inventory.Freshness) (*model, error) {
	members, err := s.Inventory.Members(ctx, m.PrivateLabelID.ValueString(), age)
	if err != nil {
		return nil, err
	}
	account, found := findPerson(members, person{id: m.ID.ValueString(), email: m.Email.ValueString()})
	if !found {
		return nil, nil //nolint:nilnil // absence is a result of a read
	}
	return m.filledFrom(account), nil
}

func (resource) Absence(m *model) inventory.Absence {
	id := cmp.Or(m.ID.ValueString(), "no user ID in state") // the list lacks the address
	return inventory.OfMember(m.PrivateLabelID.ValueString(), id)
}

// operation is one plan or apply of a member.
type operation struct{ *change }

func (resource) Begin(c *change) object.Operation[*model] {
	return &operation{c}
}

// Plan warns about a name that only the state takes.
func (op *operation) Plan(context.Context) diag.Diagnostics {
	if op.Creates() || op.Destroys() || op.Want.FirstName.Equal(op.Was.FirstName) && op.Want.LastName.Equal(op.Was.LastName) {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(SummaryName,
		fmt.Sprintf("The name of %s changes only in state. No endpoint changes the name of a member.", op.Was.name()))}
}

// Check rejects removing an owner or admin, by the role that the API shows now.
func (op *operation) Check(ctx context.Context) diag.Diagnostics {
	if !op.Destroys() || len(op.Steps) == 0 {
		return nil
	}
	live := cmp.Or(op.Live, op.Was)
	if !live.administers() {
		return nil
	}
	host := op.HostOf(ctx, op.Was.PrivateLabelID.ValueString())
	if op.Ready() { // the cached list may be old
		if now, err := (resource{}).Read(ctx, op.Session, op.Was, inventory.Fresh); err == nil && (now == nil || !now.administers()) {
			return nil
		}
	}
	if op.Replacing {
		return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryPermanentRole, fmt.Sprintf(cannotReplace, op.Was.name(), live.Role.ValueString(), host))}
	}
	return diag.Diagnostics{cannotRemove(op.Was, host, live.Role.ValueString())}
}

func (op *operation) Execute(ctx context.Context, s effect.Step, now *model) transport.Outcome {
	label := op.Subject().PrivateLabelID.ValueString()
	if s.Verb == verbRemove {
		o := removePerson(ctx, op.Session, label, s.ID)
		if o.State != transport.Applied {
			return o
		}
		if left := addedAgain(ctx, op.Session, op.Was); left != nil {
			op.Warn(left)
		}
		return o
	}
	added, o := addPerson(ctx, op.Session, label, client.NewMember{
		Email: s.Name, FirstName: op.Want.FirstName.ValueString(), LastName: op.Want.LastName.ValueString(),
	}, path.Root("email"), op.Warn)
	if o.State == transport.Applied {
		now.ID = types.StringValue(added.UserID)
		if added.Created {
			now.Role = types.StringValue(client.RoleMember)
		}
	}
	return o
}

// addPerson makes the API call that adds a member, and records the member if the API created one. If the response leaves
// the outcome unknown, such as that of an email that failed (Reseller API §7.1), the members list decides. It warns, about
// the attribute at, if an attempt got no response.
func addPerson(
	ctx context.Context, s *session.Session, label string, who client.NewMember, at path.Path, warn func(diag.Diagnostic),
) (added *client.Added, o transport.Outcome) {
	o = transport.Settle(ctx, s.Client.Patience(), transport.Write{
		Op:      "add",
		Subject: who.Email,
		Send: func(ctx context.Context) (o transport.Outcome) {
			done := s.Inventory.BeginMemberWrite(label)
			defer done()
			added, o = s.Client.AddMember(ctx, label, who)
			return o
		},
		Read: func(ctx context.Context) (seen transport.Outcome, err error) {
			members, err := s.Inventory.Members(ctx, label, inventory.Current)
			if err != nil {
				return seen, err
			}
			if live, found := members.ByEmail(who.Email); found {
				added = &client.Added{UserID: live.ID}
				return transport.SeenIf(true), nil
			}
			s.Inventory.BeginMemberWrite(label)() // the next read is a new one
			return transport.SeenIf(false), nil
		},
	})
	if o.State != transport.Applied {
		return added, o
	}
	s.Inventory.ExpectMember(label, added.UserID)
	if added.Created {
		s.Inventory.RecordMemberAdded(label, client.Member{
			ID: added.UserID, Email: who.Email, FirstName: who.FirstName, LastName: who.LastName, Role: client.RoleMember,
		})
	}
	if o.ResponseLost {
		warn(diag.NewAttributeWarningDiagnostic(at, SummaryResponseLost, fmt.Sprintf(responseLost, who.Email, s.HostOf(ctx, label))))
	}
	return added, o
}

// removePerson makes the API call that removes a member. The members list must confirm it, also after a success. One
// list shows all removals that are in flight concurrently.
func removePerson(ctx context.Context, s *session.Session, label, id string) transport.Outcome {
	return transport.Settle(ctx, s.Client.Patience(), transport.Write{
		Op:      "remove the member",
		Subject: "(user ID " + id + ")",
		Send: func(ctx context.Context) transport.Outcome {
			done := s.Inventory.BeginMemberWrite(label)
			defer done()
			s.Inventory.ForgetMember(label, id)
			return s.Client.RemoveMember(ctx, label, id)
		},
		Read: func(ctx context.Context) (seen transport.Outcome, err error) {
			members, err := s.Inventory.Members(ctx, label, inventory.Current)
			if err != nil {
				return seen, err
			}
			_, still := members.ByID(id)
			if still {
				s.Inventory.BeginMemberWrite(label)() // the next read is a new one
			}
			return transport.SeenIf(!still), nil
		},
		Proven: true,
	})
}

func (op *operation) ReadBack(ctx context.Context, now *model) diag.Diagnostics {
	return Member.ReadBack(ctx, op.change, now)
}

func (op *operation) Explain(ctx context.Context, s effect.Step, o transport.Outcome) diag.Diagnostics {
	host := op.HostOf(ctx, op.Subject().PrivateLabelID.ValueString())
	switch {
	case s.Verb == verbAdd:
		return addFailure(s.Name, host, "No seat was used", path.Root("email"), path.Root("first_name")).Of(o)
	case o.State == transport.Absent && transport.IsCode(o.Err, client.CodeCannotRemoveOwner):
		return diag.Diagnostics{cannotRemove(op.Was, host, "now owner or admin")}
	default:
		return diagnostic.APIFailure{
			Summary: SummaryRemove, Object: op.Was.name() + " of " + host, Failed: op.Was.name() + " was not removed from " + host,
			Unchanged: "The member stays in state",
		}.Of(o)
	}
}

// Import resolves "<private label ID or host name>/<user ID or email address>".
func (resource) Import(ctx context.Context, s *session.Session, given string) ([]string, diag.Diagnostics) {
	label, person, ok := SplitMemberID(given)
	if !ok {
		return nil, diag.Diagnostics{diag.NewErrorDiagnostic(summaryImportID, fmt.Sprintf(invalidImportID, given))}
	}
	id, diags := s.LookUp(ctx, label)
	if diags.HasError() {
		return nil, diags
	}
	members, err := s.Inventory.Members(ctx, id, inventory.Current)
	if err != nil {
		return nil, append(diags, diagnostic.ReadFailure(summaryRead, person+" of "+label, err)...)
	}
	live, ok := members.ByEmail(person)
	if !ok {
		live, ok = members.ByID(person)
	}
	if !ok {
		return nil, append(diags, diag.NewErrorDiagnostic(summaryNotFound, fmt.Sprintf(notAMember, person, label)))
	}
	return []string{id, live.ID}, diags
}

// SplitMemberID splits "<private label ID or host name>/<user ID or email address>" at the first slash: an email
// address may contain more. It does not check whether the private label and the user exist.
func SplitMemberID(id string) (label, person string, ok bool) {
	label, person, _ = strings.Cut(id, "/")
	return label, person, label != "" && !strings.Contains(label, ":") && (fwtype.IDForm.MatchString(person) || strings.Contains(person, "@"))
}
