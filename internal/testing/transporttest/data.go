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
	ReqSuspend   = "POST /console/reseller.example/reseller/private-labels/" + ID + "/suspend"
	ReqUnsuspend = "POST /console/reseller.example/reseller/private-labels/" + ID + "/unsuspend"
	ReqAttach    = "POST /console/reseller.example/reseller/private-labels/" + ID + "/domain/attach"
	ReqTemplates = "GET /console/reseller.example/reseller/private-labels/" + ID + "/templates"

	NoLabels    = `{"privateLabels":[],"provisionedCount":0,"period":"2026-10"}`
	OneLabel    = `{"privateLabels":[{"tenantId":"` + ID + `","primaryHost":"` + Host + `","status":"Active"}],"provisionedCount":1,"period":"2026-10"}`
	Detail      = `{"tenantId":"` + ID + `","primaryHost":"` + Host + `","status":"Active","owner":{"userId":"` + OwnerID + `","email":"` + Owner + `","firstName":"Olive","lastName":"Owner"},"memberCount":1,"assignment":null,"domainSetup":{"attached":true,"verified":false,"records":[]}}`
	Provisioned = `{"tenantId":"` + ID + `","ownerUserId":"` + OwnerID + `","domainSetup":{"attached":true,"verified":false,"records":[]}}`
	Dashboard   = `{"totalDomains":1,"totalUsers":2,"domains":[],"isReseller":true,"slug":"` + Slug + `"}`
)
