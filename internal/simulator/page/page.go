// Package page serves an HTML page without scripts, with its styles and the colors of private labels.
package page

import (
	_ "embed"
	"io"
	"net/http"
	"strconv"
)

//go:embed page.css
var css string

// Styles is the style sheet.
func Styles() HTML {
	return "<style>" + HTML(css) + "</style>"
}

// policy allows the page its own styles and embedded images, and nothing else: no script, no other address.
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Serve writes the page.
func Serve(w http.ResponseWriter, content HTML) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(content)))
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, string(content))
}
