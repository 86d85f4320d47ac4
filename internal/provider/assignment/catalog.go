package assignment

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// assignmentCatalog is what the catalog shows of packages and add-ons. Either is nil if it could not be read; then the
// API decides.
type assignmentCatalog struct {
	packages, addons *inventory.Catalog

	// pending reports whether this run creates or activates an item, so that the catalog will show it differently.
	pending func(k client.Kind, code string) bool
}

func (c assignmentCatalog) packageCode(id string) string {
	if c.packages == nil {
		return ""
	}
	item, ok := c.packages.ByID(id)
	if !ok {
		return ""
	}
	return item.Code
}

func (c assignmentCatalog) addonID(code string) string {
	if c.addons == nil {
		return ""
	}
	item, ok := c.addons.ByCode(code)
	if !ok {
		return ""
	}
	return item.ID
}

// problems finds what the API would reject after other steps: an item that is not in the catalog, an inactive item, and
// an old package that could not be assigned again.
func (c assignmentCatalog) problems(host string, have holding, want target, addons types.Map, todo []step) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, s := range todo {
		switch s.kind {
		case stepAssign:
			diags.Append(c.packageProblem(host, s)...)
		case stepRemove:
			diags.Append(c.restoreProblem(host, s, want)...)
		case stepAttach:
			diags.Append(c.addonProblem(host, have, addons, s)...)
		case stepDetach:
		}
	}
	return append(diags, c.currencyProblems(want, addons)...)
}

func (c assignmentCatalog) packageProblem(host string, s step) diag.Diagnostics {
	if c.packages == nil || s.id == "" {
		return nil
	}
	at := path.Root("package_id")
	item, ok := c.packages.ByID(s.id)
	switch {
	case !ok:
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(at, summaryPackageNotFound, lead(host)+packageNotFound(s.id))}
	case !item.Active && !c.pending(client.KindPackage, item.Code):
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(at, summaryPackageInactive, lead(host)+packageInactive(item.Code))}
	}
	return nil
}

// restoreProblem finds why an old package could not be restored. A package change removes the old package first, and
// restores it if the new one is rejected.
func (c assignmentCatalog) restoreProblem(host string, s step, want target) diag.Diagnostics {
	if c.packages == nil || want.nothing || s.conditional {
		return nil
	}
	item, ok := c.packages.ByID(s.id)
	if !ok || item.Active || c.pending(client.KindPackage, item.Code) {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("package_id"), summaryPackageInactive, lead(host)+packageNotRestorable(item.Code))}
}

func (c assignmentCatalog) addonProblem(host string, have holding, addons types.Map, s step) diag.Diagnostics {
	if c.addons == nil || s.code == "" {
		return nil
	}
	at := addonPath(addons, s.code)
	item, ok := c.addons.ByCode(s.code)
	_, attached := have.addon(s.code)
	switch {
	case !ok && attached, c.pending(client.KindAddon, s.code):
		return nil
	case !ok:
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(at, summaryAddonNotFound, lead(host)+addonNotFound(s.code))}
	case !item.Active:
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(at, summaryAddonInactive, lead(host)+addonInactive(item.Code))}
	}
	return nil
}

// addonPath is the element of `addons` with a code, as the configuration spells it.
func addonPath(addons types.Map, code string) path.Path {
	at := path.Root("addons")
	for spelled := range addons.Elements() {
		if sameCode(spelled, code) {
			return at.AtMapKey(spelled)
		}
	}
	return at
}

// currencyProblems finds add-ons in another currency than their package, where the catalog shows both.
func (c assignmentCatalog) currencyProblems(want target, addons types.Map) diag.Diagnostics {
	var diags diag.Diagnostics
	if c.packages == nil || c.addons == nil || want.addons != addonsListed {
		return nil
	}
	pkg, ok := c.packages.ByID(want.packageID)
	if !ok || pkg.Currency == "" {
		return nil
	}
	for _, code := range fwtype.SortedKeys(want.listed) {
		addon, ok := c.addons.ByCode(code)
		if ok && addon.Currency != "" && !fwtype.NewText[fwtype.CurrencyKind](addon.Currency).Means(pkg.Currency) {
			diags.AddAttributeError(addonPath(addons, code), summaryCurrencies, otherCurrency(addon, pkg))
		}
	}
	return diags
}

// freshness says how old the catalog may be.
type freshness int

const (
	knownItems   freshness = iota // read at any time of this run: for texts, and for rules that the apply checks again
	currentItems                  // read since the last write of this run
	freshItems                    // read now: before something is removed that could not be brought back
)

// catalog reads the items of the catalog that a target refers to.
func (r *Resource) catalog(ctx context.Context, want target, age freshness) (assignmentCatalog, error) {
	c := assignmentCatalog{pending: func(client.Kind, string) bool { return false }}
	if age == knownItems {
		c.pending = r.pendingItem
	}
	var err error
	if want.packageID != "" {
		c.packages, err = r.items(ctx, client.KindPackage, age, func(have *inventory.Catalog) bool {
			_, ok := have.ByID(want.packageID)
			return ok
		})
	}
	if err == nil && len(want.listed) > 0 {
		c.addons, err = r.items(ctx, client.KindAddon, age, func(have *inventory.Catalog) bool {
			return !slices.ContainsFunc(fwtype.SortedKeys(want.listed), func(code string) bool { _, ok := have.ByCode(code); return !ok })
		})
	}
	return c, err
}

// items reads one kind. What is known may lack an item that this run created.
func (r *Resource) items(ctx context.Context, k client.Kind, age freshness, complete func(*inventory.Catalog) bool) (*inventory.Catalog, error) {
	if age == freshItems {
		return r.Inventory.RefreshItems(ctx, k)
	}
	if age == knownItems {
		known, err := r.Inventory.CachedItems(ctx, k)
		if err != nil || complete(known) {
			return known, err
		}
	}
	return r.Inventory.Items(ctx, k)
}

// pendingItem reports whether this run was seen to create or activate an item. It only suppresses errors of the plan: the
// apply checks the catalog itself.
func (r *Resource) pendingItem(k client.Kind, code string) bool {
	return r.Activating.Contains(session.ItemKey(k, code))
}
