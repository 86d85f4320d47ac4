package provider

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
)

// itemResource is reseller_package and reseller_addon: the service has the same
// endpoints for both.
type itemResource struct {
	forResource
	kind     client.Kind
	typeName string // "package"
}

var (
	_ resource.ResourceWithConfigure      = (*itemResource)(nil)
	_ resource.ResourceWithIdentity       = (*itemResource)(nil)
	_ resource.ResourceWithImportState    = (*itemResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*itemResource)(nil)
	_ resource.ResourceWithValidateConfig = (*itemResource)(nil)
)

func newPackageResource() resource.Resource {
	return &itemResource{kind: client.KindPackage, typeName: typePackage}
}

func newAddonResource() resource.Resource {
	return &itemResource{kind: client.KindAddon, typeName: "addon"}
}

func (r *itemResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.typeName
}

// Create is one POST; once it succeeded nothing is an error any more, since a
// tainted item could never be made again.
func (r *itemResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan itemModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	order, err := plan.request()
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("settings"), "The settings cannot be sent", err.Error())
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.ready() {
		resp.Diagnostics.Append(r.notReady())
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
	resp.Diagnostics.Append(resp.Identity.Set(ctx, itemIdentity{ID: plan.ID})...)
	resp.Diagnostics.Append(memory{ID: made.ID, Host: code, Slug: r.slug(ctx), Provisioned: true}.save(ctx, resp.Private)...)
	if lost {
		resp.Diagnostics.AddWarning("Response lost, catalog item found",
			fmt.Sprintf("The response to creating %s %s was lost. A search shows it with this name and currency, so it was created once and is in state.", r.kind, code))
	}
	if !plan.Active.ValueBool() {
		resp.Diagnostics.Append(r.deactivateNew(ctx, *made)...)
	}
}

// create sends the POST, unless another resource of this process creates or created the code.
func (r *itemResource) create(ctx context.Context, order client.ItemRequest) (made *client.Item, lost bool, diags diag.Diagnostics) {
	code := codeKind{}.normal(order.Code)
	twice := diag.Diagnostics{declaredTwice(path.Root("code"), fmt.Sprintf("%s %s", r.kind, code))}
	key := claim(r.typeName, code)
	if !r.creating.note(key) {
		return nil, false, twice
	}
	defer r.creating.forget(key)
	if r.inventory.CreatedItem(r.kind, code) {
		return nil, false, twice
	}
	done := r.inventory.WritingItem(r.kind)
	made, lost, err := r.client.CreateItem(ctx, r.kind, order)
	done()
	if err != nil {
		return nil, false, diag.Diagnostics{r.createFailure(order.Code).diagnose(err)}
	}
	r.inventory.RecordItem(r.kind, client.Item{ID: made.ID, Code: code, Name: order.Name, Currency: order.Currency, Active: made.Active})
	return made, lost, nil
}

// deactivateNew: a create cannot say that an item is not active.
func (r *itemResource) deactivateNew(ctx context.Context, made client.Item) diag.Diagnostics {
	var diags diag.Diagnostics
	if !made.Active {
		return diags
	}
	off := false
	change := client.ItemChange{Active: &off}
	item, err := completed(ctx, r.session, r.kind, &made, !made.HasActive())
	if err == nil {
		done := r.inventory.WritingItem(r.kind)
		err = r.client.UpdateItem(ctx, r.kind, *item, change)
		done()
	}
	if err != nil {
		diags.AddWarning("Catalog item created, but not deactivated",
			sentences(fmt.Sprintf("%s %s was created and is active.", capitalised(r.kind.String()), made.Code), failure{summary: made.Code}.diagnose(err).Detail(), "The next plan shows this as a change, and the next apply deactivates it."))
	}
	return diags
}

// completed is a row of a search with what only the item by itself shows, where
// that is needed.
func completed(ctx context.Context, s *session, k client.Kind, row *client.Item, needed bool) (*client.Item, error) {
	if !needed {
		return row, nil
	}
	whole, err := s.inventory.Item(ctx, k, row.ID)
	if err != nil || whole == nil {
		return row, err
	}
	return row.CompletedBy(whole), nil
}

func (r *itemResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state, diags := itemCodec().read(ctx, req.State)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(setIdentity(ctx, resp.Identity, "id", state.ID)...)
	mem, diags := readMemory(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.ready() {
		return
	}
	name := fmt.Sprintf("%s %s", r.kind, display(state.Code))
	items, err := r.inventory.Items(ctx, r.kind)
	if err != nil {
		resp.Diagnostics.Append(readFailure(name).diagnose(err))
		return
	}
	slug := r.slug(ctx)
	item, ok := items.ByID(state.ID.ValueString())
	if !ok {
		r.absent(ctx, name, state.ID.ValueString(), mem, resp)
		return
	}
	item, err = completed(ctx, r.session, r.kind, item, state.lacks(item))
	if err != nil {
		resp.Diagnostics.Append(readFailure(name).diagnose(err))
		return
	}
	before := state
	if err := state.fromAPI(ctx, item); err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("settings"), name+" has settings that cannot be read", err.Error())
		return
	}
	if now := (memory{ID: item.ID, Host: item.Code, Slug: slug, Provisioned: mem.Provisioned}); now != mem && slug != "" {
		resp.Diagnostics.Append(now.save(ctx, resp.Private)...)
	}
	if !itemCodec().same(ctx, &before, &state) { // else the response has the prior state
		resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	}
}

// absent: the API deletes no item, so that the API key is the likeliest cause.
func (r *itemResource) absent(ctx context.Context, name, id string, mem memory, resp *resource.ReadResponse) {
	v := verdictOf(r.inventory.CheckItem(ctx, r.kind, id, mem.Slug))
	r.removeAbsent(ctx, resp, sought{capitalised(name), mem.Slug}, v, diag.NewWarningDiagnostic("Catalog item not found, removed from state",
		capitalised(name)+" is not in the catalog, although the API deletes no catalog item. Contact support; its code stays reserved."))
}

func (r *itemResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state itemModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(resp.Identity.Set(ctx, itemIdentity{ID: state.ID})...)
	if resp.Diagnostics.HasError() {
		return
	}
	plan.ID = state.ID
	change, err := plan.change(&state)
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("settings"), "The settings cannot be sent", err.Error())
		return
	}
	resp.Diagnostics.Append(r.send(ctx, &state, change)...)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	}
}

// send updates an item with what the API does not have yet. How it names the
// active flag is read from the catalog.
func (r *itemResource) send(ctx context.Context, state *itemModel, change client.ItemChange) diag.Diagnostics {
	var diags diag.Diagnostics
	if change.IsEmpty() {
		return diags
	}
	if !r.ready() {
		diags.Append(r.notReady())
		return diags
	}
	f := failure{
		summary:  fmt.Sprintf("%s %s was not changed", r.kind, state.Code.ValueString()),
		undone:   "It stays as it was.",
		remedies: map[string]remedy{client.CodeInvalidRequest: rejectedSettings},
	}
	item, err := r.live(ctx, state, &change)
	if err == nil && !change.IsEmpty() {
		done := r.inventory.WritingItem(r.kind)
		err = r.client.UpdateItem(ctx, r.kind, *item, change)
		done()
	}
	if err != nil {
		diags.Append(f.diagnose(err))
	}
	return diags
}

// live is the item as this run knows it. Settings of the change that the API has
// already are taken out of it.
func (r *itemResource) live(ctx context.Context, state *itemModel, change *client.ItemChange) (*client.Item, error) {
	items, err := r.inventory.KnownItems(ctx, r.kind)
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
	item, err = completed(ctx, r.session, r.kind, item, change.Active != nil && !item.HasActive() || slices.ContainsFunc(added, lacks))
	if err != nil {
		return nil, err
	}
	for _, name := range added {
		live, has := item.Settings[name]
		if !has {
			continue
		}
		if live, err = declaredPart(live, change.Settings[name]); err != nil {
			return nil, err
		}
		if sameJSON(live, change.Settings[name]) {
			delete(change.Settings, name)
		}
	}
	return item, nil
}

// Delete deactivates: the code and its place stay taken (§1).
func (r *itemResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state itemModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || !state.Active.ValueBool() {
		return // nothing is sent for what is inactive already
	}
	off := false
	resp.Diagnostics.Append(r.send(ctx, &state, client.ItemChange{Active: &off})...)
}

// ImportState takes an id or a code.
func (r *itemResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	given, diags := importedBy(ctx, req, "id")
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.ready() {
		resp.Diagnostics.Append(r.notReady())
		return
	}
	items, err := r.inventory.Items(ctx, r.kind)
	if err != nil {
		resp.Diagnostics.Append(readFailure(given).diagnose(err))
		return
	}
	item, ok := findItem(items, given)
	if !ok {
		resp.Diagnostics.AddError(fmt.Sprintf("The reseller has no %s %s", r.kind, cmp.Or(given, `""`)),
			fmt.Sprintf("Import a %s by its id (32 hex characters, such as 0123456789abcdef0123456789abcdef) or its code (such as GOLD). Nothing was imported.", r.kind))
		return
	}
	resp.Diagnostics.Append(resp.Identity.Set(ctx, itemIdentity{ID: types.StringValue(item.ID)})...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), item.ID)...)
}

// findItem: an id may also be somebody's code, so the id comes first.
func findItem(items *inventory.Catalogue, given string) (*client.Item, bool) {
	if item, ok := items.ByID(given); ok {
		return item, true
	}
	return items.ByCode(given)
}

// rejectedSettings is the remedy of a value that the API does not accept.
var rejectedSettings = remedy{path.Root("settings"), "The API does not accept a value as written. The API documentation does not list the fields beyond code, name and currency: check the names and values in `settings`."}

func (r *itemResource) createFailure(code string) failure {
	return failure{
		summary: fmt.Sprintf("%s %s was not created", r.kind, code),
		undone:  "Nothing was made.",
		remedies: map[string]remedy{
			client.CodeCodeInUse:      {path.Root("code"), "The code belongs to another item permanently, in upper or lower case and even after deactivation. Import that item, or choose another code."},
			client.CodeInvalidRequest: rejectedSettings,
		},
	}
}
