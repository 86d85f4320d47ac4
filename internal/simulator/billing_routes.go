package simulator

import (
	"net/http"
)

// billingRoutes are the routes of §4.21. Methods and paths that it does not show follow the assumptions.
func billingRoutes(assume BillingAssumptions) []*route {
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
	if !assume.AssignmentRead.None {
		out = append(out, &route{method: get, pattern: ofLabel + "/package", scope: scopeRead, bucket: bucketBilling, serve: forLabel((*Simulator).getAssignment)})
	}
	out = append(out, removalRoutes(assume)...)
	return append(append(out, catalogRoutes(packages, assume)...), catalogRoutes(addons, assume)...)
}

// catalogRoutes are the routes of packages or of add-ons.
func catalogRoutes(k *kind, assume BillingAssumptions) []*route {
	base := ofReseller + "/billing/" + k.plural
	return []*route{
		{method: http.MethodPost, pattern: base, scope: scopePackages, bucket: bucketBilling, serve: k.create},
		{method: http.MethodPost, pattern: base + "/search", scope: scopeRead, bucket: bucketBilling, serve: k.search},
		{method: orPost(assume.GetMethod), pattern: base + "/get", scope: scopeRead, bucket: bucketBilling, serve: k.get},
		{method: orPost(assume.UpdateMethod), pattern: base + "/update", scope: scopePackages, bucket: bucketBilling, serve: k.update},
	}
}

// removalRoutes remove a package or an add-on from a private label.
func removalRoutes(assume BillingAssumptions) []*route {
	method, suffix := http.MethodDelete, ""
	if assume.RemovalsArePosts {
		method, suffix = http.MethodPost, "/remove"
	}
	removePackage, removeAddon := withoutBody((*Simulator).removePackage), withoutBody((*Simulator).removeAddon)
	return []*route{
		{method: method, pattern: ofLabel + "/package" + suffix, scope: scopePackages, bucket: bucketBilling, serve: removePackage},
		{method: method, pattern: ofLabel + "/package/addons/:attachedId" + suffix, scope: scopePackages, bucket: bucketBilling, serve: removeAddon},
	}
}

func orPost(method string) string {
	if method == "" {
		return http.MethodPost
	}
	return method
}

func always(*request) bool { return true }
