package simulator_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// The rows of the Reseller API Specification, in its order.
func TestResellerAPISpecification(t *testing.T) {
	t.Parallel()
	checkTable(t, "reseller-api")
}

// The rows of the Signing API Specification, in its order and for both path families.
func TestSigningAPISpecification(t *testing.T) {
	t.Parallel()
	for name, paths := range families {
		t.Run("family "+name, func(t *testing.T) {
			t.Parallel()
			checkTable(t, "signing-api", func(w *world) { maps.Copy(w.names, paths) })
		})
	}
}

// What each call adds to the books; a call without effects changes no lasting data, and the books are lasting data.
func TestBooks(t *testing.T) {
	t.Parallel()
	checkTable(t, "books", func(w *world) {
		maps.Copy(w.names, families["B"])
		w.books = true
	})
}

// What `simulate do` does in the simulator, and why it does not; on a file and by URL alike (TestDoMovesAFileAndAServer).
func TestDo(t *testing.T) {
	t.Parallel()
	checkTable(t, "do")
}

// What processes see of one another in a data file.
func TestProcessesSeeOneAnother(t *testing.T) {
	t.Parallel()
	checkTable(t, "file")
}

// families are the paths of the two families, and what an upload answers in each.
var families = map[string]map[string]string{
	"A": {
		"upload": "/signing/upload", "sign": "/signing/sign", "view": "/signing/view-document", "signatures": "/signing/signature-list",
		"uploaded": `{"message":"<text>","docId":"<id>"}`,
	},
	"B": {
		"upload": "/signing-api/documents", "sign": "/signing-api/documents/update", "view": "/signing-api/documents/view",
		"signatures": "/signing-api/signatures/list", "uploaded": `{"result":{"message":"<text>","docId":"<id>"}}`,
	},
}

// row is a call of a table under testdata, its response and its changes; reseller-api.txt explains how to read them.
type row struct{ place, section, given, call, whole, body, want, changes string }

var callPattern = regexp.MustCompile(`(?s)^(DO .*|(?:FORM|GET|POST|PUT|PATCH|DELETE)(?::\S*)? \S+)(?: (.*))?$`)

// rowsOf reads a table.
func rowsOf(t *testing.T, name string) (rows []row) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var section, whole, given, idle string
	var names []string
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		for _, more := range lines[i+1:] {
			if !strings.HasPrefix(more, "    ") {
				break
			}
			line += " " + strings.TrimSpace(more)
		}
		line = strings.NewReplacer(names...).Replace(line)
		place := fmt.Sprintf("%s:%d", file, i+1)
		kind, rest, _ := strings.Cut(line, " ")
		switch {
		case kind == "//", strings.HasPrefix(line, "    "):
		case line == "":
			require.Empty(t, idle, "no row has what is given")
			given = ""
		case kind == "#":
			section, whole = rest, ""
		case kind == "body":
			whole = rest
		case kind == "given":
			given, idle = rest, place
		case strings.HasPrefix(line, "{"):
			name, value, _ := strings.Cut(line, " = ")
			names = append(names, name, value)
		case strings.HasPrefix(line, "  -> "):
			rows[len(rows)-1].want = line[len("  -> "):]
		case strings.HasPrefix(line, "  "):
			rows[len(rows)-1].changes += ", " + line[len("  "):]
		default:
			left, want, _ := strings.Cut(line, " -> ")
			call := callPattern.FindStringSubmatch(left)
			require.NotNil(t, call, "%s: a row begins with a call, not with %s", place, line)
			rows = append(rows, row{place: place, section: section, given: given, call: call[1], whole: whole, body: call[2], want: want})
			idle = ""
		}
	}
	return rows
}

// wanted is the body of a response that a row wants.
func (w *world) wanted(want string, got *reply) (status string, body any) {
	w.t.Helper()
	status, rest, _ := strings.Cut(strings.ReplaceAll(want, "…", `"…":0`), " ")
	code, _, _ := strings.Cut(rest, " ")
	var out any
	switch {
	case strings.HasPrefix(rest, "{"), strings.HasPrefix(rest, "["):
		require.NoError(w.t, json.Unmarshal([]byte(w.fill(rest)), &out), want)
		out = object{"status": "OK", "data": out}
	case code == "=":
		require.NoError(w.t, json.Unmarshal([]byte(w.fill(rest[1:])), &out), want)
	case code == "~", status == "error":
		assert.Contains(w.t, got.raw, strings.TrimPrefix(rest, "~ "), want)
		return status, got.body
	case rest == "": // anything
		return status, got.body
	case code == strings.ToLower(code):
		out = object{"error": code}
	default:
		out = object{"status": map[bool]string{true: "Fail", false: "Err"}[status == "500"], "error": object{"code": code, "message": "<text>"}}
	}
	return status, w.matched(out, got.body)
}

// matched is what is wanted, with the values of got for the patterns that they match.
func (w *world) matched(want, got any) any {
	switch want := want.(type) {
	case object:
		out := object{}
		if _, more := want["…"]; more {
			out = maps.Clone(as[object](got))
		}
		for name, value := range want {
			switch {
			case value == "<none>":
				delete(out, name)
			case name != "…":
				out[name] = w.matched(value, as[object](got)[name])
			}
		}
		return out
	case []any:
		out := []any{}
		for i, value := range want {
			var other any
			if list := as[[]any](got); i < len(list) {
				other = list[i]
			}
			out = append(out, w.matched(value, other))
		}
		return out
	case string:
		text := as[string](got)
		expression, isExpression := strings.CutPrefix(want, "/")
		switch {
		case want == "<now>":
			return float64(w.sim.Clock().Now().UnixMilli())
		case want == fmt.Sprintf("<%d rows>", len(as[[]any](got))),
			want == "<id>" && id32.MatchString(text),
			want == "<text>" && text != "",
			isExpression && regexp.MustCompile(strings.TrimSuffix(expression, "/")).MatchString(text):
			return got
		}
	}
	return want
}

// merged is JSON with the fields of a merge patch.
func merged(t *testing.T, body, patch string) string {
	t.Helper()
	var into, from object
	require.NoError(t, json.Unmarshal([]byte(body), &into), body)
	require.NoError(t, json.Unmarshal([]byte(patch), &from), patch)
	raw, err := json.Marshal(merge(into, from))
	require.NoError(t, err)
	return string(raw)
}

func merge(into, from object) object {
	for name, value := range from {
		part, whole := value.(object)
		old, has := into[name].(object)
		switch {
		case value == nil:
			delete(into, name)
		case whole && has:
			into[name] = merge(old, part)
		default:
			into[name] = value
		}
	}
	return into
}

// check runs the row, and reports each difference with its place.
func (r row) check(t *testing.T, opts simulator.Options, prepare ...func(*world)) {
	t.Helper()
	w := newWorld(t, opts, r.given, prepare...)
	before, lasting, body := w.facts(), w.sim.Lasting(), r.body
	if patch, found := strings.CutPrefix(body, "with "); found {
		body = merged(t, w.fill(r.whole), w.fill(patch))
	}
	got := w.ask(r.call, body)
	place := fmt.Sprintf("%s: %s %s\ngiven %q\nanswers %d %s", r.place, r.call, body, r.given, got.status, got.raw)
	response, headers, _ := strings.Cut(r.want, " | ")
	status, want := w.wanted(response, got)
	answered, _, _ := strings.Cut(cmp.Or(strings.TrimPrefix(fmt.Sprint(got.status), "0"), got.raw), " ")
	assert.Equal(t, status, answered, place)
	assert.Equal(t, want, any(got.body), place)
	for header := range strings.SplitSeq(headers, ", ") {
		name, value, _ := strings.Cut(header, " ")
		if expression, isExpression := strings.CutPrefix(value, "/"); isExpression {
			assert.Regexp(t, strings.TrimSuffix(expression, "/"), got.header.Get(name), place)
			continue
		}
		assert.Equal(t, value, strings.ReplaceAll(got.header.Get(name), ", ", "; "), place)
	}
	changed := strings.Split(w.fill(r.changes), ", ")[1:]
	assert.ElementsMatch(t, slices.DeleteFunc(changed, func(c string) bool { return c == "…" }), changes(before, w.facts()), place)
	if strings.Contains(r.changes, "+email ") {
		mails := w.sim.Outbox()
		assert.Equal(t, w.sim.Clock().Now(), mails[len(mails)-1].Time, place)
	}
	assert.Equal(t, r.changes == "", lasting == w.sim.Lasting(), "lasting data: %s", place)
}

// checkTable runs each row of a table with a world of its own, which is prepared. Every other row calls it over HTTP.
func checkTable(t *testing.T, name string, prepare ...func(*world)) {
	t.Helper()
	for i, r := range rowsOf(t, name) {
		t.Run(fmt.Sprintf("%s/%s", r.section, filepath.Base(r.place)), func(t *testing.T) {
			t.Parallel()
			var opts simulator.Options
			if name == "file" {
				opts.File = dataFile(t)
			}
			r.check(t, opts, append(prepare, func(w *world) {
				if i%2 == 1 {
					served := overHTTP(t, w.sim)
					w.doer, w.base = served.doer, served.base
				}
			})...)
		})
	}
}
