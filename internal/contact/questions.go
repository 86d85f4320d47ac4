package contact

import (
	"regexp"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
)

// question is one that the API documentation leaves open and that a read answers. Names and forms are those of
// `simulate -forms`, so that a transcript chooses the forms of a simulator.
type question struct {
	name, text string
	at         string // pattern of the endpoints
	forms      []form // the first that any response has
}

// form is an answer, and the patterns of the lines that a response has then.
type form struct{ name, lines string }

const figure = `^data.*\.(remaining|documents|used)=`

var questions = []question{
	{"scope-list", "How scope joins the scopes of a token", `/auth/token$`, []form{{"commas", `^scope=.*,`}, {"spaces", `^scope=.*\s`}}},
	{"reset", "What RateLimit-Reset counts", ``, []form{
		{"epoch-ms", `^header\.RateLimit-Reset="\d{13}`},
		{"epoch", `^header\.RateLimit-Reset="\d{10}`},
		{"seconds", `^header\.RateLimit-Reset="\d`},
		{"date", `^header\.RateLimit-Reset="[A-Z]`},
	}},
	{"envelope", "Whether an envelope has fields that are not documented", `…|/console/`, []form{{"more", `beside data`}, {"documented", `^data`}}},
	{"times", "How times of the catalog, a package and the ledger are written", `/search$|/points$|/package$`, []form{
		{"digits", `(createdAt|assignedAt)="\d+"$`}, {"text", `(createdAt|assignedAt)="\d+-`}, {"milliseconds", `(createdAt|assignedAt)=\d`},
	}},
	{"email-case", "The case of stored email addresses", `/private-labels$|/members$`, []form{
		{"as-sent", `[eE]mail="([^"]*[a-z][^"]*[A-Z]|[^"]*[A-Z][^"]*[a-z])`}, {"uppercase", `[eE]mail="[^"]*[A-Z]`},
	}},
	{"get", "Which method reads one package or add-on", `/get$`, []form{{"post", `^method=POST ^data`}, {"query", `^method=GET ^data`}}},
	{"rows", "Where a search has its rows", `/packages/search$`, []form{
		{"by-kind", `^data\.packages\[`}, {"items", `^data\.items\[`}, {"rows", `^data\.rows\[`}, {"nested", `^data\.packages\.rows\[`},
	}},
	{"search-rows", "Which fields a row of a search has", `/get$`, []form{{"summaries", `^summary=true`}, {"whole", `^summary=false`}}},
	{"addon-fields", "Whether an add-on has a currency and an active flag", `/addons/search$`, []form{
		{"full", `^data.*\.(currency|active|isActive|status)=`}, {"bare", `^data.*\.code=`},
	}},
	{"item-id", "Where the ID of a package is", `/packages/search$`, []form{
		{"nested", `^data.*\.package\.packageId=`}, {"named", `^data.*\.packageId=`}, {"plain", `^data.*\.id=`},
	}},
	{"active-flag", "Which field says that a package is active", `/packages/search$`, []form{
		{"active", `^data.*\.active=`}, {"is-active", `^data.*\.isActive=`}, {"status", `^data.*\.status=`},
	}},
	{"assignment-read", "Where the package of a private label is, read by itself", `/package$`, []form{
		{"assignment", `^data\.assignment\.packageId=`},
		{"package", `^data\.package\.packageId=`},
		{"bare", `^data\.packageId=`},
		{"missing", `^status=404 ^error\.code="NOT_FOUND"`},
	}},
	{"assignment-addons", "Which add-ons that read has", `/package$`, []form{
		{"shown", `^detail\.assignment\.addons\[\]\. ^data.*addons\[\]\.`},
		{"empty", `^detail\.assignment\.addons\[\]\. ^data.*addons=\[\]`},
		{"omitted", `^detail\.assignment\.addons\[\]\. ^data.*packageId=`},
	}},
	{"no-assignment", "What that read returns for a private label without a package", `/package$`, []form{
		{"not-assigned", `^detail\.assignment=null ^error\.code="NOT_ASSIGNED"`}, {"null", `^detail\.assignment=null ^data(\.\w+)?=null`},
	}},
	{"figures", "How figures of usage, quota, points and ledger are written", `/usage$|/quota$|/points$|/package$`, []form{
		{"text", figure + `"-?\d`}, {"numbers", figure + `-?\d`},
	}},
	{"usage", "The shape of the usage report", `/usage$`, []form{{"totals", `^data\.totals[.=]`}, {"items", `^data\.items\[`}, {"rows", `^data\.rows\[`}}},
	{"quota", "The shape of the quota", `/quota$`, []form{
		{"list", `^data\.items\[\]\.remaining=`}, {"by-code", `^data\.items\.\w+\.remaining=`}, {"sections", `^data\.remaining\.`},
	}},
	{"points-pool", "The shape of the points pool", `/billing/points$`, []form{{"flat", `^data\.remaining=`}, {"nested", `^data\.pool\.remaining=`}}},
	{"ledger", "The figure of a ledger row", `/:tenantId/points$`, []form{{"amount", `^data.*\.amount=`}, {"points", `^data.*\.points=`}}},
	{"sent-method", "Which method has the sent documents", `^sent`, []form{{"post", `^method=POST ^data`}, {"get", `^method=GET ^data`}}},
	{"signing-rows", "Where sent documents and stored signatures are", `^sent|^stored`, []form{
		{"named", `^data\.(signatures|documents)(\[|=\[)`}, {"bare", `^data(\[|=\[)`},
	}},
}

// answers returns the form of each question that the responses answer.
func (c *check) answers() map[string]string {
	out := map[string]string{}
	for _, q := range questions {
		at := regexp.MustCompile(q.at)
		i := slices.IndexFunc(q.forms, func(f form) bool {
			lines := []*regexp.Regexp{}
			for line := range strings.FieldsSeq(f.lines) {
				lines = append(lines, regexp.MustCompile("(?m)"+line))
			}
			return slices.ContainsFunc(c.facts, func(fact fact) bool {
				return at.MatchString(fact.endpoint) &&
					!slices.ContainsFunc(lines, func(line *regexp.Regexp) bool { return !line.MatchString(fact.lines) })
			})
		})
		if i >= 0 {
			out[q.name] = q.forms[i].name
		}
	}
	return out
}

// fact is a response as lines, one for each value: `data.rows[].id="9"`.
type fact struct{ endpoint, lines string }

// note keeps the responses of an endpoint for the questions, with their differences from the API documentation.
func (c *check) note(e *endpoint, exchanges []Exchange, l look) {
	for _, x := range exchanges {
		if x.Response == nil {
			continue
		}
		lines := []string{"method=" + x.Request.Method, c.aside}
		for _, line := range linesOf("", plain(encoded(x.Response))) {
			lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(line, ".body"), "."))
		}
		if e.name == label {
			c.details[c.label] = "detail" + strings.Join(linesOf("", plain(anyjson.ReadObject(x.Response.Body)["data"])), "\ndetail")
		}
		c.facts = append(c.facts, fact{e.name, strings.Join(append(lines, l.notes()...), "\n")})
	}
}

// linesOf lists the values below a value, each with its place.
func linesOf(at string, value any) (out []string) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range sorted(v) {
			out = append(out, linesOf(at+"."+name, v[name])...)
		}
	case []any:
		for _, element := range v {
			out = append(out, linesOf(at+"[]", element)...)
		}
	}
	if out == nil {
		out = []string{at + "=" + string(encoded(value))}
	}
	return out
}
