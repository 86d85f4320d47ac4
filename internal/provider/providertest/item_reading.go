package providertest

import (
	"net/http"
)

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
	for _, p := range w.Sim.Packages() {
		if p.Code == code {
			return p.ID
		}
	}
	w.T.Fatalf("no package has the code %s", code)
	return ""
}
