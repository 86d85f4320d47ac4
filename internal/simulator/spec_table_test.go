package simulator_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"image/png"
	"maps"
	"net/http"
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

// chapter of a document has rows, whose call is that of the section unless they have their own. A row's body that
// begins with + has the fields of the section's body, with these instead; null takes one away.
type chapter struct {
	title, call, body string
	rows              []row
}

// row is a call in a state, its response and its effects.
//
// given has steps: a call that succeeds, "N times" or "try" and a call, "form NAME=VALUE", "wait DURATION", "as SCOPES",
// "token TEXT", a name of states, a method of the simulator with its arguments, or words of `simulate do`. A call is a
// method, which may have a content type (POST:text/plain), and a path; FORM sends the fields as a form, and DO makes a step.
//
// want is a status with the data, with = and the whole body, with ~ and a part of its text, with a code, or with a code
// and Retry-After, and behind | the headers. "<id>", "<text>", "<now>" and "/expression/" stand for values of their form,
// "<none>" for no field, "<5 rows>" for an array, and "…" for further fields. effects are facts that came and went;
// without any, the call changed no lasting data, and with … it changed what is no fact. {names} stand for the paths and
// IDs of the world.
type row struct{ given, call, body, want, effects string }

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
	w.names["key"], w.names["key id"] = s.sim.APIKey(), strings.Split(s.sim.APIKey(), "_")[2]
	w.names["dots260"] = strings.Repeat("a.", 130)
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
	w.names["signing key"], w.names["last four"] = w.signing, s.sim.APIKey()[len(s.sim.APIKey())-4:]
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
			return &reply{t: w.t, raw: err.Error()}
		}
		return &reply{t: w.t, status: http.StatusOK}
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
	status, rest, _ := strings.Cut(want, " ")
	code, _, _ := strings.Cut(rest, " ")
	var out any
	switch {
	case strings.HasPrefix(rest, "{"), strings.HasPrefix(rest, "["):
		require.NoError(w.t, json.Unmarshal([]byte(w.fill(rest)), &out), want)
		out = object{"status": "OK", "data": out}
	case code == "=":
		require.NoError(w.t, json.Unmarshal([]byte(w.fill(rest[1:])), &out), want)
	case strings.HasPrefix(rest, "~"):
		assert.Contains(w.t, got.raw, rest[1:])
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

// check runs a row, and reports each difference with its place.
func (s chapter) check(t *testing.T, r row, prepare func(*world)) {
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
		require.NoError(t, w.step(step), step)
	}
	before, lasting := w.facts(), w.sim.Lasting()
	call, body := cmp.Or(r.call, s.call), r.body
	if patch, found := strings.CutPrefix(body, "+"); found {
		body = merged(t, w.fill(s.body), w.fill(patch))
	}
	got := w.ask(call, body)
	place := []any{"%s %s\ngiven %q\nanswers %d %s", call, body, r.given, got.status, got.raw}
	response, headers, _ := strings.Cut(r.want, " | ")
	status, want := w.wanted(response, got)
	assert.Equal(t, status, fmt.Sprint(got.status), place...)
	assert.Equal(t, want, any(got.body), place...)
	if words := strings.Fields(response); len(words) == 3 && status == fmt.Sprint(http.StatusTooManyRequests) {
		headers += ", Retry-After " + words[2]
	}
	for header := range strings.SplitSeq(headers, ", ") {
		name, value, _ := strings.Cut(header, " ")
		if expression, isExpression := strings.CutPrefix(value, "/"); isExpression {
			assert.Regexp(t, strings.TrimSuffix(expression, "/"), got.header.Get(name), place...)
			continue
		}
		assert.Equal(t, value, strings.ReplaceAll(got.header.Get(name), ", ", "; "), place...)
	}
	after := w.facts()
	assert.Equal(t, inOrder(w.fill(strings.TrimPrefix(r.effects, "…"))), inOrder(changes(before, after)), place...)
	if strings.Contains(r.effects, "+email ") {
		mails := w.sim.Outbox()
		assert.Equal(t, w.sim.Clock().Now(), mails[len(mails)-1].Time, place...)
	}
	assert.Equal(t, r.effects == "", lasting == w.sim.Lasting(), append([]any{"lasting data: " + place[0].(string)}, place[1:]...)...)
}

// checkTable runs each row with a world of its own, which is prepared. Every other row calls it over HTTP.
func checkTable(t *testing.T, sections []chapter, prepare func(*world)) {
	t.Helper()
	for _, s := range sections {
		for i, r := range s.rows {
			t.Run(fmt.Sprintf("%s/%d %s", s.title, i+1, r.want[:min(len(r.want), 40)]), func(t *testing.T) {
				t.Parallel()
				s.check(t, r, func(w *world) {
					if i%2 == 1 {
						served := overHTTP(t, w.sim)
						w.doer, w.base = served.doer, served.base
					}
					prepare(w)
				})
			})
		}
	}
}
