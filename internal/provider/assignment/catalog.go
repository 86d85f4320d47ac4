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

// problems finds what the API would reject after other steps: an item that is not in the catalog, and an inactive
// package.
func (c assignmentCatalog) problems(host string, have holding, addons types.Map, todo []*step) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, s := range todo {
		switch s.kind {
		case stepAssign:
			diags.Append(c.packageProblem(host, s)...)
		case stepAttach:
			diags.Append(c.addonProblem(host, have, addons, s)...)
		case stepRemove, stepDetach:
		}
	}
	return diags
}

func (c assignmentCatalog) packageProblem(host string, s *step) diag.Diagnostics {
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

func (c assignmentCatalog) addonProblem(host string, have holding, addons types.Map, s *step) diag.Diagnostics {
	if c.addons == nil || s.code == "" {
		return nil
	}
	at := addonPath(addons, s.code)
	_, ok := c.addons.ByCode(s.code)
	_, attached := have.addon(s.code)
	switch {
	case !ok && attached, c.pending(client.KindAddon, s.code):
		return nil
	case !ok:
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(at, summaryAddonNotFound, lead(host)+addonNotFound(s.code))}
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

// readCatalog reads the items of the catalog that a target refers to.
func readCatalog(ctx context.Context, run *session.Session, want target, age inventory.Age) (assignmentCatalog, error) {
	c := assignmentCatalog{pending: func(client.Kind, string) bool { return false }}
	if age == inventory.Cached {
		// What this plan creates or activates is no error. The apply checks the catalog itself.
		typeNames := map[client.Kind]string{client.KindPackage: session.TypePackage, client.KindAddon: session.TypeAddon}
		c.pending = func(k client.Kind, code string) bool {
			return run.Planned.Provides(typeNames[k], fwtype.CodeKind{}.Normal(code))
		}
	}
	var err error
	if want.packageID != "" {
		c.packages, err = items(ctx, run, client.KindPackage, age, func(have *inventory.Catalog) bool {
			_, ok := have.ByID(want.packageID)
			return ok
		})
	}
	if err == nil && len(want.listed) > 0 {
		c.addons, err = items(ctx, run, client.KindAddon, age, func(have *inventory.Catalog) bool {
			return !slices.ContainsFunc(fwtype.SortedKeys(want.listed), func(code string) bool { _, ok := have.ByCode(code); return !ok })
		})
	}
	return c, err
}

// items reads one kind. What is cached may lack an item that this run created.
func items(
	ctx context.Context, run *session.Session, k client.Kind, age inventory.Age, complete func(*inventory.Catalog) bool,
) (*inventory.Catalog, error) {
	catalog, err := run.Inventory.Items(ctx, k, age)
	if err == nil && age == inventory.Cached && !complete(catalog) {
		return run.Inventory.Items(ctx, k, inventory.Current)
	}
	return catalog, err
}
