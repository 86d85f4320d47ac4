package simulator_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image/png"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// The rows of the Reseller API Specification, in its order.
func TestResellerAPISpecification(t *testing.T) {
	t.Parallel()
	checkTable(t, "reseller-api", func(*world) {})
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
	checkTable(t, "do", func(*world) {})
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
	names, lines := []string{"{crlf}", "\r\n"}, strings.Split(string(text), "\n")
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

// world is a simulator with everything that rows need: the private label of client with its owner Ada, an allowance of
// 100 documents and 10 seats, packages and add-ons, and private labels that are no longer the reseller's or never were.
type world struct {
	*caller
	names   map[string]string
	other   *caller // of another reseller
	signing string  // the key of the Signing API
	books   bool    // whether the facts are the books

	annotations []string // IDs, in the order in which they were met
}

func newWorld(t *testing.T, forms simulator.Forms) *world {
	t.Helper()
	s := newShop(t, forms)
	w := &world{caller: s.caller, names: map[string]string{"reseller": resellerPath, "label": s.label, "id": s.id, "none": nobodyID}}
	for _, n := range []int{255, 256, 500, 501, 5000} {
		w.names[fmt.Sprint("x", n)] = strings.Repeat("ü", n)
	}
	w.other = s.otherReseller()
	w.other.post("/console/other.example/reseller/private-labels", order("sign.foreign.example")).data()
	w.made(s.sim.AddReseller("deleted.example"))
	require.NoError(t, s.sim.DeleteReseller("deleted.example"))
	for _, host := range []string{"sign.moved.example", "sign.gone.example"} {
		_, path := s.provision(host)
		w.names[strings.Split(host, ".")[1]] = path
	}
	require.NoError(t, s.sim.MoveAway("sign.moved.example"))
	require.NoError(t, s.sim.DeprovisionInConsole("sign.gone.example"))
	w.names["key"], w.names["keyID"] = s.sim.APIKey(), strings.Split(s.sim.APIKey(), "_")[2]
	w.names["dots260"], w.names["2000 spaces"] = strings.Repeat("a.", 130), strings.Repeat(" ", 2000)
	w.names["a62"], w.names["a56"] = strings.Repeat("a", 62), strings.Repeat("a", 56)
	for _, n := range []int{20, 21} {
		for i := range n {
			w.names[fmt.Sprint("links", n)] += fmt.Sprintf(`"social%d":"https://social.example/client",`, i)
		}
	}
	w.names["user"] = s.sim.SigningUserEmail()
	for i, id := range slices.Concat(s.sim.Signatures(w.names["user"]), s.sim.Signatures(ada)) {
		w.names[fmt.Sprint("signature", i)] = id
	}
	w.signing = s.sim.SigningAPIKey()
	w.names["signingKey"], w.names["lastFour"] = w.signing, s.sim.APIKey()[len(s.sim.APIKey())-4:]
	sum := sha256.Sum256(newPDF(2000))
	w.names["sum"] = hex.EncodeToString(sum[:])
	w.facts()
	return w
}

// states are steps that need more than words.
var states = map[string]func(w *world) error{
	"another reseller": func(w *world) error { w.caller = w.other; return nil },
	"bob":              func(w *world) error { w.addBob(w.names["label"]); return nil },
	"second label":     func(w *world) error { _, w.names["second"] = w.provision("sign.second.example"); return nil },
}

var timesStep = regexp.MustCompile(`^(\d+) times (.*)`)

// step makes a part of a row's given.
func (w *world) step(step string) error {
	w.t.Helper()
	defer func() { w.facts() }() // names
	if many := timesStep.FindStringSubmatch(step); many != nil {
		n, err := strconv.Atoi(many[1])
		for range n {
			if verb := many[2][:2]; verb == strings.ToUpper(verb) {
				w.ask(callOf(many[2]))
				continue
			}
			require.NoError(w.t, w.step(many[2]))
		}
		return err
	}
	verb, rest, _ := strings.Cut(step, " ")
	switch state := states[step]; {
	case state != nil:
		return state(w)
	case verb == "form":
	case verb == "try":
		w.ask(callOf(rest))
	case verb == "wait":
		d, err := time.ParseDuration(rest)
		w.sim.Clock().Advance(d)
		return err
	case verb == "as":
		w.caller = w.withScopes(strings.Fields(rest)...)
	case verb == "token":
		w.caller, w.signing = w.with(w.fill(rest)), w.fill(rest)
	case verb[:2] == strings.ToUpper(verb[:2]): // a method of HTTP
		got := w.ask(callOf(step))
		require.Less(w.t, got.status, http.StatusBadRequest, "%s answers %s", step, got.raw)
		data := as[object](got.body["data"])
		for _, from := range []any{data, data["package"]} {
			if key, asked := as[object](as[object](from)["confirmation"])["key"].(string); asked {
				w.names["confirmation"] = key
			}
		}
	case strings.ToLower(verb) != verb:
		return w.move(verb, strings.Fields(w.fill(rest)))
	default:
		words := strings.Fields(w.fill(step))
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "_", " ") // in the name of a route
		}
		return w.sim.Do(words...)
	}
	return nil
}

// callOf are the call and the body of a step.
func callOf(step string) (call, body string) {
	parts := strings.SplitN(step, " ", 3)
	return strings.Join(parts[:2], " "), strings.Join(parts[2:], "")
}

// move calls a method of the simulator; its result has the name of the method.
func (w *world) move(method string, words []string) error {
	w.t.Helper()
	f := reflect.ValueOf(w.sim).MethodByName(method)
	require.True(w.t, f.IsValid(), "no move has the name %s", method)
	var in []reflect.Value
	for i, word := range words {
		kind := f.Type().In(min(i, f.Type().NumIn()-1))
		if kind.Kind() == reflect.Slice {
			kind = kind.Elem()
		}
		value := reflect.New(kind)
		if kind.Kind() == reflect.String {
			value.Elem().SetString(word)
		} else {
			require.NoError(w.t, json.Unmarshal([]byte(word), value.Interface()), word)
		}
		in = append(in, value.Elem())
	}
	for _, out := range f.Call(in) {
		switch out := out.Interface().(type) {
		case string:
			w.names[method] = out
		case error:
			return out
		}
	}
	return nil
}

// ask makes a call at the address of its path.
func (w *world) ask(call, body string) *reply {
	w.t.Helper()
	method, path, _ := strings.Cut(w.fill(call), " ")
	method, contentType, typed := strings.Cut(method, ":")
	body = w.fill(body)
	c := *w.caller
	inProcess := c.base == simulator.BaseURL
	if strings.HasPrefix(path, "/signing") {
		c.token = w.signing
		if inProcess {
			c.base = simulator.SigningURL
		}
	}
	switch {
	case method == "DO":
		if err := w.step(path); err != nil {
			return &reply{raw: "error " + err.Error()}
		}
		return &reply{raw: "done"}
	case method == "FORM":
		sent, contentType := formOf(w.t, body).encode(w.t)
		if strings.HasPrefix(path, logosPath) {
			return uploadBody(&c, sent, contentType)
		}
		return c.call(path, sent, contentType)
	case typed:
		return c.call(path, body, contentType)
	case body == "":
		return c.do(method, path, nil)
	}
	return c.do(method, path, body)
}

var filePattern = regexp.MustCompile(`^<(pdf|png|gif|jpeg|svg|text) ?(\d+)?(?:x(\d+))?(?: of (\d+))?( as (.*))?>$`)

// formOf is a form of the fields of JSON, where texts stand for files: "<png 4x4 of 100 as image/png>" with its bytes and
// its type, "file:TEXT", and "bytes:TEXT" with a byte for each character.
func formOf(t *testing.T, body string) (f form) {
	t.Helper()
	var fields object
	require.NoError(t, json.Unmarshal([]byte(body), &fields), body)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		text, _ := fields[name].(string)
		file := filePattern.FindStringSubmatch(text)
		kind, content, _ := strings.Cut(text, ":")
		switch {
		case kind == "file":
			f = f.and(name, []byte(content))
		case kind == "bytes":
			raw := []byte{}
			for _, char := range content {
				raw = append(raw, byte(char))
			}
			f = f.and(name, raw)
		case file == nil:
			f = f.and(name, fields[name])
		case file[5] != "":
			f = f.and(name, typedFile{file[6], fileOf(t, file)})
		default:
			f = f.and(name, fileOf(t, file))
		}
	}
	return f
}

// fileOf is a file of a format, a width and a height, with a number of bytes.
func fileOf(t *testing.T, file []string) []byte {
	t.Helper()
	width, _ := strconv.Atoi(cmp.Or(file[2], "2"))
	height, _ := strconv.Atoi(cmp.Or(file[3], "2"))
	size, _ := strconv.Atoi(file[4])
	if file[1] == "pdf" {
		return newPDF(width)
	}
	content := imageOf(t, file[1], width, height)
	switch {
	case file[4] == "":
		return content
	case size < len(content):
		return content[:size]
	default:
		return paddedTo(content, size)
	}
}

// fill replaces the names of the world.
func (w *world) fill(text string) string {
	for name, value := range w.names {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}

// facts are what rows show as their effects, and name what they meet.
func (w *world) facts() (out []string) {
	note := func(words ...any) { out = append(out, strings.TrimSpace(fmt.Sprintln(words...))) }
	for _, l := range w.sim.Labels() {
		w.names[l.Host] = labelsPath + "/" + l.ID
		note(l.Host, "is", l.Status, l.SuspendedBy, l.SuspendReason)
		note(l.Host, "attached:", l.Attached)
		for _, p := range l.People {
			name, _, _ := strings.Cut(p.Email, "@")
			if w.names[name] == "" && l.Host == client {
				w.names[name] = p.ID
			}
			note(l.Host, p.Role, p.Email)
		}
		for name, color := range l.Colors {
			note(name, color)
		}
		look := w.sim.Branding(l.Host)
		for name, content := range map[string][]byte{"logo": look.Logo, "banner": look.BannerLogo} {
			if picture, err := png.Decode(bytes.NewReader(content)); err == nil {
				size := picture.Bounds().Size()
				r, g, b, _ := picture.At(size.X/2, size.Y/2).RGBA()
				note(l.Host, name, size, fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8))
			}
		}
		if l.Package != "" {
			note(l.Host, "has", l.Package)
		}
		for _, a := range l.Addons {
			w.names["attached"] = a.SubscriptionAddonID
			note(l.Host, "has", a.Quantity, a.Code)
		}
	}
	for _, i := range slices.Concat(w.sim.Packages(), w.sim.Addons()) {
		w.names[i.Code] = i.ID
		note(i.Code, i.Name, map[bool]string{true: "active", false: "inactive"}[i.Active])
	}
	for n, d := range w.sim.Documents() {
		w.names[fmt.Sprint("doc", n)] = d.ID
		note("document", n, map[bool]string{true: "is complete", false: "waits"}[d.Complete])
		for range d.Views {
			note("view of document", n)
		}
		for _, signer := range d.Signers {
			for _, a := range signer.Annotations {
				if !slices.Contains(w.annotations, a.ID) {
					w.names[fmt.Sprint("annotation", len(w.annotations))] = a.ID
					w.annotations = append(w.annotations, a.ID)
				}
				if a.Type == "Signature" {
					w.names["drawn"] = a.Content
				}
				note(signer.Email, a.Type+":", a.Content, map[bool]string{true: "verified", false: "open"}[a.Verified])
			}
		}
	}
	for _, m := range w.sim.Minted() {
		note("minted", m.AssetID, m.AssetName, m.UnitName, m.Standard, m.PDFURL, m.ImageURL)
	}
	for _, mail := range w.sim.Outbox() {
		note("email", mail.Kind, mail.To, "of", mail.Host)
	}
	for range w.sim.ConfirmationKeys() {
		note("confirmation key")
	}
	for range w.sim.Tokens() {
		note("token")
	}
	if !w.books {
		return out
	}
	out = nil
	for _, entry := range w.sim.Books() {
		note(written(entry))
	}
	return out
}

// written is an entry of the books as a table states it.
func written(e simulator.Entry) string {
	parts := []string{string(e.Kind)}
	if e.Console {
		parts = append(parts, "(console)")
	}
	parts = append(parts, e.Host, e.Item, e.Code)
	if e.Quantity != 0 {
		parts = append(parts, fmt.Sprintf("x%g", e.Quantity))
	}
	if e.Allowance != "" {
		parts = append(parts, fmt.Sprintf("%s+%g", e.Allowance, e.Excess))
	}
	parts = append(parts, e.Person, e.Subject)
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " ")
}

// changes are the facts that came and went.
func changes(before, after []string) string {
	count := map[string]int{}
	for _, fact := range after {
		count[fact]++
	}
	for _, fact := range before {
		count[fact]--
	}
	var out []string
	for _, fact := range slices.Sorted(maps.Keys(count)) {
		for range max(count[fact], -count[fact]) {
			out = append(out, map[bool]string{true: "+", false: "-"}[count[fact] > 0]+fact)
		}
	}
	return strings.Join(out, ", ")
}

// inOrder sorts changes, whose order IDs would decide.
func inOrder(changes string) []string { return slices.Sorted(strings.SplitSeq(changes, ", ")) }

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
func (r row) check(t *testing.T, prepare func(*world)) {
	t.Helper()
	forms, steps := simulator.Forms{}, []string{}
	for step := range strings.SplitSeq(r.given, "; ") {
		if form, found := strings.CutPrefix(step, "form "); found {
			name, value, _ := strings.Cut(form, "=")
			forms[name] = value
		} else if step != "" {
			steps = append(steps, step)
		}
	}
	w := newWorld(t, forms)
	prepare(w)
	for _, step := range steps {
		require.NoError(t, w.step(step), "%s: %s", r.place, step)
	}
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
	changed := strings.TrimPrefix(r.changes, ", ")
	assert.Equal(t, inOrder(w.fill(strings.TrimPrefix(changed, "…"))), inOrder(changes(before, w.facts())), place)
	if strings.Contains(changed, "+email ") {
		mails := w.sim.Outbox()
		assert.Equal(t, w.sim.Clock().Now(), mails[len(mails)-1].Time, place)
	}
	assert.Equal(t, changed == "", lasting == w.sim.Lasting(), "lasting data: %s", place)
}

// checkTable runs each row of a table with a world of its own, which is prepared. Every other row calls it over HTTP.
func checkTable(t *testing.T, name string, prepare func(*world)) {
	t.Helper()
	for i, r := range rowsOf(t, name) {
		t.Run(fmt.Sprintf("%s/%s", r.section, filepath.Base(r.place)), func(t *testing.T) {
			t.Parallel()
			r.check(t, func(w *world) {
				if i%2 == 1 {
					served := overHTTP(t, w.sim)
					w.doer, w.base = served.doer, served.base
				}
				prepare(w)
			})
		})
	}
}
