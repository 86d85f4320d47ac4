package object

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// described is the resource of a description.
type described[M Model, L any, S effect.Step] struct {
	session.ResourceBase
	d *Description[M, L, S]
}

func (r *described[M, L, S]) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.d.Type
}

func (r *described[M, L, S]) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.d.schema(ctx)
}

func (d *Description[M, L, S]) schema(ctx context.Context) schema.Schema {
	s := d.Schema(ctx)
	s.Attributes["reseller"] = session.ResellerAttribute()
	if d.Policy != nil {
		s.Attributes["deletion_policy"] = d.Policy.Attribute()
	}
	return s
}

func (r *described[M, L, S]) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema.Attributes = map[string]identityschema.Attribute{}
	for _, a := range r.d.Identity {
		resp.IdentitySchema.Attributes[a.Name] = identityschema.StringAttribute{RequiredForImport: true, Description: a.Description}
	}
}

func (r *described[M, L, S]) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	if r.d.Validate != nil {
		resp.Diagnostics.Append(r.d.Validate(ctx, req.Config)...)
	}
}

// ImportState stores the identity; the read that follows fills the rest.
func (r *described[M, L, S]) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	given, diags := session.ImportedID(ctx, req, r.d.identity())
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.Ready() {
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	values, diags := r.d.Import(ctx, r.Session, given)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	for i, a := range r.d.Identity {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(a.Name), values[i])...)
		resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root(a.Name), values[i])...)
	}
}

// identity are the names of the attributes that identify an object.
func (d *Description[M, L, S]) identity() (names []string) {
	for _, a := range d.Identity {
		names = append(names, a.Name)
	}
	return names
}

// ids are the values of the identity.
func (d *Description[M, L, S]) ids(m M) []string {
	ids := make([]string, 0, len(d.Identity))
	for _, a := range d.Identity {
		ids = append(ids, d.codecOf().Text(m, a.Name))
	}
	return ids
}

// setIdentity sets the identity from a model; identity is nil for a CLI that has none.
func (d *Description[M, L, S]) setIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, m M) (diags diag.Diagnostics) {
	if identity == nil {
		return nil
	}
	for i, id := range d.ids(m) {
		diags.Append(identity.SetAttribute(ctx, path.Root(d.Identity[i].Name), id)...)
	}
	return diags
}

func (r *described[M, L, S]) name(ctx context.Context, m M) string {
	return r.d.Name(ctx, r.Session, m)
}

// privateOf is the private state of an object that a read or an apply leaves.
func (r *described[M, L, S]) privateOf(m M, before private) private {
	p := private{
		ID: strings.Join(r.d.ids(m), "/"), Host: r.hostOf(m, before), Created: before.Created, Origin: before.Origin, Alias: before.Alias,
		Members: r.membersOf(m),
	}
	if r.d.isQuiet(m) {
		p.Quiet = r.d.codecOf().Fingerprint
	}
	return p
}

// membersOf is the number of members of the private label at a read of this run, for the next light refresh.
func (r *described[M, L, S]) membersOf(m M) int {
	if r.d.Light == nil || !r.Ready() || r.d.Light(m, 1).Members == 0 {
		return 0
	}
	return r.Inventory.MemberCount(r.d.labelOf(m))
}

// isConfirmed reports whether a light refresh keeps the state without a read of the object.
func (r *described[M, L, S]) isConfirmed(ctx context.Context, m M, p private) bool {
	return r.d.Light != nil && r.Inventory.ListConfirms(ctx, r.d.Light(m, p.Members))
}

// hostOf is the host name of the private label, from any list of this run or from private state.
func (r *described[M, L, S]) hostOf(m M, before private) string {
	host, _ := r.ListedHost(r.d.labelOf(m))
	return cmp.Or(host, before.Host)
}

// readBy names the object of a request for the inventory: one in state by its identity, a new one by its key.
func (r *described[M, L, S]) readBy(ctx context.Context, phase inventory.Phase, was, want M) context.Context {
	switch {
	case !isNone(was):
		return inventory.ReadBy(ctx, phase, r.d.Type+" "+strings.Join(r.d.ids(was), "/"))
	case r.d.Key != nil && r.d.Key(want) != "":
		return inventory.ReadBy(ctx, phase, "new "+r.d.Type+" "+r.d.Key(want))
	default:
		return ctx
	}
}

// recall passes the host name of the private label to the session, which saves a call that only names it.
func (r *described[M, L, S]) recall(m M, p private) {
	if r.Ready() && p.Host != "" {
		r.Inventory.SetHost(r.d.labelOf(m), p.Host)
	}
}

// Read keeps the state unless the API shows the object, or its absence is proven.
func (r *described[M, L, S]) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state := made[M]()
	resp.Diagnostics.Append(req.State.Get(ctx, state)...)
	resp.Diagnostics.Append(r.d.setIdentity(ctx, resp.Identity, state)...)
	before, diags := session.ReadPrivateState[private](ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.Ready() {
		return
	}
	ctx = r.readBy(ctx, inventory.Refresh, state, none[M]())
	r.recall(state, before)
	if r.isConfirmed(ctx, state, before) {
		return
	}
	live, err := r.look(ctx, state)
	if err != nil || isNone(live) {
		gone, diags := r.absent(ctx, state, err)
		resp.Diagnostics.Append(diags...)
		if gone {
			resp.Diagnostics.Append(r.d.Texts.Gone(ctx, r.Session, state))
			resp.State.RemoveResource(ctx)
			r.each(state, (*session.Planned).Gone)
			// Terraform keeps the private state, and a create with it would be treated as a replacement.
			resp.Diagnostics.Append(private{}.save(ctx, resp.Private)...)
		}
		return
	}
	imported := state.base().Reseller.IsNull()
	resp.Diagnostics.Append(r.refresh(ctx, state, live)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if imported {
		before.Origin = rand.Text()
		created := &Change[M, L, S]{Session: r.Session, Want: state}
		resp.Diagnostics.Append(r.claim(ctx, created, before.Origin, (*session.Planned).Record).Errors()...)
	}
	r.each(state, (*session.Planned).Read)
	after := r.privateOf(state, before)
	if after.Alias = r.d.alias(state, live); after != before {
		resp.Diagnostics.Append(after.save(ctx, resp.Private)...)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, state)...)
}

// refresh fills a model in state from the live object. After an import, the policy is the default.
func (r *described[M, L, S]) refresh(ctx context.Context, state M, live L) diag.Diagnostics {
	var diags diag.Diagnostics
	reseller, d := r.Reseller(ctx)
	diags.Append(d...)
	r.d.Fill(state, live)
	state.base().Reseller = reseller
	if policy := policyOf(state); policy != nil && policy.IsNull() {
		*policy = types.StringValue(r.d.Policy.Values[0])
	}
	return diags
}

// absent reports whether an object that a look did not find is proven to be absent. rejection is the error of the look, if
// any. The diagnostics are errors if neither presence nor absence is proven.
func (r *described[M, L, S]) absent(ctx context.Context, m M, rejection error) (bool, diag.Diagnostics) {
	name := r.name(ctx, m)
	presence, err := inventory.PresenceUnknown, rejection
	if rejection == nil || client.MayBeGone(rejection) {
		presence, err = r.d.Presence(ctx, r.Session, m, rejection)
	}
	if rejection != nil && (err == nil && presence == inventory.Present || errors.Is(err, rejection)) {
		return false, diag.Diagnostics{diagnostic.ReadFailure(r.d.Texts.SummaryRead, name).Diagnostic(rejection)}
	}
	gone, problem := r.IsAbsent(ctx, session.Sought{Name: name, LastSlug: m.base().Reseller.ValueString()}, presence, err)
	if problem != nil {
		return false, diag.Diagnostics{problem}
	}
	return gone, nil
}

// lookFailed is the error of a look for an object that is not in state.
func (r *described[M, L, S]) lookFailed(ctx context.Context, m M, err error) diag.Diagnostic {
	return r.NotOfLabel(ctx, r.d.Texts.SummaryRead, r.d.labelOf(m), r.name(ctx, m), err)
}

// Reviewer reviews the resource in a saved plan.
func (d *Description[M, L, S]) Reviewer() effect.Reviewer {
	notices := func(was, want M, names effect.Names) effect.Notices {
		return d.Notices(was, want, names)
	}
	reviewer := effect.NewReviewer(d.New(), d.Subject, made[M], notices, d.Drift)
	reviewer.NeverReplaced = d.Texts.Replace != nil
	return reviewer
}

// Notices announces a change, as the review of a saved plan does.
func (d *Description[M, L, S]) Notices(was, want M, names Names) effect.Notices {
	return d.notices(was, want, none[L](), names)
}

// notices of a change. live is what a plan found.
func (d *Description[M, L, S]) notices(was, want M, live L, names Names) effect.Notices {
	v := View[M, L]{Was: was, Want: want, Live: live, Names: names}
	switch {
	case isNone(was) && isNone(want):
		return nil
	case !isNone(was) && !isNone(want) && d.replaces(was, want) && !slices.Equal(d.ids(was), d.ids(want)):
		v.Want, v.Next = none[M](), want
		return append(d.Announce(v, d.Steps(was, none[M](), live)), d.notices(none[M](), want, none[L](), names)...)
	case isNone(want):
		return d.Announce(v, d.Steps(was, none[M](), live))
	}
	// What a create or an update does follows from prior state and plan.
	out := d.Announce(v, d.Steps(was, want, none[L]()))
	if before, after := policyOf(was), policyOf(want); before != nil && after != nil {
		out = append(out, d.Policy.Lowered(d.subject(was, names), *before, *after)...)
	}
	return out
}

// subject names an object as a review does: a private label by its host name.
func (d *Description[M, L, S]) subject(m M, names Names) string {
	if d.Subject == labelAttribute {
		return names.Host(d.labelOf(m))
	}
	return d.codecOf().Text(m, d.Subject)
}

// replaces reports whether an attribute changes that a live object cannot change. One that is known after apply may.
func (d *Description[M, L, S]) replaces(was, want M) bool {
	for _, name := range d.Replacing {
		if now := d.codecOf().Attribute(want, name); now.IsUnknown() || !now.Equal(d.codecOf().Attribute(was, name)) {
			return true
		}
	}
	return false
}

// Item is one result of a list. m has the identity; find finds the rest when Terraform asks for the resource, which is
// then as a read after an import returns it.
func (d *Description[M, L, S]) Item(ctx context.Context, s *session.Session, name string, m M, find func() (L, error)) session.Listed {
	return session.Listed{
		Name:     name,
		Identity: func(to *tfsdk.ResourceIdentity) diag.Diagnostics { return d.setIdentity(ctx, to, m) },
		Resource: func() (any, diag.Diagnostics) {
			live, err := find()
			if err != nil {
				return nil, diag.Diagnostics{diagnostic.ReadFailure(d.Texts.SummaryRead, d.Name(ctx, s, m)).Diagnostic(err)}
			}
			return m, d.with(s).refresh(ctx, m, live)
		},
	}
}
