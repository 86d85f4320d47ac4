package contact

import (
	"reflect"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// endpoint is what a check reads. Its needs are the client's: of a documented response the type that the client decodes.
type endpoint struct {
	api, name string
	neededBy  string
	rows      string       // field of data with the rows of shape, "" for data itself
	shape     reflect.Type // nil if the API documentation shows none
	instead   string       // what the provider does without it, so that a failure does no harm
}

const (
	apiReseller, apiSigning = "reseller", "signing"

	label          = "GET …/private-labels/:tenantId"
	readsDetail    = "the provider reads the detail of the private label"
	readsSearch    = "the provider reads the search, and keeps in state what that lacks"
	dataSource     = "the data source reseller_"
	ofPrivateLabel = "reseller_private_label, reseller_assignment, reseller_domain_verification"
	ofSent         = dataSource + "sent_documents, and reseller_document after a lost response"
)

var (
	exchange = &endpoint{apiReseller, "POST /api/v1/auth/token", "every resource", "", reflect.TypeFor[transport.TokenResponse](), ""}

	dashboard  = &endpoint{apiReseller, "GET /console/dashboard", "every resource, unless slug is set", "", reflect.TypeFor[client.Dashboard](), ""}
	list       = &endpoint{apiReseller, "GET …/private-labels", "every resource of a private label", "", reflect.TypeFor[client.PrivateLabelList](), ""}
	detail     = &endpoint{apiReseller, label, ofPrivateLabel, "", reflect.TypeFor[client.PrivateLabel](), ""}
	members    = &endpoint{apiReseller, label + "/members", "reseller_member, reseller_members", "members", reflect.TypeFor[[]client.Member](), ""}
	templates  = &endpoint{apiReseller, label + "/templates", dataSource + "templates", "templates", reflect.TypeFor[[]client.Template](), ""}
	assignment = &endpoint{apiReseller, label + "/package", "reseller_assignment", "", nil, readsDetail}
	ledger     = &endpoint{apiReseller, label + "/points", dataSource + "points_ledger", "", nil, ""}
	packages   = &endpoint{apiReseller, "POST …/billing/packages/search", "reseller_package, reseller_assignment", "", nil, ""}
	onePackage = &endpoint{apiReseller, "…/billing/packages/get", "reseller_package", "", nil, readsSearch}
	addons     = &endpoint{apiReseller, "POST …/billing/addons/search", "reseller_addon, reseller_assignment", "", nil, ""}
	oneAddon   = &endpoint{apiReseller, "…/billing/addons/get", "reseller_addon", "", nil, readsSearch}
	usage      = &endpoint{apiReseller, "GET …/usage", dataSource + "usage", "", nil, ""}
	quota      = &endpoint{apiReseller, "GET …/billing/quota", dataSource + "quota", "", nil, ""}
	points     = &endpoint{apiReseller, "GET …/billing/points", dataSource + "points", "", nil, ""}
	keys       = &endpoint{apiReseller, "GET …/keys", dataSource + "api_keys", "keys", reflect.TypeFor[[]client.APIKey](), ""}

	signatures    = &endpoint{apiSigning, "stored signatures", dataSource + "signatures", "", nil, ""}
	sentDocuments = &endpoint{apiSigning, "sent documents", ofSent, "", nil, ""}
)

// endpoints are in the order of the report.
var endpoints = []*endpoint{
	exchange, dashboard, list, detail, members, templates, assignment, ledger, packages, onePackage, addons, oneAddon,
	usage, quota, points, keys, signatures, sentDocuments,
}
