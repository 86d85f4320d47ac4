package member

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect/effecttest"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// listOnly serves the list of members. Any other call panics.
type listOnly struct {
	inventory.API
	members []client.Member
}

func (l listOnly) ListMembers(context.Context, string) ([]client.Member, error) {
	return l.members, nil
}

func (listOnly) Reserve(ctx context.Context, _ ...client.Bucket) (context.Context, client.Bucket, func(), error) {
	return ctx, client.BucketConsole, func() {}, nil
}

// applied runs an apply against the given members. Its client cannot make an API call.
func applied(t *testing.T, prior, planned *setModel, managed []string, live ...client.Member) (*setModel, diag.Diagnostics) {
	t.Helper()
	s := session.New(func() int { return 0 }, false, nil)
	s.Client, s.Inventory = &client.Client{}, inventory.New(listOnly{members: live})
	s.Inventory.SetHost(effecttest.Label, effecttest.Host)
	r := &SetResource{Resource{session.ResourceBase{Session: s}}}
	for _, id := range managed {
		r.run().own.Add(personKey(effecttest.Label, id))
	}
	return r.apply(t.Context(), prior, planned)
}

// now returns a member as the list shows it.
func now(email, role string) client.Member {
	return client.Member{ID: "id of " + normalEmail(email), Email: email, Role: role, IsOwner: role != client.RoleMember}
}

// Changes between plan and apply are checked before the first API call, and in each step.
func TestSetApply_ChangedAfterThePlan(t *testing.T) {
	t.Parallel()
	const plain, adm = client.RoleMember, client.RoleAdmin
	other := now(bobEmail, plain)
	other.ID = "id of another user"
	renamed := now(eveEmail, plain)
	renamed.ID = "id of " + bobEmail
	for name, tc := range map[string]struct {
		prior, planned *setModel
		managed        []string
		live           []client.Member
		want           string   // summary
		people         []string // in state after the apply
	}{
		"create: another user joined":        {nil, acmeSet(seated(bobEmail)), nil, []client.Member{now(bobEmail, plain), now(eveEmail, plain)}, "error Private label has other members", nil},
		"create: an admin joined":            {nil, acmeSet(seated(bobEmail)), nil, []client.Member{now(bobEmail, plain), now(eveEmail, adm)}, "", []string{bobEmail}},
		"create: who is adopted left":        {nil, acmeSet(seated(bobEmail)), nil, nil, "error Member left after the plan", nil},
		"create: who is adopted is other":    {nil, acmeSet(seated(bobEmail)), nil, []client.Member{other}, "error Member left after the plan", nil},
		"create: the user has another":       {nil, acmeSet(seated(bobEmail)), nil, []client.Member{renamed}, "error Private label has other members", nil},
		"update: the user has another":       {acmeSet(), acmeSet(seated(bobEmail)), nil, []client.Member{renamed}, "error Member left after the plan", nil},
		"add: joined":                        {acmeSet(), acmeSet(joining(bobEmail)), nil, []client.Member{now("BOB@acme.example", plain)}, "warning Existing member is adopted", []string{bobEmail}},
		"add: joined as admin":               {acmeSet(), acmeSet(joining(bobEmail)), nil, []client.Member{now(bobEmail, adm)}, "warning Existing member is adopted", []string{bobEmail + " privileged"}},
		"remove: left":                       {acmeSet(seated(bobEmail)), acmeSet(), nil, nil, "", nil},
		"remove: left, joined as other":      {acmeSet(seated(bobEmail)), acmeSet(), nil, []client.Member{other}, "", nil},
		"remove: now admin":                  {acmeSet(seated(bobEmail)), acmeSet(), nil, []client.Member{now(bobEmail, adm)}, "warning Owners and admins cannot be removed", nil},
		"remove: managed by another":         {acmeSet(seated(bobEmail)), acmeSet(), []string{"id of " + bobEmail}, []client.Member{now(bobEmail, plain)}, "error Member is managed by another resource", []string{bobEmail}},
		"release: demoted":                   {acmeSet(admin(bobEmail)), acmeSet(), nil, []client.Member{now(bobEmail, plain)}, "", nil},
		"nothing to do, another user joined": {acmeSet(seated(bobEmail)), acmeSet(seated(bobEmail)), nil, []client.Member{now(bobEmail, plain), now(eveEmail, plain)}, "", []string{bobEmail}},
		"who stays left":                     {acmeSet(seated(bobEmail), seated(eveEmail)), acmeSet(seated(bobEmail)), nil, nil, "", []string{bobEmail}},
		"who stays is admin by now":          {acmeSet(seated(bobEmail), seated(eveEmail)), acmeSet(seated(bobEmail)), nil, []client.Member{now(bobEmail, adm)}, "", []string{bobEmail}},
		"a member of an unknown role":        {acmeSet(seated(bobEmail)), acmeSet(), nil, []client.Member{now(bobEmail, "auditor")}, "warning Owners and admins cannot be removed", nil},
		"create: a member of unknown role":   {nil, acmeSet(), nil, []client.Member{now(bobEmail, "auditor")}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			after, diags := applied(t, tc.prior, tc.planned, tc.managed, tc.live...)
			var told []string
			for _, d := range diags {
				told = append(told, strings.ToLower(d.Severity().String())+" "+d.Summary())
			}
			if strings.Join(told, "; ") != tc.want {
				t.Errorf("got %q, want %q", told, tc.want)
			}
			if got := inState(after); !slices.Equal(got, tc.people) {
				t.Errorf("the state has %q, want %q", got, tc.people)
			}
		})
	}
}

// inState returns the email addresses of a state; each has a known ID.
func inState(m *setModel) []string {
	var out []string
	for _, p := range m.people() {
		name := p.email
		if p.privileged {
			name += " privileged"
		}
		if p.id.IsUnknown() || p.id == types.StringValue("") {
			name += " without ID"
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
