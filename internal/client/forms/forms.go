// Package forms is the one table of what the API documentation leaves open: each question with the forms of an answer that
// the clients know. The clients send and read by it, in its order, and the subcommand `check` asks its questions. Names are
// those of `simulate -forms`, so that a transcript chooses the forms of a simulator.
package forms

import (
	"net/http"
	"slices"
)

// Question is one that the API documentation leaves open.
type Question struct {
	Name, Text string
	At         string // pattern of the endpoints whose responses answer it; "" for all
	Forms      []Form // in the order in which they are tried or read; an answer is the first one that a response shows
}

// Form is a form of an answer.
type Form struct {
	Name   string   // "" for a form that no response shows
	Method string   // of a request
	Suffix string   // of its path
	InBody bool     // the ID at the end of the path is in the body instead
	Bare   bool     // a request without a body
	Fields []string // of a response, the most probable first
	Shown  string   // patterns of lines that `check` makes of a response in this form; "" if none does
}

// Fields returns the fields of all forms.
func (q *Question) Fields() (out []string) {
	for _, f := range q.Forms {
		out = append(out, f.Fields...)
	}
	return out
}

// Form returns the form with a name.
func (q *Question) Form(name string) Form {
	return q.Forms[slices.IndexFunc(q.Forms, func(f Form) bool { return f.Name == name })]
}

// Requests of the Reseller API.
var (
	Get = &Question{"get", "Which method reads one package or add-on", `/get$`, []Form{
		{Name: "post", Method: http.MethodPost, Shown: `^method=POST ^data`},
		{Name: "query", Method: http.MethodGet, Shown: `^method=GET ^data`},
	}}
	// No read shows which method an update and a removal have.
	Update = &Question{"update", "Which method changes a package or an add-on", "", []Form{
		{Name: "post", Method: http.MethodPost}, {Name: "put", Method: http.MethodPut}, {Name: "patch", Method: http.MethodPatch},
	}}
	Removal = &Question{"removal", "How a package or an add-on is removed from a private label", "", []Form{
		{Name: "delete", Method: http.MethodDelete},
		{Name: "post-path", Method: http.MethodPost, Suffix: "/remove"},
		{Name: "post-body", Method: http.MethodPost, Suffix: "/remove", InBody: true},
	}}
)

// Responses of the Reseller API.
var (
	ScopeList = &Question{"scope-list", "How scope has the scopes of a token", `/auth/token$`, []Form{
		{Name: "array", Shown: `^scope\[`}, {Name: "commas", Shown: `^scope=.*,`}, {Name: "spaces", Shown: `^scope=.*\s`},
	}}
	ExpiresIn = &Question{"expires-in", "How the lifetime of a token is written", `/auth/token$`, []Form{
		{Name: "text", Shown: `^expires_in="`}, {Name: "number", Shown: `^expires_in=\d`},
	}}
	Reset = &Question{"reset", "What RateLimit-Reset counts", "", []Form{
		{Name: "epoch-ms", Shown: `^header\.RateLimit-Reset="\d{13}`},
		{Name: "epoch", Shown: `^header\.RateLimit-Reset="\d{10}`},
		{Name: "seconds", Shown: `^header\.RateLimit-Reset="\d`},
		{Name: "date", Shown: `^header\.RateLimit-Reset="[A-Z]`},
	}}
	Envelope = &Question{"envelope", "Whether an envelope has fields that are not documented", `…|/console/`, []Form{
		{Name: "more", Shown: `beside data`}, {Name: "documented", Shown: `^data`},
	}}
	Times = &Question{"times", "How times of the catalog, a package and the ledger are written", `/search$|/points$|/package$`, []Form{
		{Name: "digits", Shown: `^data.*(createdAt|assignedAt)="\d+"$`},
		{Name: "text", Shown: `^data.*(createdAt|assignedAt)="\d+-`},
		{Name: "milliseconds", Shown: `^data.*(createdAt|assignedAt)=\d`},
	}}
	EmailCase = &Question{"email-case", "The case of stored email addresses", `/private-labels$|/members$`, []Form{
		{Name: "as-sent", Shown: `[eE]mail="([^"]*[a-z][^"]*[A-Z]|[^"]*[A-Z][^"]*[a-z])`}, {Name: "uppercase", Shown: `[eE]mail="[^"]*[A-Z]`},
	}}
	NullFields = &Question{"null-fields", "What a text, number or time that is null is", `/private-labels$`, []Form{
		{Name: "null", Shown: `^data.*\.(customDomain|suspendedAt|suspendReason)=null`}, {Name: "omitted", Shown: `^data.*\.tenantId=`},
	}}
	FigureFields = &Question{"figure-fields", "Whether the list has the figures of private labels", `/private-labels$`, []Form{
		{Name: "null", Shown: `^data.*\.metrics=null`}, {Name: "shown", Shown: `^data.*\.metrics\.`}, {Name: "omitted", Shown: `^data.*\.tenantId=`},
	}}
	DetailAddons = &Question{"detail-addons", "What the detail of a private label has of add-ons", `/:tenantId$`, []Form{
		{Name: "shown", Shown: `^data\.assignment\.addons\[\]\.quantity= ^data\.assignment\.addons\[\]\.code=`},
		{Name: "no-quantity", Shown: `^data\.assignment\.addons\[\]\.code=`},
		{Name: "no-code", Shown: `^data\.assignment\.addons\[\]\.quantity=`},
		{Name: "shown", Shown: `^data\.assignment\.addons=`},
		{Name: "omitted", Shown: `^data\.assignment\.packageId=`},
	}}
	PrimaryHost = &Question{"primary-host", "Which host name primaryHost is", `/private-labels$`, []Form{
		{Name: "asked", Shown: `^data.*\.customDomain=null`}, {Name: "platform", Shown: `^data.*\.customDomain="`},
	}}
	SuspendedDetail = &Question{"suspended-detail", "What the detail of a suspended private label is", `/:tenantId$`, []Form{
		{Name: "live", Shown: `^data\.status="[Ss]uspended"`}, {Name: "rejected", Shown: `^error\.code="(INVALID_TARGET|FORBIDDEN)"`},
	}}
	RecordName = &Question{"record-name", "The name of a DNS record", `/:tenantId$`, []Form{
		{Name: "dot", Shown: `^data\.domainSetup\.records\[\]\.name="[^"]*\."`},
		{Name: "relative", Shown: `^data\.domainSetup\.records\[\]\.name="[^".]*"`},
		{Name: "host", Shown: `^data\.domainSetup\.records\[\]\.name="`},
	}}
	NoEndpoint = &Question{"no-endpoint", "What the API returns for a path without an endpoint", "", []Form{
		{Name: "envelope", Shown: `^status=404 ^error\.code="NOT_FOUND"`},
		{Name: "json", Shown: `^status=404 ^(message|statusCode|path)=`},
		{Name: "page", Shown: `^status=404`},
	}}
	StatusCase = &Question{"status-case", "The case of the status of a private label", `/private-labels$`, []Form{
		{Name: "lower", Shown: `\.status="(active|suspended)"`}, {Name: "documented", Shown: `\.status="(Active|Suspended)"`},
	}}
	LabelFigures = &Question{"label-figures", "How figures of private labels are written", `/private-labels$`, []Form{
		{Name: "text", Shown: `^data\.provisionedCount="`}, {Name: "numbers", Shown: `^data\.provisionedCount=\d`},
	}}
	Rows = &Question{"rows", "Where a search has its rows", `/packages/search$`, []Form{
		{Name: "by-kind", Shown: `^data\.packages\[`}, // the name of the kind
		{Name: "items", Fields: []string{"items"}, Shown: `^data\.items\[`},
		{Name: "rows", Fields: []string{"rows"}, Shown: `^data\.rows\[`},
		{Name: "nested", Shown: `^data\.packages\.rows\[`},
		{Fields: []string{"results", "result", "data", "list"}},
	}}
	SearchRows = &Question{"search-rows", "Which fields a row of a search has", `/get$`, []Form{
		{Name: "summaries", Shown: `^summary=true`}, {Name: "whole", Shown: `^summary=false`},
	}}
	AddonFields = &Question{"addon-fields", "Whether an add-on has a currency and an active flag", `/addons/search$`, []Form{
		{Name: "full", Shown: `^data.*\.currency= ^data.*\.(active|isActive|status)=`},
		{Name: "currency", Shown: `^data.*\.currency=`},
		{Name: "active", Shown: `^data.*\.(active|isActive|status)=`},
		{Name: "bare", Shown: `^data.*\.code=`},
	}}
	ItemID = &Question{"item-id", "Where the ID of a package is", `/packages/(search|get)$`, []Form{
		{Name: "nested", Shown: `^at=.*search ^data.*\.package\.packageId=`},
		{Name: "nested-id", Shown: `^at=.*search ^data.*\.package\.id=`},
		{Name: "nested-alone", Shown: `^at=.*get ^data\.package\.packageId=`},
		{Name: "plain", Fields: []string{"id"}, Shown: `^at=.*search ^data(\.\w+)*\[\]\.id=`},
		{Name: "named", Shown: `^data.*\.packageId=`}, // the kind's own name of an ID
	}}
	ActiveFlag = &Question{"active-flag", "Which field says that a package is active", `/packages/search$`, []Form{
		{Name: "active", Fields: []string{"active"}, Shown: `^data.*\.active=`},
		{Name: "is-active", Fields: []string{"isActive"}, Shown: `^data.*\.isActive=`},
		{Name: "status", Fields: []string{"status"}, Shown: `^data.*\.status=`},
		{Name: "none", Shown: `^data.*\.code=`},
	}}
	AssignmentRead = &Question{"assignment-read", "Where the package of a private label is, read by itself", `/package$`, []Form{
		{Name: "assignment", Fields: []string{"assignment"}, Shown: `^data\.assignment\.packageId=`},
		{Name: "package", Fields: []string{"package"}, Shown: `^data\.package\.packageId=`},
		{Name: "bare", Shown: `^data\.packageId=`},
		{Name: "missing", Shown: `^status=404`},
	}}
	AssignmentAddons = &Question{"assignment-addons", "Which add-ons that read has", `/package$`, []Form{
		{Name: "shown", Shown: `^detail\.assignment\.addons\[\]\. ^data.*addons\[\]\.`},
		{Name: "empty", Shown: `^detail\.assignment\.addons\[\]\. ^data.*addons=\[\]`},
		{Name: "omitted", Shown: `^detail\.assignment\.addons\[\]\. ^data.*packageId=`},
	}}
	NoAssignment = &Question{"no-assignment", "What that read returns for a private label without a package", `/package$`, []Form{
		{Name: "not-assigned", Shown: `^detail\.assignment=null ^error\.code="NOT_ASSIGNED"`},
		{Name: "null", Shown: `^detail\.assignment=null ^data(\.\w+)?=null`},
	}}
	Figures = &Question{"figures", "How figures of usage, quota, points and ledger are written", `/usage$|/quota$|/points$|/package$`, []Form{
		{Name: "text", Shown: figure + `"-?\d`}, {Name: "numbers", Shown: figure + `-?\d`},
	}}
	// A figure is read from an object of its name, or from a field of its name in an item: by-code, rows and flat.
	Usage = &Question{"usage", "The shape of the usage report", `/usage$`, []Form{
		{Name: "totals", Fields: []string{"totals", "used"}, Shown: `^data\.totals[.=]`},
		{Name: "items", Shown: `^data\.items\[`},
		{Name: "rows", Shown: `^data\.rows\[`},
		{Name: "by-code", Shown: `^data\.items\.\w+\.used=`},
		{Name: "flat", Shown: `^data\.documents=`},
	}}
	Quota = &Question{"quota", "The shape of the quota", `/quota$`, []Form{
		{Name: "sections", Fields: []string{"remaining"}, Shown: `^data\.remaining\.`},
		{Name: "list", Shown: `^data\.items\[\]\.remaining=`},
		{Name: "by-code", Shown: `^data\.items\.\w+\.remaining=`},
		{Name: "rows", Shown: `^data\.rows\[\]\.remaining=`},
		{Name: "flat", Shown: `^data\.documents\.remaining=`},
	}}
	PointsPool = &Question{"points-pool", "The shape of the points pool", `/billing/points$`, []Form{
		{Name: "flat", Shown: `^data\.remaining=`}, {Name: "nested", Shown: `^data\.pool\.remaining=`},
	}}
	Ledger = &Question{"ledger", "The figure of a ledger row", `/:tenantId/points$`, []Form{
		{Name: "amount", Shown: `^data.*\.amount=`}, {Name: "points", Shown: `^data.*\.points=`},
	}}
)

const figure = `^data.*\.(remaining|documents|used)=`

// Requests and responses of the Signing API.
var (
	SentMethod = &Question{"sent-method", "Which method has the sent documents", `^sent`, []Form{
		{Name: "post", Method: http.MethodPost, Shown: `^method=POST ^data`},
		{Name: "get", Method: http.MethodGet, Shown: `^method=GET ^data`},
		{Method: http.MethodGet, Bare: true}, // a gateway may reject a GET with a body
	}}
	SigningRows = &Question{"signing-rows", "Where sent documents and stored signatures are", `^sent|^stored`, []Form{
		{Name: "two-lists", Shown: `^data\.(signatures|documents)(\[|=\[|=null) ^data\.shared`},
		{Name: "named", Fields: []string{"signatures", "signatureList"}, Shown: `^data\.(signatures|documents)(\[|=\[)`},
		{Name: "by-id", Fields: []string{"signatures", "signatureList", "documents", "sentDocuments"}, Shown: `^data\.(signatures|documents)(\.|=\{)`},
		{Name: "bare", Shown: `^data(\[|=\[)`},
	}}
	SignatureRow = &Question{"signature-row", "What an entry of the stored signatures is", `^stored`, []Form{
		{Name: "odd", Shown: `^odd=true`},
		{Name: "object", Fields: []string{"id", "signatureId"}, Shown: `^data.*\.id=`},
		{Name: "text", Shown: `^data[^=]*="`},
	}}
	// No read shows how an upload is answered.
	SigningResult = &Question{"signing-result", "Where the response to an upload has the document's ID", "", []Form{
		{Name: "flat", Fields: []string{"docId", "documentId", "id"}}, {Name: "nested", Fields: []string{"result", "document"}},
	}}
)

// IsShown reports whether a response can answer the question.
func (q *Question) IsShown() bool {
	return slices.ContainsFunc(q.Forms, func(f Form) bool { return f.Shown != "" })
}

// Questions are all of them, in the order of the documents.
var Questions = []*Question{
	Envelope, NullFields, FigureFields, LabelFigures, DetailAddons, StatusCase, SuspendedDetail, PrimaryHost, RecordName, NoEndpoint,
	ExpiresIn, ScopeList, Reset, EmailCase, Get, Update, Removal, Rows, SearchRows, AddonFields, ItemID, ActiveFlag,
	AssignmentRead, AssignmentAddons, NoAssignment, Times, Figures, Usage, Quota, PointsPool, Ledger,
	SentMethod, SigningRows, SignatureRow, SigningResult,
}
