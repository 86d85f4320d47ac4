package contact

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// question is one that the API documentation leaves open and that a read answers. Names and forms are those of
// `simulate -forms`, so that a transcript chooses the forms of a simulator.
type question struct {
	name, text string
	at         []*endpoint
	forms      []form // the first that any response has
}

// form is an answer and what a response has then: places (see has), all of them.
type form struct{ name, shown string }

var (
	figured = []*endpoint{usage, quota, points, ledger, assignment}
	timed   = []*endpoint{packages, addons, ledger, assignment}
)

var questions = []question{
	{"scope-list", "How scope joins the scopes of a token", []*endpoint{exchange}, []form{{"commas", "data.scope=commas"}, {"spaces", "data.scope=spaces"}}},
	{"reset", "What RateLimit-Reset counts", endpoints[1:], []form{
		{"epoch-ms", "header.RateLimit-Reset=millis"}, {"epoch", "header.RateLimit-Reset=seconds"}, {"seconds", "header.RateLimit-Reset=digits"},
	}},
	{"envelope", "Whether an envelope has fields that are not documented", endpoints[1:], []form{{"more", "extra[]"}, {"documented", "data"}}},
	{"times", "How times of the catalog, a package and the ledger are written", timed, []form{
		{"digits", "data.**.createdAt=digits"},
		{"digits", "data.**.assignedAt=digits"},
		{"text", "data.**.createdAt=text"},
		{"text", "data.**.assignedAt=text"},
		{"milliseconds", "data.**.createdAt=number"},
		{"milliseconds", "data.**.assignedAt=number"},
	}},
	{"email-case", "The case of stored email addresses", []*endpoint{list, members}, []form{
		{"as-sent", "data.**.email=mixed"}, {"as-sent", "data.**.adminEmail=mixed"}, {"uppercase", "data.**.email=upper"},
	}},
	{"get", "Which method reads one package or add-on", []*endpoint{onePackage, oneAddon}, []form{{"post", "method=POST data"}, {"query", "method=GET data"}}},
	{"rows", "Where a search has its rows", []*endpoint{packages}, []form{
		{"by-kind", "data.packages[]"}, {"items", "data.items[]"}, {"rows", "data.rows[]"}, {"nested", "data.packages.rows[]"},
	}},
	{"search-rows", "Which fields a row of a search has", []*endpoint{onePackage, oneAddon}, []form{{"summaries", "lacks[]"}, {"whole", "lacks"}}},
	{"addon-fields", "Whether an add-on has a currency and an active flag", []*endpoint{addons}, []form{
		{"full", "data.**.currency"}, {"full", "data.**.active"}, {"full", "data.**.isActive"}, {"full", "data.**.status"}, {"bare", "data.**.code"},
	}},
	{"item-id", "Where the ID of a package is", []*endpoint{packages}, []form{
		{"nested", "data.**.package.packageId"}, {"named", "data.**.packageId"}, {"plain", "data.**.id"},
	}},
	{"active-flag", "Which field says that a package is active", []*endpoint{packages}, []form{
		{"active", "data.**.active"}, {"is-active", "data.**.isActive"}, {"status", "data.**.status"},
	}},
	{"assignment-read", "Where the package of a private label is, read by itself", []*endpoint{assignment}, []form{
		{"assignment", "data.assignment.packageId"}, {"package", "data.package.packageId"}, {"bare", "data.packageId"}, {"missing", "status=404 code=NOT_FOUND"},
	}},
	{"assignment-addons", "Which add-ons that read has", []*endpoint{assignment}, []form{
		{"shown", "detail.assignment.addons[] data.**.addons[]"},
		{"empty", "detail.assignment.addons[] data.**.addons=list"},
		{"omitted", "detail.assignment.addons[] data.**.packageId"},
	}},
	{"no-assignment", "What that read returns for a private label without a package", []*endpoint{assignment}, []form{
		{"not-assigned", "detail.assignment=null code=NOT_ASSIGNED"}, {"null", "detail.assignment=null data=null"}, {"null", "detail.assignment=null data.*=null"},
	}},
	{"figures", "How figures of usage, quota, points and ledger are written", figured, []form{
		{"text", "data.**.remaining=digits"},
		{"text", "data.**.documents=digits"},
		{"text", "data.**.used=digits"},
		{"numbers", "data.**.remaining=number"},
		{"numbers", "data.**.documents=number"},
		{"numbers", "data.**.used=number"},
	}},
	{"usage", "The shape of the usage report", []*endpoint{usage}, []form{{"totals", "data.totals=object"}, {"items", "data.items[]"}, {"rows", "data.rows[]"}}},
	{"quota", "The shape of the quota", []*endpoint{quota}, []form{
		{"list", "data.items[].remaining"}, {"by-code", "data.items.*.remaining"}, {"sections", "data.remaining=object"},
	}},
	{"points-pool", "The shape of the points pool", []*endpoint{points}, []form{{"flat", "data.remaining"}, {"nested", "data.pool.remaining"}}},
	{"ledger", "The figure of a ledger row", []*endpoint{ledger}, []form{{"amount", "data.**.amount"}, {"points", "data.**.points"}}},
	{"sent-method", "Which method has the sent documents", []*endpoint{sentDocuments}, []form{{"post", "method=POST data"}, {"get", "method=GET data"}}},
	{"signing-rows", "Where sent documents and stored signatures are", []*endpoint{signatures, sentDocuments}, []form{
		{"named", "data.signatures=list"}, {"named", "data.documents=list"}, {"bare", "data=list"},
	}},
}

// answers returns the form of each question that the responses answer.
func (c *check) answers() map[string]string {
	out := map[string]string{}
	for _, q := range questions {
		at := slices.IndexFunc(q.forms, func(f form) bool {
			return slices.ContainsFunc(c.facts, func(fact fact) bool { return slices.Contains(q.at, fact.endpoint) && fact.shows(f.shown) })
		})
		if at >= 0 {
			out[q.name] = q.forms[at].name
		}
	}
	return out
}

// fact is a response with what a question may ask about it.
type fact struct {
	endpoint *endpoint
	has      map[string]any
}

// note keeps a response for the questions. data is nil for none.
func (c *check) note(e *endpoint, x Exchange, data json.RawMessage) {
	header := map[string]any{}
	for name, value := range x.Response.Header {
		header[name] = value
	}
	has := map[string]any{
		"method": x.Request.Method, "path": x.Request.Path, "status": strconv.Itoa(x.Response.Status), "header": header,
		"code": client.ReadObject(client.ReadObject(x.Response.Body)["error"]).Text("code"),
	}
	if data != nil {
		has["data"] = plain(data)
	}
	for name := range client.ReadObject(x.Response.Body) {
		if name != "status" && name != "data" && name != "error" {
			has["extra"] = []any{name}
		}
	}
	c.facts = append(c.facts, fact{e, has})
}

// add adds something to the responses since a number of them.
func (c *check) add(since int, name string, value any) {
	for _, fact := range c.facts[since:] {
		fact.has[name] = value
	}
}

func plain(raw json.RawMessage) (v any) {
	_ = json.Unmarshal(raw, &v) // it is part of JSON
	return v
}

func (f fact) shows(places string) bool {
	for place := range strings.FieldsSeq(places) {
		if !has(f.has, strings.Split(place, ".")) {
			return false
		}
	}
	return true
}

// has reports whether a value has a place, a path of names. `*` is any name and `**` any number of them, also through
// lists; `name[]` is a list that is not empty, and `name=x` a value of the kind x, or the text x.
func has(value any, place []string) bool {
	if len(place) == 0 {
		return true
	}
	step, rest := place[0], place[1:]
	fields, _ := value.(map[string]any)
	elements, _ := value.([]any)
	if step == "**" {
		return has(value, rest) || slices.ContainsFunc(elements, func(v any) bool { return has(v, place) }) ||
			slices.ContainsFunc(slices.Collect(maps.Values(fields)), func(v any) bool { return has(v, place) })
	}
	name, kind, hasKind := strings.Cut(step, "=")
	name, isList := strings.CutSuffix(name, "[]")
	for field, inner := range fields {
		rows, _ := inner.([]any)
		switch {
		case name != "*" && name != field, hasKind && !is(inner, kind), isList && len(rows) == 0:
		case isList && len(rest) > 0:
			return slices.ContainsFunc(rows, func(row any) bool { return has(row, rest) })
		case has(inner, rest):
			return true
		}
	}
	return false
}

// is reports whether a value is of a kind, or is a text.
func is(value any, kind string) bool {
	const epochSeconds, epochMillis = 1e9, 1e12
	text, isText := value.(string)
	number, err := strconv.ParseFloat(text, 64)
	switch kind {
	case "digits":
		return isText && err == nil
	case "seconds", "millis":
		return err == nil && number >= map[string]float64{"seconds": epochSeconds, "millis": epochMillis}[kind]
	case "commas", "spaces":
		return strings.Contains(text, map[string]string{"commas": ",", "spaces": " "}[kind])
	case "lower", "upper", "mixed":
		lower, upper := text == strings.ToLower(text), text == strings.ToUpper(text)
		return isText && kind == map[[2]bool]string{{true, false}: "lower", {false, true}: "upper", {false, false}: "mixed"}[[2]bool{lower, upper}]
	}
	return kind == kindOf(value) || isText && kind == text
}

// lacking returns the fields of an item that its row in a search does not have.
func lacking(search, whole json.RawMessage, id string) (missing []any) {
	row := string(search)
	for name := range deepest(whole, id) {
		if !strings.Contains(row, `"`+name+`"`) {
			missing = append(missing, name)
		}
	}
	return missing
}

// deepest returns the object that has a value, at any depth.
func deepest(data json.RawMessage, value string) client.Object {
	fields := client.ReadObject(data)
	for _, name := range sorted(fields) {
		if inner := deepest(fields[name], value); inner != nil {
			return inner
		}
		if fields.Text(name) == value {
			return fields
		}
	}
	return nil
}
