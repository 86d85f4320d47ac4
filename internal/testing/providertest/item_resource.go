package providertest

import (
	"fmt"
	"net/http"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	RoutePackages      = "POST /console/:slug/reseller/billing/packages"
	RoutePackageSearch = "POST /console/:slug/reseller/billing/packages/search"
	RoutePackageUpdate = "POST /console/:slug/reseller/billing/packages/update"
	RouteAddons        = "POST /console/:slug/reseller/billing/addons"
	RouteAddonUpdate   = "POST /console/:slug/reseller/billing/addons/update"
	Gold               = "reseller_package.gold"
)

// Item is the block of a package or an add-on.
func Item(kind, name, code, extra string) string {
	return fmt.Sprintf("\nresource \"reseller_%s\" %q {\n  code = %q\n  name = \"Gold\"\n  currency = \"EUR\"\n%s\n}\n", kind, name, code, extra)
}

// UpdateItem changes a package or an add-on as a user outside of the provider would.
func (w *TestEnv) UpdateItem(kind, id, fields string) {
	w.T.Helper()
	w.post("/console/"+w.Sim.Slug()+"/reseller/billing/"+kind+"s/update", fmt.Sprintf(`{"%sId":%q,%s}`, kind, id, fields), w.Exchange())
}

const (
	RoutePackageGet = "POST /console/:slug/reseller/billing/packages/get"
	routeAddonGet   = "POST /console/:slug/reseller/billing/addons/get"
)

// Drop removes fields of every row and of the item that is read by itself.
func (s *SecondService) Drop(kind string, fields ...string) {
	remove := func(row map[string]any) {
		for _, field := range fields {
			delete(row, field)
		}
	}
	s.Rows(kind, remove)
	s.Edits(http.MethodPost, "/billing/"+kind+"/get", remove)
	s.Edits(http.MethodPost, "/billing/"+kind, remove)
}

// PackageID is the ID of a package of the simulator.
func (w *TestEnv) PackageID(code string) string {
	w.T.Helper()
	return Find(w.T, w.Sim.Packages(), func(i simulator.ItemView) bool { return i.Code == code }).ID
}
