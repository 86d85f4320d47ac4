package transporttest

// Data of the fake. The key has the form of Reseller API §2.9.
const (
	Key        = "pk_live_0123456789abcdef0123456789abcdef_AbCdEfGhIjKlMnOp"
	GivenToken = "given-access-token"
	Slug       = "reseller.example"
	ID         = "0123456789abcdef0123456789abcdef"
	OtherID    = "ffffffffffffffffffffffffffffffff"
	OwnerID    = "11111111111111111111111111111111"
	Host       = "sign.customer.example"
	Owner      = "owner@customer.example"

	ReqExchange  = "POST /api/v1/auth/token"
	ReqDashboard = "GET /console/dashboard"
	ReqList      = "GET /console/reseller.example/reseller/private-labels"
	ReqDetail    = "GET /console/reseller.example/reseller/private-labels/" + ID
	ReqProvision = "POST /console/reseller.example/reseller/private-labels"
	ReqDelete    = "DELETE /console/reseller.example/reseller/private-labels/" + ID

	NoLabels    = `{"privateLabels":[],"provisionedCount":0,"period":"2026-10"}`
	OneLabel    = `{"privateLabels":[{"tenantId":"` + ID + `","primaryHost":"` + Host + `","status":"Active"}],"provisionedCount":1,"period":"2026-10"}`
	Detail      = `{"tenantId":"` + ID + `","primaryHost":"` + Host + `","status":"Active","owner":{"userId":"` + OwnerID + `","email":"` + Owner + `","firstName":"Olive","lastName":"Owner"},"memberCount":1,"assignment":null,"domainSetup":{"attached":true,"verified":false,"records":[]}}`
	Provisioned = `{"tenantId":"` + ID + `","ownerUserId":"` + OwnerID + `","domainSetup":{"attached":true,"verified":false,"records":[]}}`
	Dashboard   = `{"totalDomains":1,"totalUsers":2,"domains":[],"isReseller":true,"slug":"` + Slug + `"}`
)

// Names are the paths, IDs, bodies and calls that a script names.
var Names = map[string]string{
	"exchange": "/api/v1/auth/token",
	"reseller": "/console/reseller.example/reseller",
	"labels":   "/console/reseller.example/reseller/private-labels",
	"label":    "/console/reseller.example/reseller/private-labels/" + ID,
	"packages": "/console/reseller.example/reseller/billing/packages",

	"upload":      "POST /signing-api/documents",
	"sign":        "POST /signing-api/documents/update",
	"view":        "POST /signing-api/documents/view",
	"signatures":  "GET /signing-api/signatures/list",
	"mint":        "POST /signing-api/mintDocument",
	"sent":        "POST /signing/view/sent-documents?domain=acme.example",
	"sent of own": "POST /signing/view/sent-documents",

	"id":    ID,
	"other": OtherID,
	"owner": OwnerID,
	"host":  Host,
	"email": Owner,

	"no labels":   NoLabels,
	"one label":   OneLabel,
	"detail":      Detail,
	"provisioned": Provisioned,
	"dashboard":   Dashboard,
}
