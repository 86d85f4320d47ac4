package assignment

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// readCatalog reads the items of the catalog that a configuration refers to.
func readCatalog(ctx context.Context, c *change, age inventory.Age) (err error) {
	items := func(k client.Kind, find func(*inventory.Catalog, string) (*client.Item, bool), names ...string) (*inventory.Catalog, error) {
		catalog, err := c.Inventory.Items(ctx, k, age)
		lacks := func(name string) bool { _, ok := find(catalog, name); return !ok }
		if err == nil && age == inventory.Cached && slices.ContainsFunc(names, lacks) { // by an item that this run created
			return c.Inventory.Items(ctx, k, inventory.Current)
		}
		return catalog, err
	}
	m, id, codes := memo(c), c.Want.PackageID.ValueString(), fwtype.SortedKeys(c.Want.wanted())
	if id != "" {
		m.packages, err = items(client.KindPackage, (*inventory.Catalog).ByID, id)
	}
	if err == nil && len(codes) > 0 {
		m.addons, err = items(client.KindAddon, (*inventory.Catalog).ByCode, codes...)
	}
	return err
}

// catalogProblems finds what the API would reject after other steps: an item that is not in the catalog, and an inactive
// package.
func catalogProblems(c *change, host string) diag.Diagnostics {
	var diags diag.Diagnostics
	m, have := memo(c), had(c.Was, c.Live)
	// What this plan creates or activates is no error. The apply checks the catalog itself.
	pending := func(typeName, code string) bool { return !c.Applying && c.Planned.Provides(typeName, normal(code)) }
	for _, s := range c.Steps {
		switch {
		case s.kind == stepAssign && s.id != "":
			at := path.Root("package_id")
			if item, ok := m.packages.ByID(s.id); !ok {
				diags.AddAttributeError(at, summaryPackageNotFound, fmt.Sprintf(packageNotFound, lead(host), s.id))
			} else if !item.Active && !pending(session.TypePackage, item.Code) {
				diags.AddAttributeError(at, summaryPackageInactive, fmt.Sprintf(packageInactive, lead(host), item.Code))
			}
		case s.kind == stepAttach && s.code != "":
			_, found := m.addons.ByCode(s.code)
			_, attached := have.addon(s.code)
			if !found && !attached && !pending(session.TypeAddon, s.code) {
				diags.AddAttributeError(c.Want.addonPath(s.code), summaryAddonNotFound, fmt.Sprintf(addonNotFound, lead(host), s.code))
			}
		}
	}
	return diags
}
