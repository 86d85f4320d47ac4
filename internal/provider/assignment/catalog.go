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
	pending func(typeName, code string) bool
}

// addonID is the ID of an add-on, "" if the catalog does not show it.
func (c assignmentCatalog) addonID(code string) string {
	if c.addons != nil {
		if item, ok := c.addons.ByCode(code); ok {
			return item.ID
		}
	}
	return ""
}

// problems finds what the API would reject after other steps: an item that is not in the catalog, and an inactive
// package.
func (c assignmentCatalog) problems(host string, have holding, addons types.Map, todo []*step) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, s := range todo {
		switch {
		case s.kind == stepAssign && s.id != "" && c.packages != nil:
			at := path.Root("package_id")
			if item, ok := c.packages.ByID(s.id); !ok {
				diags.AddAttributeError(at, summaryPackageNotFound, lead(host)+packageNotFound(s.id))
			} else if !item.Active && !c.pending(session.TypePackage, item.Code) {
				diags.AddAttributeError(at, summaryPackageInactive, lead(host)+packageInactive(item.Code))
			}
		case s.kind == stepAttach && s.code != "" && c.addons != nil:
			_, found := c.addons.ByCode(s.code)
			_, attached := have.addon(s.code)
			if !found && !attached && !c.pending(session.TypeAddon, s.code) {
				diags.AddAttributeError(addonPath(addons, s.code), summaryAddonNotFound, lead(host)+addonNotFound(s.code))
			}
		}
	}
	return diags
}

// addonPath is the element of `addons` with a code, as the configuration spells it.
func addonPath(addons types.Map, code string) path.Path {
	at := path.Root("addons")
	if a, ok := (&model{Addons: addons}).wanted()[normal(code)]; ok {
		return at.AtMapKey(a.spelled)
	}
	return at
}

// readCatalog reads the items of the catalog that a target refers to.
func readCatalog(ctx context.Context, run *session.Session, want target, age inventory.Age) (assignmentCatalog, error) {
	c := assignmentCatalog{pending: func(_, _ string) bool { return false }}
	if age == inventory.Cached {
		// What this plan creates or activates is no error. The apply checks the catalog itself.
		c.pending = func(typeName, code string) bool { return run.Planned.Provides(typeName, normal(code)) }
	}
	// What is cached may lack an item that this run created.
	items := func(k client.Kind, lacks func(*inventory.Catalog) bool) (*inventory.Catalog, error) {
		catalog, err := run.Inventory.Items(ctx, k, age)
		if err == nil && age == inventory.Cached && lacks(catalog) {
			return run.Inventory.Items(ctx, k, inventory.Current)
		}
		return catalog, err
	}
	var err error
	if want.packageID != "" {
		c.packages, err = items(client.KindPackage, func(have *inventory.Catalog) bool {
			_, ok := have.ByID(want.packageID)
			return !ok
		})
	}
	if err == nil && len(want.listed) > 0 {
		c.addons, err = items(client.KindAddon, func(have *inventory.Catalog) bool {
			return slices.ContainsFunc(fwtype.SortedKeys(want.listed), func(code string) bool { _, ok := have.ByCode(code); return !ok })
		})
	}
	return c, err
}
