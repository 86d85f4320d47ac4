// Package page shows the simulator's data as one HTML page without scripts. It does not use the store: the simulator
// copies what the page shows.
package page

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	//go:embed page.html.tmpl
	pageHTML string
	//go:embed page.css
	pageCSS string
)

// parsed parses the template when the page is opened, because the provider starts several times in a run and shows no
// page.
var parsed = sync.OnceValue(func() *template.Template {
	t := template.New("page").Funcs(template.FuncMap{"number": number, "minute": minute, "initial": initial, "embed": embed})
	template.Must(t.New("css").Parse(pageCSS))
	return template.Must(t.Parse(pageHTML))
})

// policy allows the page its own styles and embedded images, and nothing else: no script, no other address.
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Serve writes the page with an overview, whose fields the template names.
func Serve(w http.ResponseWriter, overview any) {
	var buf bytes.Buffer
	if err := parsed().Execute(&buf, overview); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(buf.Len()))
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	_, _ = buf.WriteTo(w)
}

// number writes a quantity without an exponent.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// initial replaces a missing logo.
func initial(name string) string {
	for _, r := range name {
		return strings.ToUpper(string(r))
	}
	return ""
}

// embed is the URL of an image; empty for none.
func embed(png []byte) template.URL {
	if len(png) == 0 {
		return ""
	}
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(png)) //nolint:gosec // nothing but base64 behind a name of ours
}
