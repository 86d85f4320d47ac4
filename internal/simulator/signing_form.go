package simulator

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"strings"
)

// signingForm is a request of texts and files: multipart, whose content type
// §4.1 doesn't show.
type signingForm struct {
	fields formFields
	files  []signingFile
}

type signingFile struct {
	field string
	data  []byte
}

// file of a field; nil for none.
func (f *signingForm) file(field string) *signingFile {
	for i := range f.files {
		if f.files[i].field == field {
			return &f.files[i]
		}
	}
	return nil
}

// signingForm reads a form. An empty body is an empty form.
func (r *request) signingForm(takesJSON bool) (*signingForm, *refusal) {
	form := &signingForm{fields: formFields{text: map[string]string{}}}
	if len(bytes.TrimSpace(r.body)) == 0 {
		return form, nil
	}
	kind, params, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	switch {
	case err == nil && kind == "multipart/form-data":
		return form, form.readParts(r.body, params["boundary"])
	case err == nil && kind == "application/json" && takesJSON:
		return form, form.readJSON(r.body)
	default:
		return nil, invalidData("The body is not sent as multipart/form-data.")
	}
}

// readParts of a form that is whole: the reader takes one that breaks off
// between two parts, or in the head of one, for one that ends there.
func (f *signingForm) readParts(body []byte, boundary string) *refusal {
	if boundary == "" || !bytes.Contains(body, []byte("--"+boundary+"--")) {
		return invalidData("The form has no end.")
	}
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return invalidData("The form cannot be read.")
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return invalidData("The form cannot be read.")
		}
		name := part.FormName()
		if _, twice := f.fields.text[name]; name == "" || twice {
			return invalidData("A field has no name, or is sent twice.")
		}
		if part.FileName() != "" {
			f.files = append(f.files, signingFile{name, content})
			continue
		}
		f.fields.text[name] = string(content)
	}
}

// readJSON takes an object for a form, with the file as base64.
func (f *signingForm) readJSON(body []byte) *refusal {
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) != nil {
		return invalidData("The body is no JSON object.")
	}
	for name, raw := range object {
		if name != "file" {
			f.fields.text[name] = textOf(raw)
			continue
		}
		content, err := base64.StdEncoding.DecodeString(textOf(raw))
		if err != nil {
			return invalidData("The file is not in base64.")
		}
		f.files = append(f.files, signingFile{name, content})
	}
	return nil
}

// journalForm is a multipart body as the journal keeps it: texts by name, the
// JSON in them as JSON, of files digest and size. It is nil for other bodies.
func (r *request) journalForm() []byte {
	kind, _, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return nil
	}
	form, refusal := r.signingForm(false)
	if refusal != nil {
		return nil
	}
	out := map[string]any{}
	for name, text := range form.fields.text {
		out[name] = text
		if strings.HasPrefix(text, "[") && json.Valid([]byte(text)) {
			out[name] = json.RawMessage(text)
		}
	}
	for _, file := range form.files {
		out[file.field] = map[string]any{"sha256": digest(file.data), "size": len(file.data)}
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return nil
	}
	return raw
}
