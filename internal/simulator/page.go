package simulator

import (
	"bytes"
	_ "embed"
	html "html/template"
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

// pageTemplate is parsed when somebody looks: the provider starts several times
// in a run and shows nothing.
var pageTemplate = sync.OnceValue(func() *html.Template {
	t := html.New("page").Funcs(html.FuncMap{"number": number, "minute": minute})
	html.Must(t.New("css").Parse(pageCSS))
	return html.Must(t.Parse(pageHTML))
})

// pagePolicy lets the page use its own styles and the pictures inside it, and
// nothing else: no script, no other address.
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// asksForPage tells a person's look at the service's address from a call. The
// page is no endpoint: a call that carries a token gets the API's answer, which
// is 404 NOT_FOUND (§7.1), as does every call in process.
func asksForPage(req *http.Request) bool {
	return req.Method == http.MethodGet && req.URL.EscapedPath() == "/" && req.Header.Get("Authorization") == ""
}

// servePage shows what the service holds. No limit counts it, the journal does
// not tell of it, no fault strikes it, and it changes nothing.
func (s *Simulator) servePage(w http.ResponseWriter, req *http.Request) {
	p, err := s.overview(req.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	p.Still = req.URL.Query().Has("still")
	var buf bytes.Buffer
	if err := pageTemplate().Execute(&buf, p); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(buf.Len()))
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	_, _ = buf.WriteTo(w)
}

// number of a quantity as a person writes it: never with an exponent.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// initial stands where a portal has no logo.
func initial(name string) string {
	for _, r := range name {
		return strings.ToUpper(string(r))
	}
	return ""
}
