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
	Name    string
	Section string // of the Reseller API's documentation; "Signing" and a section of the other one
	Text    string
	At      string // pattern of the endpoints whose responses answer it; "" for all
	Forms   []Form // in the order in which they are tried or read; an answer is the first one that a response shows
}

// Form is a form of an answer.
type Form struct {
	Name   string   // "" for a form that no response shows
	Means  string   // the form in words, if a response shows it
	Method string   // of a request
	Path   string   // of a request, or the end of it
	Whole  bool     // of an update: it has the whole item
	InBody bool     // the ID at the end of the path is in the body instead
	Bare   bool     // a request without a body
	Names  []string // of fields, or words in one, the most probable first
	Shown  string   // patterns of lines that `check` makes of a response in this form; "" if none does
}

// shows is a form of a response: in words, and as the pattern of its lines.
func shows(name, means, pattern string) Form {
	return Form{Name: name, Means: means, Shown: pattern}
}

// Names returns the names of all forms.
func (q *Question) Names() (out []string) {
	for _, f := range q.Forms {
		out = append(out, f.Names...)
	}
	return out
}

// With returns the name of the form that has a word, "" for none.
func (q *Question) With(word string) string {
	for _, f := range q.Forms {
		if slices.Contains(f.Names, word) {
			return f.Name
		}
	}
	return ""
}

// Form returns the form with a name; the zero form for none.
func (q *Question) Form(name string) Form {
	i := slices.IndexFunc(q.Forms, func(f Form) bool { return f.Name == name })
	if i < 0 {
		return Form{}
	}
	return q.Forms[i]
}

// Requests of the Reseller API.
var (
	Get = &Question{"get", "4.21", "Which method reads one package or add-on", `/get$`, []Form{
		{Name: "post", Means: "POST with `{packageId}` or `{addonId}`", Method: http.MethodPost, Shown: `^method=POST ^data`},
		{Name: "query", Means: "GET with the ID in the query", Method: http.MethodGet, Shown: `^method=GET ^data`},
	}}
	// No read shows which method an update and a removal have.
	Update = &Question{"update", "4.21", "Which method changes a package or an add-on", "", []Form{
		{Name: "post", Method: http.MethodPost}, {Name: "put", Method: http.MethodPut}, {Name: "patch", Method: http.MethodPatch},
	}}
	UpdateBody = &Question{"update-body", "4.21", "What an update has in its body", "", []Form{
		{Name: "whole", Whole: true}, {Name: "changes"}, // an API that replaces the item loses nothing by the first
	}}
	Removal = &Question{"removal", "4.21", "How a package or an add-on is removed from a private label", "", []Form{
		{Name: "delete", Method: http.MethodDelete},
		{Name: "post-path", Method: http.MethodPost, Path: "/remove"},
		{Name: "post-body", Method: http.MethodPost, Path: "/remove", InBody: true},
	}}
	RemovalID = &Question{"removal-id", "4.21", "Which ID removes an add-on", "", []Form{
		{Name: "attachment", Names: []string{"subscriptionAddonId"}}, {Name: "addon", Names: []string{"addonId"}},
	}}
)

// Responses of the Reseller API.
var (
	ScopeList = &Question{"scope-list", "4.1", "How scope has the scopes of a token", `/auth/token$`, []Form{
		shows("array", "an array of texts", `^scope\[`),
		shows("commas", "a text, joined with commas", `^scope=.*,`),
		shows("spaces", "a text, joined with spaces", `^scope=.*\s`),
	}}
	ExpiresIn = &Question{"expires-in", "4.1", "How the lifetime of a token is written", `/auth/token$`, []Form{
		shows("text", "a text", `^expires_in="`), shows("number", "a number", `^expires_in=\d`),
	}}
	Reset = &Question{"reset", "8", "What RateLimit-Reset counts", "", []Form{
		shows("epoch-ms", "milliseconds since 1970", `^header\.RateLimit-Reset="\d{13}`),
		shows("epoch", "seconds since 1970", `^header\.RateLimit-Reset="\d{10}`),
		shows("seconds", "seconds from now, rounded up", `^header\.RateLimit-Reset="\d`),
		shows("date", "a date of HTTP", `^header\.RateLimit-Reset="[A-Z]`),
	}}
	Envelope = &Question{"envelope", "2.2", "Whether an envelope has fields that are not documented", `…|/console/`, []Form{
		shows("more", "also `meta`, and `error: null` beside `data`", `beside data`),
		shows("documented", "`status` with `data` or `error`", `^data`),
	}}
	Times = &Question{"times", "2.1, 4.21", "How times of the catalog, a package and the ledger are written", `/search$|/points$|/package$`, []Form{
		shows("digits", "the same as a text", `^data.*(createdAt|assignedAt)="\d+"$`),
		shows("text", "RFC 3339", `^data.*(createdAt|assignedAt)="\d+-`),
		shows("milliseconds", "integer milliseconds", `^data.*(createdAt|assignedAt)=\d`),
	}}
	EmailCase = &Question{"email-case", "4.4, 4.16", "The case of stored email addresses", `/private-labels$|/members$`, []Form{
		shows("as-sent", "as sent", `[eE]mail="([^"]*[a-z][^"]*[A-Z]|[^"]*[A-Z][^"]*[a-z])`),
		shows("uppercase", "each letter in uppercase", `[eE]mail="[^"]*[A-Z]`),
	}}
	// The fields of a response are sorted: an omitted array is between two of them.
	EmptyArrays = &Question{"empty-arrays", "2.2", "What an empty array is", `/private-labels$|/:tenantId$|/search$|/points$|/package$|/templates$`, []Form{
		{Name: "omitted", Shown: `^data\.period="[^"]*"\ndata\.provisionedCount=0`},
		{Name: "omitted", Shown: `^method=\w+\n[^\n]*\ndata\.page=\d+\ndata\.pageSize=\d+\ndata\.total=0`},
		{Name: "null", Shown: `^data.*\.(addons|records|templates|items|rows|packages|privateLabels)=null`},
		{Name: "array", Shown: `^data\.\w+=\[\] ^data\.(total|provisionedCount)=0`},
	}}
	NullFields = &Question{"null-fields", "2.2", "What a text, number or time that is null is", `/private-labels$`, []Form{
		shows("null", "null", `^data.*\.(customDomain|suspendedAt|suspendReason)=null`),
		shows("omitted", "omitted", `^data.*\.tenantId=`),
	}}
	FigureFields = &Question{"figure-fields", "2.3", "Whether the list has the figures of private labels", `/private-labels$`, []Form{
		shows("null", "null", `^data.*\.metrics=null`),
		shows("shown", "shown", `^data.*\.metrics\.`),
		shows("omitted", "omitted", `^data.*\.tenantId=`),
	}}
	DetailAddons = &Question{"detail-addons", "2.4", "What the detail of a private label has of add-ons", `/:tenantId$`, []Form{
		shows("shown", "shown", `^data\.assignment\.addons\[\]\.quantity= ^data\.assignment\.addons\[\]\.code=`),
		shows("no-quantity", "without their quantities", `^data\.assignment\.addons\[\]\.code=`),
		shows("no-code", "without their codes", `^data\.assignment\.addons\[\]\.quantity=`),
		shows("shown", "shown", `^data\.assignment\.addons=`),
		shows("omitted", "no field", `^data\.assignment\.packageId=`),
	}}
	PrimaryHost = &Question{"primary-host", "2.3, 2.4", "Which host name primaryHost is", `/private-labels$`, []Form{
		shows("asked", "`primaryHost` is the host name that it was provisioned with", `^data.*\.customDomain=null`),
		shows("platform", "`primaryHost` is a subdomain of the platform, and `customDomain` that host name", `^data.*\.customDomain="`),
	}}
	SuspendedDetail = &Question{"suspended-detail", "3.1, 4", "What the detail of a suspended private label is", `/:tenantId$`, []Form{
		shows("live", "as of any other", `^data\.status="[Ss]uspended"`),
		shows("rejected", "400 INVALID_TARGET: it is not live", `^error\.code="(INVALID_TARGET|FORBIDDEN)"`),
	}}
	RecordName = &Question{"record-name", "2.5", "The name of a DNS record", `/:tenantId$`, []Form{
		shows("dot", "the host name with a final dot; the value of a CNAME has one as well", `^data\.domainSetup\.records\[\]\.name="[^"]*\."`),
		shows("relative", "relative to its domain; `@` for a whole domain", `^data\.domainSetup\.records\[\]\.name="[^".]*"`),
		shows("host", "the host name", `^data\.domainSetup\.records\[\]\.name="`),
	}}
	NoEndpoint = &Question{"no-endpoint", "7.1", "What the API returns for a path without an endpoint", "", []Form{
		shows("envelope", "NOT_FOUND in an envelope", `^status=404 ^error\.code="NOT_FOUND"`),
		shows("json", "a router's own JSON", `^status=404 ^(message|statusCode|path)=`),
		shows("page", "a page", `^status=404`),
	}}
	StatusCase = &Question{"status-case", "2.3, 2.8", "The case of the status of a private label", `/private-labels$`, []Form{
		shows("lower", "`active`, `suspended`", `\.status="(active|suspended)"`),
		shows("documented", "`Active`, `Suspended`", `\.status="(Active|Suspended)"`),
	}}
	LabelFigures = &Question{"label-figures", "2.3, 2.4", "How figures of private labels are written", `/private-labels$`, []Form{
		shows("text", "texts", `^data\.provisionedCount="`), shows("numbers", "numbers", `^data\.provisionedCount=\d`),
	}}
	Rows = &Question{"rows", "4.21", "Where a search has its rows", `/packages/search$`, []Form{
		shows("by-kind", "`data.packages`, `data.addons`; `data.rows` of the ledger", `^data\.packages\[`), // the name of the kind
		{Name: "items", Means: "`data.items`", Names: []string{"items"}, Shown: `^data\.items\[`},
		{Name: "rows", Means: "`data.rows`", Names: []string{"rows"}, Shown: `^data\.rows\[`},
		shows("nested", "`data.packages.rows`; `data.rows.rows` of the ledger", `^data\.packages\.rows\[`),
		{Names: []string{"points", "ledger", "entries", "results", "result", "data", "list"}},
	}}
	SearchRows = &Question{"search-rows", "4.21", "Which fields a row of a search has", `/get$`, []Form{
		shows("summaries", "ID, code, name, currency, active flag and `createdAt`", `^summary=true`),
		shows("whole", "all that `/get` has", `^summary=false`),
	}}
	AddonFields = &Question{"addon-fields", "2.11", "Whether an add-on has a currency and an active flag", `/addons/search$`, []Form{
		shows("full", "yes, like a package", `^data.*\.currency= ^data.*\.(active|isActive|status)=`),
		shows("currency", "a currency only", `^data.*\.currency=`),
		shows("active", "an active flag only", `^data.*\.(active|isActive|status)=`),
		shows("bare", "neither is in a response", `^data.*\.code=`),
	}}
	ItemID = &Question{"item-id", "4.21", "Where the ID of a package is", `/packages/(search|get)$`, []Form{
		shows("nested", "`package.packageId`, with the whole item one level down", `^at=.*search ^data.*\.package\.packageId=`),
		shows("nested-id", "`package.id`, with the whole item one level down", `^at=.*search ^data.*\.package\.id=`),
		shows("nested-alone", "`packageId`, `addonId`; outside of a search, the whole item is one level down", `^at=.*get ^data\.package\.packageId=`),
		{Name: "plain", Means: "`id`", Names: []string{"id"}, Shown: `^at=.*search ^data(\.\w+)*\[\]\.id=`},
		shows("named", "`packageId`, `addonId`", `^data.*\.packageId=`), // the kind's own name of an ID
	}}
	ActiveFlag = &Question{"active-flag", "4.21", "Which field says that a package is active", `/packages/search$`, []Form{
		{Name: "active", Means: "`active`, true or false", Names: []string{"active"}, Shown: `^data.*\.active=`},
		{Name: "is-active", Means: "`isActive`, true or false", Names: []string{"isActive"}, Shown: `^data.*\.isActive=`},
		{Name: "status", Means: "`status` of `Active` and `Inactive`", Names: []string{"status"}, Shown: `^data.*\.status=`},
		shows("none", "in no response; `active` is accepted", `^data.*\.code=`),
	}}
	// A transcript has another word in place of one that is not documented.
	ActiveWord = &Question{"active-word", "4.21", "What the field `status` of a package says", "", []Form{
		{Name: "active", Names: []string{"active", "enabled"}},
		{Name: "inactive", Names: []string{"inactive", "deactivated", "disabled", "archived"}},
	}}
	AssignmentID = &Question{"assignment-id", "2.4, 4.9", "Which field of that read is the ID of the assignment", `/package$`, []Form{
		{Name: "id", Means: "`id`", Names: []string{"id"}, Shown: `^data(\.\w+)?\.id=`},
		{Name: "assignment-id", Means: "`assignmentId`", Names: []string{"assignmentId"}, Shown: `^data(\.\w+)?\.assignmentId=`},
	}}
	AssignmentRead = &Question{"assignment-read", "4.21", "Where the package of a private label is, read by itself", `/package$`, []Form{
		{Name: "assignment", Means: "`data.assignment` as in §2.4", Names: []string{"assignment"}, Shown: `^data\.assignment\.packageId=`},
		{Name: "package", Means: "`data.package`", Names: []string{"package"}, Shown: `^data\.package\.packageId=`},
		shows("bare", "`data` itself", `^data\.packageId=`),
		shows("missing", "404 NOT_FOUND", `^status=404`),
	}}
	AssignmentAddons = &Question{"assignment-addons", "4.21", "Which add-ons that read has", `/package$`, []Form{
		shows("shown", "as in the detail", `^detail\.assignment\.addons\[\]\. ^data.*addons\[\]\.`),
		shows("empty", "an empty list", `^detail\.assignment\.addons\[\]\. ^data.*addons=\[\]`),
		shows("omitted", "no field", `^detail\.assignment\.addons\[\]\. ^data.*packageId=`),
	}}
	NoAssignment = &Question{"no-assignment", "4.21", "What that read returns for a private label without a package", `/package$`, []Form{
		shows("not-assigned", "NOT_ASSIGNED", `^detail\.assignment=null ^error\.code="NOT_ASSIGNED"`),
		shows("null", "null", `^detail\.assignment=null ^data(\.\w+)?=null`),
	}}
	Figures = &Question{"figures", "4.21", "How figures of usage, quota, points and ledger are written", `/usage$|/quota$|/points$|/package$`, []Form{
		{Name: "text", Means: "texts", Shown: figure + `"-?\d`}, {Name: "numbers", Means: "numbers", Shown: figure + `-?\d`},
	}}
	// A figure is read from an object of its name, or from a field of its name in an item: by-code, rows and flat.
	Usage = &Question{"usage", "4.21", "The shape of the usage report", `/usage$`, []Form{
		{
			Name: "totals", Means: "`{period, rows: [{tenantId, primaryHost, documents, …}], totals}`",
			Names: []string{"totals", "used"}, Shown: `^data\.totals[.=]`,
		},
		shows("items", "`{period, items: [{itemCode, used}], rows}`", `^data\.items\[`),
		shows("rows", "`{period, rows}`", `^data\.rows\[`),
		shows("by-code", "`{period, items}`, an object by item code of `{used}`", `^data\.items\.\w+\.used=`),
		shows("flat", "`{period, documents, …}`", `^data\.documents=`),
	}}
	Quota = &Question{"quota", "4.21", "The shape of the quota", `/quota$`, []Form{
		{
			Name: "sections", Means: "`{period, allowance, billed, used, remaining}`, each an object by item code",
			Names: []string{"remaining"}, Shown: `^data\.remaining\.`,
		},
		shows("list", "`{period, items: [{itemCode, allowance, billed, used, remaining}]}`", `^data\.items\[\]\.remaining=`),
		shows("by-code", "`items` is an object by item code", `^data\.items\.\w+\.remaining=`),
		shows("rows", "`{period, rows: [{itemCode, …}]}`", `^data\.rows\[\]\.remaining=`),
		shows("flat", "`{period, documents: {…}, …}`", `^data\.documents\.remaining=`),
	}}
	PointsPool = &Question{"points-pool", "4.21", "The shape of the points pool", `/billing/points$`, []Form{
		shows("flat", "`{granted, used, remaining, writtenAt, renewsAt}`", `^data\.remaining=`),
		shows("nested", "the same in `pool`", `^data\.pool\.remaining=`),
	}}
	Ledger = &Question{"ledger", "4.21", "The figure of a ledger row", `/:tenantId/points$`, []Form{
		shows("amount", "`{id, itemCode, amount, createdAt}`", `^data.*\.amount=`),
		shows("points", "`{id, itemCode, points, type, createdAt}`, never below 0, with a `type` of `Used` or `Returned`", `^data.*\.points=`),
	}}
)

const figure = `^data.*\.(remaining|documents|used)=`

// Requests and responses of the Signing API.
var (
	SentMethod = &Question{"sent-method", "Signing 4.2", "Which method has the sent documents", `^sent`, []Form{
		{Name: "post", Means: "POST, with `domain` in the body", Method: http.MethodPost, Shown: `^method=POST ^data`},
		{Name: "get", Means: "GET, with `domain` in the query", Method: http.MethodGet, Shown: `^method=GET ^data`},
		{Method: http.MethodGet, Bare: true}, // a gateway may reject a GET with a body
	}}
	// The path that is documented is one of family A, in both.
	SentPath = &Question{"sent-documents", "Signing 4.2", "Where family B has sent documents", `^sent`, []Form{
		{Name: "family-a", Means: "at the path of family A", Path: "/signing/view/sent-documents", Shown: `^sent-to=/signing/ ^data`},
		{Name: "documents", Means: "below `/signing-api/documents`", Path: "/signing-api/documents/sent", Shown: `^sent-to=/signing-api/documents/ ^data`},
		{Name: "view", Means: "below `/signing-api/view`", Path: "/signing-api/view/sent-documents", Shown: `^sent-to=/signing-api/view/ ^data`},
	}}
	SigningRows = &Question{"signing-rows", "Signing 4.2, 4.5", "Where sent documents and stored signatures are", `^sent|^stored`, []Form{
		shows("two-lists", "`data.documents`, `data.signatures`, with an empty `data.shared` beside it", `^data\.(signatures|documents)(\[|=\[|=null) ^data\.shared`),
		{
			Name: "named", Means: "`data.documents`, `data.signatures`",
			Names: []string{"signatures", "signatureList"}, Shown: `^data\.(signatures|documents)(\[|=\[)`,
		},
		{
			Name: "by-id", Means: "the same, each an object by ID",
			Names: []string{"signatures", "signatureList", "documents", "sentDocuments"}, Shown: `^data\.(signatures|documents)(\.|=\{)`,
		},
		shows("bare", "`data` is the array", `^data(\[|=\[)`),
	}}
	SignatureRow = &Question{"signature-row", "Signing 4.5", "What an entry of the stored signatures is", `^stored`, []Form{
		shows("odd", "the first one has no ID", `^odd=true`),
		{Name: "object", Means: "`{id, type}`", Names: []string{"id", "signatureId"}, Shown: `^data.*\.id=`},
		shows("text", "the ID", `^data[^=]*="`),
	}}
	// No read shows how an upload, a view and a mint are answered.
	SigningResult = &Question{"signing-result", "Signing 4.1", "Where the response to an upload has the document's ID", "", []Form{
		{Name: "flat", Names: []string{"docId", "documentId", "id"}}, {Name: "nested", Names: []string{"result", "document"}},
	}}
)

// IsShown reports whether a response can answer the question.
func (q *Question) IsShown() bool {
	return slices.ContainsFunc(q.Forms, func(f Form) bool { return f.Shown != "" })
}

// Questions are all of them, in the order of the documents.
var Questions = []*Question{
	Envelope, EmptyArrays, NullFields, FigureFields, LabelFigures, DetailAddons, StatusCase, SuspendedDetail, PrimaryHost, RecordName, NoEndpoint,
	ExpiresIn, ScopeList, Reset, EmailCase, Get, Update, UpdateBody, Removal, RemovalID, Rows, SearchRows, AddonFields, ItemID, ActiveFlag, ActiveWord,
	AssignmentRead, AssignmentID, AssignmentAddons, NoAssignment, Times, Figures, Usage, Quota, PointsPool, Ledger,
	SentMethod, SentPath, SigningRows, SignatureRow, SigningResult,
}
