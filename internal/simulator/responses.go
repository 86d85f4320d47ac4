package simulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"
)

// response is what the simulator returns.
type response struct {
	status int
	header http.Header
	body   []byte
	code   string // error code, for the journal
}

// apiError is an error of §7.2.
type apiError struct {
	status  int
	code    string
	message string
}

func reject(status int, code, message string) *apiError {
	return &apiError{status: status, code: code, message: message}
}

func bad(code, message string) *apiError {
	return reject(http.StatusBadRequest, code, message)
}

var (
	errUnauthorized = reject(http.StatusUnauthorized, "UNAUTHORIZED", "The access token is missing, expired or invalid.")
	errScope        = reject(http.StatusForbidden, "INSUFFICIENT_SCOPE", "The API key does not have the scope that this endpoint requires.")
	errForbidden    = reject(http.StatusForbidden, "FORBIDDEN", "You do not have permission for this request.")
	errNotFound     = reject(http.StatusNotFound, "NOT_FOUND", "Not found.")
	errTarget       = bad("INVALID_TARGET", "The target is not a live private label.")
	errToken        = bad("JSON_WEB_TOKEN_ERROR", "The token is missing or malformed.")
)

func badRequest(message string) *apiError {
	return bad("INVALID_REQUEST", message)
}

// ok is the envelope of a success (§2.2).
func (s *Simulator) ok(data any) *response {
	body := map[string]any{"status": "OK", "data": data}
	if s.forms.isForm("envelope", "more") {
		body["error"] = nil
		body["meta"] = map[string]any{"version": 1, "took": 0}
	}
	return jsonAnswer(http.StatusOK, body)
}

// rejected is the envelope of an error: `Fail` is for server errors (§2.2).
func rejected(r *apiError) *response {
	word := "Err"
	if r.status >= http.StatusInternalServerError {
		word = "Fail"
	}
	a := jsonAnswer(r.status, map[string]any{"status": word, "error": map[string]string{"code": r.code, "message": r.message}})
	a.code = r.code
	return a
}

// noEndpoint is the response to a method and path that no endpoint has (§7.1).
func (s *Simulator) noEndpoint(r *request) *response {
	switch s.forms.formOf("no-endpoint") {
	case "json":
		return jsonAnswer(http.StatusNotFound, map[string]any{
			"statusCode": http.StatusNotFound, "error": http.StatusText(http.StatusNotFound), "message": "Cannot " + r.method + " " + r.path,
		})
	case "page":
		return &response{
			status: http.StatusNotFound,
			header: http.Header{"Content-Type": {"text/html; charset=utf-8"}},
			body:   []byte("<!doctype html><html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>\n"),
		}
	default:
		return rejected(errNotFound)
	}
}

// bare responses have no envelope (§7.3).
func bare(status int, text string) *response {
	a := jsonAnswer(status, map[string]string{"error": text})
	a.code = text
	return a
}

func jsonAnswer(status int, body any) *response {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return &response{status: http.StatusInternalServerError, header: http.Header{}, body: []byte(err.Error())}
	}
	return &response{status: status, header: http.Header{"Content-Type": {"application/json; charset=utf-8"}}, body: buf.Bytes()}
}

// decodeStrict reads a JSON body and rejects unknown fields, also if only the case of letters differs, so that a client
// notices a misspelled field.
func decodeStrict(body []byte, into any) *apiError {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return badRequest(undecoded(err))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return badRequest("The body has text after its JSON.")
	}
	var sent any
	_ = json.Unmarshal(body, &sent) // it was decoded above
	if name := misspelled(sent, reflect.TypeOf(into)); name != "" {
		return badRequest("The body has an unknown field: " + name)
	}
	return nil
}

// undecoded says why a body does not decode, in words of its own.
func undecoded(err error) string {
	if name, isUnknown := strings.CutPrefix(err.Error(), "json: unknown field "); isUnknown {
		return "The body has an unknown field: " + strings.Trim(name, `"`)
	}
	mistyped, isMistyped := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case isMistyped && mistyped.Field != "":
		return mistyped.Field + " has the wrong type."
	case isMistyped:
		return "The body has the wrong type."
	default:
		return "The body is not valid JSON."
	}
}

// unreadable reports a wrong content type: requests are JSON, except uploads (§2.1). A request without a content type
// is read as JSON.
func (r *request) unreadable() bool {
	if r.isCutJSON() {
		return true
	}
	said := r.header.Get("Content-Type")
	if said == "" || len(bytes.TrimSpace(r.body)) == 0 {
		return false
	}
	kind, _, err := mime.ParseMediaType(said)
	return err != nil || kind != "application/json" && kind != "multipart/form-data"
}

// isCutJSON reports whether the body is longer than what is read of it, and no form. It may have another end.
func (r *request) isCutJSON() bool {
	_, isForm := r.boundary()
	return !isForm && len(r.body) >= maxBody
}

// misspelled returns a field that encoding/json matched with a field of another case.
func misspelled(sent any, t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if list, isList := sent.([]any); isList && t.Kind() == reflect.Slice {
		for _, element := range list {
			if name := misspelled(element, t.Elem()); name != "" {
				return name
			}
		}
	}
	fields, isObject := sent.(map[string]any)
	if !isObject || t.Kind() != reflect.Struct {
		return ""
	}
	known := map[string]reflect.Type{}
	for _, field := range reflect.VisibleFields(t) {
		known[field.Tag.Get("json")] = field.Type
	}
	for name, value := range fields {
		fieldType, ok := known[name]
		if !ok {
			return name
		}
		if nested := misspelled(value, fieldType); nested != "" {
			return name + "." + nested
		}
	}
	return ""
}

// decodeNothing is for endpoints without a body.
func decodeNothing(body []byte) *apiError {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	var empty struct{}
	return decodeStrict(body, &empty)
}
