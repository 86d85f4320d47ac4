package simulator

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
)

// formPart is one part of a multipart/form-data body.
type formPart struct {
	name        string
	contentType string // as its header states
	isFile      bool   // it has a file name
	content     []byte
}

// boundary returns the boundary between the parts of a form, and whether the request is a form.
func (r *request) boundary() (string, bool) {
	kind, params, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	return params["boundary"], err == nil && kind == "multipart/form-data"
}

// requestForm is what readParts returns.
type requestForm struct {
	parts []formPart
	whole bool
}

// parts reads the parts of the request's form once, for its handler and for the journal.
func (r *request) parts() ([]formPart, bool) {
	if r.form == nil {
		boundary, _ := r.boundary()
		parts, whole := readParts(r.body, boundary)
		r.form = &requestForm{parts, whole}
	}
	return r.form.parts, r.form.whole
}

// readParts reads the parts of a form, and reports whether the form is complete. The last part of an incomplete form
// may be cut. It looks for the end of the form first, because the reader accepts a form that ends between two parts, or
// in the header of one.
func readParts(body []byte, boundary string) (parts []formPart, whole bool) {
	if boundary == "" {
		return nil, false
	}
	whole = bytes.Contains(body, []byte("--"+boundary+"--"))
	reader := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := reader.NextRawPart()
		if err != nil {
			return parts, whole && errors.Is(err, io.EOF)
		}
		content, err := io.ReadAll(part)
		parts = append(parts, formPart{part.FormName(), part.Header.Get("Content-Type"), part.FileName() != "", content})
		if err != nil {
			return parts, false
		}
	}
}
