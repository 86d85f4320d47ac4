package simulator

import (
	"net/http"
	"slices"
	"strings"
)

// billingRoutes are the routes of §4.21. Methods and paths that it does not show follow the forms.
func billingRoutes(forms Forms) []*route {
	const get, post = http.MethodGet, http.MethodPost
	out := []*route{
		{
			method: post, pattern: ofLabel + "/package", scope: scopePackages, bucket: bucketBilling,
			serve: forLabel((*Simulator).assign), allocates: always,
		},
		{
			method: post, pattern: ofLabel + "/package/addons", scope: scopePackages, bucket: bucketBilling,
			serve: forLabel((*Simulator).attachAddon), allocates: always,
		},
		{method: get, pattern: ofLabel + "/points", scope: scopeRead, bucket: bucketBilling, serve: forLabel((*Simulator).listPoints)},
		{method: get, pattern: ofReseller + "/usage", scope: scopeRead, bucket: bucketConsole, serve: (*Simulator).usage},
		{method: get, pattern: ofReseller + "/billing/quota", scope: scopeRead, bucket: bucketBilling, serve: (*Simulator).quota},
		{method: get, pattern: ofReseller + "/billing/points", scope: scopeRead, bucket: bucketBilling, serve: (*Simulator).pointsPool},
	}
	out = slices.Concat(out, removalRoutes(forms), catalogRoutes(packages, forms), catalogRoutes(addons, forms))
	if !forms.isForm("assignment-read", "missing") {
		out = append(out, &route{
			method: get, pattern: ofLabel + "/package", scope: scopeRead, bucket: bucketBilling,
			serve: forLabel((*Simulator).getAssignment), read: readPackage,
		})
	}
	return out
}

// routeName returns the name of the route that has another one in the default forms.
func (f Forms) routeName(usual string) string {
	routes := billingRoutes(f)
	at := slices.IndexFunc(billingRoutes(Forms{}), func(r *route) bool { return r.name() == usual })
	if at < 0 || at >= len(routes) {
		return usual
	}
	return routes[at].name()
}

// catalogRoutes are the routes of packages or of add-ons.
func catalogRoutes(k *kind, forms Forms) []*route {
	base := ofReseller + "/billing/" + k.plural
	get := http.MethodPost
	if forms.isForm("get", "query") {
		get = http.MethodGet
	}
	return []*route{
		{method: http.MethodPost, pattern: base, scope: scopePackages, bucket: bucketBilling, serve: k.create},
		{method: http.MethodPost, pattern: base + "/search", scope: scopeRead, bucket: bucketBilling, serve: k.search, read: readSearch},
		{method: get, pattern: base + "/get", scope: scopeRead, bucket: bucketBilling, serve: k.get, read: readItem},
		{method: strings.ToUpper(forms.formOf("update")), pattern: base + "/update", scope: scopePackages, bucket: bucketBilling, serve: k.update},
	}
}

// removalRoutes remove a package or an add-on from a private label.
func removalRoutes(forms Forms) []*route {
	method := http.MethodDelete
	suffix := ""
	addonPath := "/:attachedId"
	removePackage, removeAddon := withoutBody((*Simulator).removePackage), withoutBody((*Simulator).removeAddon)
	switch forms.formOf("removal") {
	case "post-path":
		method = http.MethodPost
		suffix = "/remove"
	case "post-body":
		method = http.MethodPost
		suffix = "/remove"
		addonPath = ""
		removeAddon = forLabel((*Simulator).removeAddonOfBody)
	}
	return []*route{
		{method: method, pattern: ofLabel + "/package" + suffix, scope: scopePackages, bucket: bucketBilling, serve: removePackage, removes: true},
		{
			method: method, pattern: ofLabel + "/package/addons" + addonPath + suffix, scope: scopePackages, bucket: bucketBilling,
			serve: removeAddon, removes: true,
		},
	}
}

func always(*request) bool {
	return true
}
