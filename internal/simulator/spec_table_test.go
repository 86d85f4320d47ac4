package simulator_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
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
// given has steps: a call that succeeds, "form NAME=VALUE", "wait DURATION", "as SCOPES", "token TEXT", a name of
// states, or words of `simulate do`. want is a status with the data, with a code, or with a code and Retry-After; "<id>",
// "<text>" and "<now>" stand for values of their form, and "…" for further fields. effects are facts that came and went;
// without any, the call changed no lasting data. {names} stand for the paths and IDs of the world.
type row struct{ given, call, body, want, effects string }

// world is a simulator with everything that rows need: the private label of client with its owner Ada, an allowance of
// 100 documents and 10 seats, packages and add-ons, and private labels that are no longer the reseller's or never were.
type world struct {
	*caller
	names map[string]string
	other *caller // of another reseller

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
	w.names["key id"] = strings.Split(s.sim.APIKey(), "_")[2]
	w.names["dots260"] = strings.Repeat("a.", 130)
	for _, n := range []int{20, 21} {
		for i := range n {
			w.names[fmt.Sprint("links", n)] += fmt.Sprintf(`"social%d":"https://social.example/client",`, i)
		}
	}
	w.facts()
	return w
}

// states are steps that `simulate do` has no words for.
var states = map[string]func(w *world) error{
	"another reseller": func(w *world) error { w.caller = w.other; return nil },
	"platform lifts":   func(w *world) error { return w.sim.LiftPlatformSuspension(client) },
	"no subscription":  func(w *world) error { return w.sim.SetSubscription(false) },
	"no branding":      func(w *world) error { return w.sim.DropBranding(client) },
	"no owner":         func(w *world) error { return w.sim.RemoveOwner(client) },
	"no add-ons":       func(w *world) error { return w.sim.SetAddonActive(w.names["EXTRA"], false) },
	"emails fail":      func(w *world) error { w.sim.FailEmails(1); return nil },
	"attaching fails":  func(w *world) error { w.sim.FailAttach(1); return nil },
	"bob":              func(w *world) error { w.addBob(w.names["label"]); return nil },
	"bob is no admin":  func(w *world) error { return w.sim.DemoteAdmin(client, bobEmail) },
	"second label":     func(w *world) error { _, w.names["second"] = w.provision("sign.second.example"); return nil },
	"templates": func(w *world) error {
		_, err := w.sim.AddTemplateInConsole(client, "Terms", "terms", true)
		return err
	},
	"3 documents": func(w *world) error { return w.sim.UseDocuments(client, 3) },
}

// step makes a part of a row's given.
func (w *world) step(step string) {
	w.t.Helper()
	verb, rest, _ := strings.Cut(step, " ")
	switch state := states[step]; {
	case state != nil:
		require.NoError(w.t, state(w), step)
	case verb == "form":
	case verb == "wait":
		d, err := time.ParseDuration(rest)
		require.NoError(w.t, err, step)
		w.sim.Clock().Advance(d)
	case verb == "as":
		w.caller = w.withScopes(strings.Fields(rest)...)
	case verb == "token":
		w.caller = w.with(rest)
	case verb == "POST" || verb == "DELETE" || verb == "FORM":
		call, body, _ := strings.Cut(rest, " ")
		got := w.ask(verb+" "+call, body)
		if key, asked := as[object](got.data()["confirmation"])["key"].(string); asked {
			w.names["key"] = key
		}
	default:
		require.NoError(w.t, w.sim.Do(strings.Fields(step)...), step)
	}
	w.facts() // names
}

func (w *world) ask(call, body string) *reply {
	w.t.Helper()
	method, path, _ := strings.Cut(w.fill(call), " ")
	switch body = w.fill(body); {
	case method == "FORM":
		sent, contentType := formOf(w.t, body).encode(w.t)
		return w.call(path, sent, contentType)
	case body == "":
		return w.do(method, path, nil)
	}
	return w.do(method, path, body)
}

// formOf is a form of the fields of JSON; "<pdf>" and its like stand for files.
func formOf(t *testing.T, body string) (f form) {
	t.Helper()
	var fields object
	require.NoError(t, json.Unmarshal([]byte(body), &fields), body)
	files := map[any][]byte{"<pdf>": newPDF(0), "<png>": imageOf(t, "png", 2, 2), "<gif>": []byte("GIF89a"), "<text>": []byte("hello"), "<empty>": {}}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if text, isText := fields[name].(string); isText && files[text] != nil {
			f = f.and(name, files[text])
			continue
		}
		f = f.and(name, fields[name])
	}
	return f
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
				note(signer.Email, a.Type+":", a.Content, map[bool]string{true: "verified", false: "open"}[a.Verified])
			}
		}
	}
	for _, m := range w.sim.Minted() {
		note("minted", m.UnitName, m.Standard)
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

// wanted is the body of a response that a row wants.
func (w *world) wanted(want string, got *reply) (status string, body any) {
	w.t.Helper()
	status, rest, _ := strings.Cut(want, " ")
	code, _, _ := strings.Cut(rest, " ")
	var out any
	switch {
	case strings.HasPrefix(rest, "{"):
		require.NoError(w.t, json.Unmarshal([]byte(w.fill(rest)), &out), want)
		out = object{"status": "OK", "data": out}
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
			if name != "…" {
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
		if want == "<now>" {
			return float64(w.sim.Clock().Now().UnixMilli())
		}
		if want == "<id>" && id32.MatchString(text) || want == "<text>" && text != "" {
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
		w.step(step)
	}
	before, lasting := w.facts(), w.sim.Lasting()
	call, body := cmp.Or(r.call, s.call), r.body
	if patch, found := strings.CutPrefix(body, "+"); found {
		body = merged(t, w.fill(s.body), w.fill(patch))
	}
	got := w.ask(call, body)
	place := []any{"%s %s\ngiven %q\nanswers %d %s", call, body, r.given, got.status, got.raw}
	status, want := w.wanted(r.want, got)
	assert.Equal(t, status, fmt.Sprint(got.status), place...)
	assert.Equal(t, want, any(got.body), place...)
	if words := strings.Fields(r.want); len(words) == 3 && status == fmt.Sprint(http.StatusTooManyRequests) {
		assert.Equal(t, words[2], got.header.Get("Retry-After"), place...)
	}
	assert.Equal(t, w.fill(r.effects), changes(before, w.facts()), place...)
	if strings.Contains(r.effects, "+email") {
		mails := w.sim.Outbox()
		assert.Equal(t, w.sim.Clock().Now(), mails[len(mails)-1].Time, place...)
	}
	if r.effects == "" {
		assert.True(t, lasting == w.sim.Lasting(), append([]any{"lasting data changed: " + place[0].(string)}, place[1:]...)...)
	}
}

// checkTable runs each row with a world of its own, which is prepared.
func checkTable(t *testing.T, sections []chapter, prepare func(*world)) {
	t.Helper()
	for _, s := range sections {
		for i, r := range s.rows {
			t.Run(fmt.Sprintf("%s/%d %s", s.title, i+1, r.want[:min(len(r.want), 40)]), func(t *testing.T) {
				t.Parallel()
				s.check(t, r, prepare)
			})
		}
	}
}
