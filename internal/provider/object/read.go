package object

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/walk"
)

// Read keeps the state unless the API shows the object, or its absence is proven.
func (r *resourceOf[M]) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state := newModel[M]()
	resp.Diagnostics.Append(req.State.Get(ctx, state)...)
	resp.Diagnostics.Append(r.t.setIdentity(ctx, resp.Identity, state)...)
	before, diags := session.ReadPrivateState[private](ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || r.known == nil && !r.Ready() {
		return
	}
	done := r.known
	if done == nil {
		done = r.read(ctx, state, before)
	}
	resp.Diagnostics.Append(done.diags...)
	switch {
	case resp.Diagnostics.HasError():
	case done.gone:
		resp.State.RemoveResource(ctx)
		// Terraform keeps the private state, and a create with it would be treated as a replacement.
		resp.Diagnostics.Append(private{}.save(ctx, resp.Private)...)
	default:
		if done.private != before {
			resp.Diagnostics.Append(done.private.save(ctx, resp.Private)...)
		}
		resp.Diagnostics.Append(resp.State.Set(ctx, done.state)...)
	}
}

// reading is what a read made of an object in state.
type reading[M Model] struct {
	state   M
	private private
	gone    bool // proven to be absent
	diags   diag.Diagnostics
}

// read fills the model of an object in state. before is its private state.
func (r *resourceOf[M]) read(ctx context.Context, state M, before private) *reading[M] {
	r = r.readingBy(walk.Refresh, state, zero[M]())
	r.rememberHost(state, before)
	own := r.t.object(state, zero[M]())
	r.Register.Refresh(before.Instance)
	r.Register.Hold(own)
	done := &reading[M]{state: state, private: before}
	isImport := state.base().Reseller.IsNull()
	if isImport {
		before.Instance = rand.Text()
	}
	if len(r.t.Replacing) > 0 {
		r.Register.Read(own, before.Instance)
	}
	if r.isConfirmed(ctx, state, before) {
		return done // a light refresh keeps the state
	}
	live, err := r.t.resource.Read(ctx, r.Session, state, inventory.Current)
	if err != nil || isNil(live) {
		if done.gone, done.diags = r.absent(ctx, state, err); done.gone {
			r.Register.Withdraw(before.Instance)
			removed, _ := r.t.resource.Gone(ctx, r.Session, state)
			done.diags.Append(removed)
		}
		return done
	}
	done.state = live
	if done.diags = r.complete(ctx, live); done.diags.HasError() {
		return done
	}
	if isImport {
		claims := r.t.claims(r.Session, live, live, live, before.Instance)
		for i := range claims {
			claims[i].Role = register.Imports
		}
		request := &Change[M]{Session: r.Session, Want: live}
		done.diags.Append(r.claim(ctx, request, claims, (*register.Register).Record)...)
	}
	done.private = r.privateOf(live, before)
	done.private.Alias = r.t.alias(state, live)
	return done
}

// complete sets what every live object has. After an import, the policy is the default.
func (r *resourceOf[M]) complete(ctx context.Context, live M) (diags diag.Diagnostics) {
	live.base().Reseller, diags = r.Reseller(ctx)
	if policy := policyOf(live); policy != nil && policy.IsNull() {
		*policy = types.StringValue(r.t.Policy.Values[0])
	}
	return diags
}

// absent reports whether an object that a read did not find is proven to be absent. rejection is the error of the read, if
// any. The diagnostics are errors if neither presence nor absence is proven.
func (r *resourceOf[M]) absent(ctx context.Context, m M, rejection error) (bool, diag.Diagnostics) {
	name := r.begin(ctx, m)
	lastSlug := m.base().Reseller.ValueString()
	presence := inventory.PresenceUnknown
	err := rejection
	if rejection == nil || client.MayBeGone(rejection) || inventory.IsContradictory(rejection) {
		presence, err = r.t.resource.Absence(m)(ctx, r.Inventory, lastSlug, rejection)
	}
	if rejection != nil && (err == nil && presence == inventory.Present || errors.Is(err, rejection)) {
		return false, diagnostic.ReadFailure(r.t.SummaryRead, name, rejection)
	}
	gone, problems := r.AbsenceDiagnostics(ctx, session.Missing{Name: name, LastSlug: lastSlug}, presence, err)
	if gone {
		r.Register.RecordGone(r.t.object(m, zero[M]()))
	}
	return gone, problems
}

// readError is the error of a read of an object that is not in state.
func (r *resourceOf[M]) readError(ctx context.Context, m M, err error) diag.Diagnostics {
	return r.NotOfLabel(ctx, r.t.SummaryRead, r.t.labelOf(m), r.begin(ctx, m), err)
}

// privateOf is the private state of an object that a read or an apply leaves.
func (r *resourceOf[M]) privateOf(m M, before private) private {
	return private{
		ID: strings.Join(r.t.ids(m), "/"), Host: r.hostOf(m, before), Created: before.Created, Instance: before.Instance, Alias: before.Alias,
		Members: r.membersOf(m),
	}
}

// membersOf is the number of members of the private label at a read of this run, for the next light refresh.
func (r *resourceOf[M]) membersOf(m M) int {
	if r.t.lightly == nil || !r.Ready() || r.t.lightly.Light(m, 1).Members == 0 {
		return 0
	}
	return r.Inventory.MemberCount(r.t.labelOf(m))
}

// isConfirmed reports whether a light refresh keeps the state without a read of the object.
func (r *resourceOf[M]) isConfirmed(ctx context.Context, m M, p private) bool {
	return r.t.lightly != nil && r.Inventory.ListConfirms(ctx, r.t.lightly.Light(m, p.Members))
}

// hostOf is the host name of the private label, from any list of this run or from private state.
func (r *resourceOf[M]) hostOf(m M, before private) string {
	host, _ := r.ListedHost(r.t.labelOf(m))
	return cmp.Or(host, before.Host)
}

// rememberHost passes the host name of the private label to the session, which saves a call that only names it.
func (r *resourceOf[M]) rememberHost(m M, p private) {
	if r.Ready() && p.Host != "" {
		r.Inventory.SetHost(r.t.labelOf(m), p.Host)
	}
}
