// Package catalog is reseller_package and reseller_addon, which differ only in their endpoints.
package catalog

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Resource is reseller_package and reseller_addon. The API has the same endpoints for both.
type Resource struct {
	session.ResourceBase
	kind     client.Kind
	typeName string // "package"
}

var (
	_ resource.ResourceWithConfigure      = (*Resource)(nil)
	_ resource.ResourceWithIdentity       = (*Resource)(nil)
	_ resource.ResourceWithImportState    = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan     = (*Resource)(nil)
	_ resource.ResourceWithValidateConfig = (*Resource)(nil)
)

func NewPackageResource() resource.Resource {
	return &Resource{kind: client.KindPackage, typeName: session.TypePackage}
}

func NewAddonResource() resource.Resource {
	return &Resource{kind: client.KindAddon, typeName: "addon"}
}

func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.typeName
}

// Create sends one POST. Later failures are warnings: an error would taint the item, and its code can never be created
// again.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	order, err := plan.request()
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("settings"), summarySettings, diagnostic.Capitalize(err.Error())+". Nothing was sent.")
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.Ready() {
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	code := plan.Code.ValueString()
	made, lost, diags := r.create(ctx, order)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	plan.ID = types.StringValue(made.ID)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, identity{ID: plan.ID})...)
	resp.Diagnostics.Append(session.PrivateState{ID: made.ID, Host: code, Slug: r.Slug(ctx), Provisioned: true}.Save(ctx, resp.Private)...)
	if lost {
		resp.Diagnostics.AddWarning(summaryResponseLost,
			fmt.Sprintf("The response to creating %s %s was lost. A search shows it with this name and currency, so it was created once and is in state.", r.kind, code))
	}
	if !plan.Active.ValueBool() {
		resp.Diagnostics.Append(r.deactivateNew(ctx, *made)...)
	}
}

// create sends the POST, unless another resource of this process creates or created the code.
func (r *Resource) create(ctx context.Context, order client.ItemRequest) (made *client.Item, lost bool, diags diag.Diagnostics) {
	code := fwtype.CodeKind{}.Normal(order.Code)
	twice := diag.Diagnostics{session.DeclaredTwice(path.Root("code"), fmt.Sprintf("%s %s", r.kind, code))}
	key := session.Claim(r.typeName, code)
	if !r.Creating.Add(key) {
		return nil, false, twice
	}
	defer r.Creating.Remove(key)
	if r.Inventory.CreatedItem(r.kind, code) {
		return nil, false, twice
	}
	done := r.Inventory.BeginItemWrite(r.kind)
	made, lost, err := r.Client.CreateItem(ctx, r.kind, order)
	done()
	if err != nil {
		return nil, false, diag.Diagnostics{r.createFailure(order.Code).Diagnostic(err)}
	}
	r.Inventory.RecordItem(r.kind, client.Item{ID: made.ID, Code: code, Name: order.Name, Currency: order.Currency, Active: made.Active})
	return made, lost, nil
}

// deactivateNew deactivates a new item, because a create cannot set an item to inactive.
func (r *Resource) deactivateNew(ctx context.Context, made client.Item) diag.Diagnostics {
	var diags diag.Diagnostics
	if !made.Active {
		return diags
	}
	off := false
	change := client.ItemChange{Active: &off}
	item, err := completed(ctx, r.Session, r.kind, &made, !made.HasActive())
	if err == nil {
		done := r.Inventory.BeginItemWrite(r.kind)
		err = r.Client.UpdateItem(ctx, r.kind, *item, change)
		done()
	}
	if err != nil {
		diags.AddWarning(summaryNotDeactivated, notDeactivated(r.kind, made.Code, err))
	}
	return diags
}

// completed returns a row of a search, completed by a read of the item if needed.
func completed(ctx context.Context, s *session.Session, k client.Kind, row *client.Item, needed bool) (*client.Item, error) {
	if !needed {
		return row, nil
	}
	whole, err := s.Inventory.Item(ctx, k, row.ID)
	if err != nil || whole == nil {
		return row, err
	}
	return row.CompletedBy(whole), nil
}

func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state, diags := itemCodec().Read(ctx, req.State)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(session.SetIdentity(ctx, resp.Identity, "id", state.ID)...)
	mem, diags := session.ReadPrivateState(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.Ready() {
		return
	}
	name := fmt.Sprintf("%s %s", r.kind, fwtype.Display(state.Code))
	items, err := r.Inventory.Items(ctx, r.kind)
	if err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryRead, diagnostic.Capitalize(name)).Diagnostic(err))
		return
	}
	slug := r.Slug(ctx)
	item, ok := items.ByID(state.ID.ValueString())
	if !ok {
		r.absent(ctx, name, state.ID.ValueString(), mem, resp)
		return
	}
	item, err = completed(ctx, r.Session, r.kind, item, state.lacks(item))
	if err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryRead, diagnostic.Capitalize(name)).Diagnostic(err))
		return
	}
	before := state
	if err := state.fromAPI(ctx, item); err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("settings"), summarySettingsRead,
			fmt.Sprintf("The settings of %s cannot be read: %s. The state was not changed.", name, err))
		return
	}
	resp.Diagnostics.Append(session.PrivateState{ID: item.ID, Host: item.Code, Slug: slug, Provisioned: mem.Provisioned}.SaveChange(ctx, mem, resp.Private)...)
	if !itemCodec().Same(ctx, &before, &state) { // else the response has the prior state
		resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	}
}

// absent explains a missing item. The API deletes no item, so the API key is the most likely cause.
func (r *Resource) absent(ctx context.Context, name, id string, mem session.PrivateState, resp *resource.ReadResponse) {
	v := session.VerdictOf(r.Inventory.CheckItem(ctx, r.kind, id, mem.Slug))
	r.RemoveAbsent(ctx, resp, session.Sought{Name: diagnostic.Capitalize(name), LastSlug: mem.Slug}, v, diag.NewWarningDiagnostic(summaryNotFoundRemoved,
		diagnostic.Capitalize(name)+" is not in the catalog, although the API deletes no catalog item. Its code stays reserved. Contact the API provider's support."))
}

func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, identity{ID: state.ID})...)
	if resp.Diagnostics.HasError() {
		return
	}
	plan.ID = state.ID
	change, err := plan.change(&state)
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("settings"), summarySettings, diagnostic.Capitalize(err.Error())+". Nothing was sent.")
		return
	}
	resp.Diagnostics.Append(r.send(ctx, &state, change)...)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	}
}

// send updates an item with what the API does not have yet. The name of the active flag comes from the catalog.
func (r *Resource) send(ctx context.Context, state *model, change client.ItemChange) diag.Diagnostics {
	var diags diag.Diagnostics
	if change.IsEmpty() {
		return diags
	}
	if !r.Ready() {
		diags.Append(r.NotReady())
		return diags
	}
	f := diagnostic.APIFailure{
		Summary:   summaryUpdate,
		Failed:    fmt.Sprintf("%s %s was not changed", diagnostic.Capitalize(r.kind.String()), state.Code.ValueString()),
		Unchanged: "The state was not changed",
		Remedies:  map[string]diagnostic.Remedy{client.CodeInvalidRequest: rejectedSettings},
	}
	item, err := r.live(ctx, state, &change)
	if err == nil && !change.IsEmpty() {
		done := r.Inventory.BeginItemWrite(r.kind)
		err = r.Client.UpdateItem(ctx, r.kind, *item, change)
		done()
	}
	if err != nil {
		diags.Append(f.Diagnostic(err))
	}
	return diags
}

// live returns the item as this run knows it, and removes from the change the settings that the API already has.
func (r *Resource) live(ctx context.Context, state *model, change *client.ItemChange) (*client.Item, error) {
	items, err := r.Inventory.CachedItems(ctx, r.kind)
	if err != nil {
		return nil, err
	}
	item, ok := items.ByID(state.ID.ValueString())
	if !ok {
		return &client.Item{ID: state.ID.ValueString(), Code: state.Code.ValueString()}, nil
	}
	added, err := state.newSettings(*change)
	if err != nil {
		return nil, err
	}
	lacks := func(name string) bool { _, has := item.Settings[name]; return !has }
	item, err = completed(ctx, r.Session, r.kind, item, change.Active != nil && !item.HasActive() || slices.ContainsFunc(added, lacks))
	if err != nil {
		return nil, err
	}
	for _, name := range added {
		live, has := item.Settings[name]
		if !has {
			continue
		}
		if live, err = fwtype.DeclaredPart(live, change.Settings[name]); err != nil {
			return nil, err
		}
		if fwtype.SameJSON(live, change.Settings[name]) {
			delete(change.Settings, name)
		}
	}
	return item, nil
}

// Delete deactivates the item; the code stays reserved and counts toward the limit (§1).
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !state.Active.ValueBool() {
		return // an inactive item needs no API call
	}
	off := false
	resp.Diagnostics.Append(r.send(ctx, &state, client.ItemChange{Active: &off})...)
}

// ImportState accepts an ID or a code.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	given, diags := session.ImportedBy(ctx, req, "id")
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.Ready() {
		resp.Diagnostics.Append(r.NotReady())
		return
	}
	items, err := r.Inventory.Items(ctx, r.kind)
	if err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryRead, diagnostic.Capitalize(r.kind.String())+" "+given).Diagnostic(err))
		return
	}
	item, ok := findItem(items, given)
	if !ok {
		resp.Diagnostics.AddError(summaryNotFound, notImported(r.kind, given))
		return
	}
	resp.Diagnostics.Append(resp.Identity.Set(ctx, identity{ID: types.StringValue(item.ID)})...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), item.ID)...)
}

// findItem prefers the ID, because an ID may also be the code of another item.
func findItem(items *inventory.Catalog, given string) (*client.Item, bool) {
	if item, ok := items.ByID(given); ok {
		return item, true
	}
	return items.ByCode(given)
}
