package simulator_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// world is a simulator with everything that rows need, and that reseller-api.txt lists.
type world struct {
	*caller
	names   map[string]string
	other   *caller // of another reseller
	first   *caller // before another process
	signing string  // the key of the Signing API
	file    string
	books   bool // whether the facts are the books

	annotations []string // IDs, in the order in which they were met
}

const setUp = `SetAllowance {"documents":100,"seats":10}
AddPackage small {"documents":60} true
AddPackage big {"documents":120} true
AddPackage free {} true
AddPackage retired {} false
AddAddon extra {"documents":30} true
AddAddon seats {"seats":5} true
POST {reseller}/private-labels {"owner":{"email":"ada@client.example","firstName":"Ada","lastName":"Lovelace"},"config":{"domain":"sign.client.example","appName":"Client Sign"}}
AddConsoleLabel sign.moved.example ada@client.example
MoveAway sign.moved.example
AddConsoleLabel sign.gone.example ada@client.example
DeprovisionInConsole sign.gone.example
AddReseller deleted.example
DeleteReseller deleted.example
AddReseller other.example`

// newWorld is a world in which the steps of given were made.
func newWorld(t *testing.T, opts simulator.Options, given string, prepare ...func(*world)) *world {
	t.Helper()
	for step := range strings.SplitSeq(given, "; ") {
		if form, found := strings.CutPrefix(step, "form "); found {
			name, value, _ := strings.Cut(form, "=")
			opts.Forms = maps.Clone(opts.Forms)
			if opts.Forms == nil {
				opts.Forms = simulator.Forms{}
			}
			opts.Forms[name] = value
		}
	}
	sim := newSim(t, opts)
	key, sum := sim.APIKey(), sha256.Sum256(newPDF(2000))
	w := &world{caller: inProcess(t, sim).as(key), signing: sim.SigningAPIKey(), file: opts.File, names: map[string]string{
		"reseller": resellerPath, "none": nobodyID, "crlf": "\r\n", "user": sim.SigningUserEmail(), "signingKey": sim.SigningAPIKey(),
		"key": key, "keyID": strings.Split(key, "_")[2], "lastFour": key[len(key)-4:], "sum": hex.EncodeToString(sum[:]),
	}}
	w.take(setUp)
	w.other = w.as(w.names["AddReseller"])
	foreign := w.other.post("/console/other.example/reseller/private-labels", order("sign.foreign.example")).data()
	w.names["sign.foreign.example"] = labelsPath + "/" + as[string](foreign["tenantId"])
	w.names["label"] = w.names[client]
	w.names["id"] = strings.TrimPrefix(w.names["label"], labelsPath+"/")
	for i, id := range slices.Concat(sim.Signatures(w.names["user"]), sim.Signatures(ada)) {
		w.names[fmt.Sprint("signature", i)] = id
	}
	for _, f := range prepare {
		f(w)
	}
	w.take(given)
	return w
}

// take makes steps.
func (w *world) take(steps string) {
	w.t.Helper()
	for step := range strings.SplitSeq(strings.ReplaceAll(steps, "\n", "; "), "; ") {
		if step != "" {
			require.NoError(w.t, w.step(step), step)
		}
	}
}

var (
	timesStep = regexp.MustCompile(`^(\d+) times (.*)`)
	callStep  = regexp.MustCompile(`^([A-Z]+(?::\S*)? \S+) ?(.*)`)
)

// step makes a part of a row's given.
func (w *world) step(step string) error {
	w.t.Helper()
	defer w.facts() // names
	if many := timesStep.FindStringSubmatch(step); many != nil {
		n, err := strconv.Atoi(many[1])
		for i := range n {
			w.names["n"] = fmt.Sprint(i + 1)
			if call := callStep.FindStringSubmatch(many[2]); call != nil {
				w.ask(call[1], call[2])
				continue
			}
			require.NoError(w.t, w.step(many[2]))
		}
		return err
	}
	if call := callStep.FindStringSubmatch(step); call != nil {
		got := w.ask(call[1], call[2])
		require.Less(w.t, got.status, http.StatusBadRequest, "%s answers %s", step, got.raw)
		w.names["access_token"] = as[string](got.body["access_token"])
		data := as[object](got.body["data"])
		for _, from := range []any{data, data["package"]} {
			if key, asked := as[object](as[object](from)["confirmation"])["key"].(string); asked {
				w.names["confirmation"] = key
			}
		}
		return nil
	}
	verb, rest, _ := strings.Cut(w.fill(step), " ")
	switch {
	case verb == "form":
	case step == "another reseller":
		w.caller = w.other
	case step == "bob":
		w.ask("POST {label}/users", `{"email":"bob@client.example","firstName":"Bob","lastName":"Byte"}`).data()
	case step == "second label":
		w.provision("sign.second.example")
	case verb == "try":
		call := callStep.FindStringSubmatch(rest)
		w.ask(call[1], call[2])
	case verb == "wait":
		d, err := time.ParseDuration(rest)
		w.sim.Clock().Advance(d)
		return err
	case verb == "process":
		shift, err := time.ParseDuration(cmp.Or(rest, "0s"))
		sim := newSim(w.t, simulator.Options{File: w.file, Clock: simulator.NewFrozenClock(start.Add(shift))})
		w.first, w.caller = w.caller, inProcess(w.t, sim).with(w.token)
		return err
	case step == "back":
		w.caller = w.first
	case verb == "as":
		w.caller = w.withScopes(strings.Fields(rest)...)
	case verb == "token":
		w.caller, w.signing = w.with(rest), rest
	case strings.ToLower(verb) != verb:
		return w.move(verb, strings.Fields(rest))
	default:
		words := strings.Fields(w.fill(step))
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "_", " ") // in the name of a route
		}
		return w.sim.Do(words...)
	}
	return nil
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
			value.Elem().SetString(strings.Trim(word, `"`))
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
	if method == "DO" {
		if err := w.step(path); err != nil {
			return &reply{raw: "error " + err.Error()}
		}
		return &reply{raw: "done"}
	}
	method, kind, typed := strings.Cut(method, ":")
	body = w.fill(body)
	if method == "FORM" {
		method, typed = http.MethodPost, true
		body, kind = formOf(w.t, body)
	}
	c := *w.caller
	inProcess := c.base == simulator.BaseURL
	switch {
	case strings.HasPrefix(path, "/signing"):
		c.token = w.signing
		if inProcess {
			c.base = simulator.SigningURL
		}
	case typed && path == logosPath && inProcess:
		c.base = simulator.UploadURL
	case typed && path == logosPath:
		c.base += simulator.UploadPrefix
	}
	req := c.request(method, path, body)
	if typed {
		req.Header["Content-Type"] = []string{kind}
	}
	got, err := c.send(req)
	require.NoError(w.t, err)
	return got
}

var filePattern = regexp.MustCompile(`^<(pdf|png|gif|jpeg|svg|text) ?(\d+)?(?:x(\d+))?(?: of (\d+))?( as (.*))?>$`)

// formOf is a form of the fields of JSON, whose texts stand for files, too.
func formOf(t *testing.T, body string) (sent, contentType string) {
	t.Helper()
	var fields object
	require.NoError(t, json.Unmarshal([]byte(body), &fields), body)
	var buf bytes.Buffer
	form := multipart.NewWriter(&buf)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		text, isText := fields[name].(string)
		if !isText {
			raw, err := json.Marshal(fields[name])
			require.NoError(t, err)
			text = string(raw)
		}
		content, kind, isFile := fileOf(t, text)
		head := textproto.MIMEHeader{}
		field := fmt.Sprintf("form-data; name=%q", strings.TrimSuffix(name, "#2"))
		if isFile {
			field += `; filename="file"`
			if kind != "" {
				head.Set("Content-Type", kind)
			}
		}
		head.Set("Content-Disposition", field)
		part, err := form.CreatePart(head)
		require.NoError(t, err)
		_, err = part.Write(content)
		require.NoError(t, err)
	}
	require.NoError(t, form.Close())
	return buf.String(), form.FormDataContentType()
}

// fileOf is the file that a text stands for, or the text.
func fileOf(t *testing.T, text string) (content []byte, kind string, isFile bool) {
	t.Helper()
	kind = "application/octet-stream"
	if raw, found := strings.CutPrefix(text, "base64:"); found {
		content, err := base64.StdEncoding.DecodeString(raw)
		require.NoError(t, err)
		return content, kind, true
	}
	if raw, found := strings.CutPrefix(text, "file:"); found {
		return []byte(raw), kind, true
	}
	file := filePattern.FindStringSubmatch(text)
	if file == nil {
		return []byte(text), "", false
	}
	if file[5] != "" {
		kind = file[6]
	}
	width, _ := strconv.Atoi(cmp.Or(file[2], "2"))
	height, _ := strconv.Atoi(cmp.Or(file[3], "2"))
	if file[1] == "pdf" {
		return newPDF(width), kind, true
	}
	content = imageOf(t, file[1], width, height)
	if size, _ := strconv.Atoi(file[4]); size != 0 {
		content = append(content, make([]byte, max(0, size-len(content)))...)[:size]
	}
	return content, kind, true
}

func imageOf(t *testing.T, format string, width, height int) []byte {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White, color.Black})
	var buf bytes.Buffer
	switch format {
	case "png":
		require.NoError(t, png.Encode(&buf, img))
	case "gif":
		require.NoError(t, gif.Encode(&buf, img, nil))
	case "jpeg":
		require.NoError(t, jpeg.Encode(&buf, img, nil))
	case "text":
		buf.WriteString("no image at all")
	default:
		fmt.Fprintf(&buf, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d"><path d="M0 0"/></svg>`, width, height)
	}
	return buf.Bytes()
}

// newPDF is a PDF of one empty page, filled to a size.
func newPDF(size int) []byte {
	const page = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
		"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
	return []byte(page + strings.Repeat("\n", max(size-len(page), 0)))
}

var repeated = regexp.MustCompile(`\{(\d+)×([^}]*)\}`)

// fill replaces the names of the world, and a text that is repeated.
func (w *world) fill(text string) string {
	text = repeated.ReplaceAllStringFunc(text, func(found string) string {
		part := repeated.FindStringSubmatch(found)
		n, _ := strconv.Atoi(part[1])
		return strings.Repeat(part[2], n)
	})
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
func changes(before, after []string) (out []string) {
	for _, fact := range before {
		if i := slices.Index(after, fact); i >= 0 {
			after = slices.Delete(after, i, i+1)
		} else {
			out = append(out, "-"+fact)
		}
	}
	for _, fact := range after {
		out = append(out, "+"+fact)
	}
	return out
}
