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
	contentType string // as its head states it
	isFile      bool   // it has a file name
	content     []byte
}

// boundary between the parts of a form, and whether the request is one.
func (r *request) boundary() (string, bool) {
	kind, params, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	return params["boundary"], err == nil && kind == "multipart/form-data"
}

// readParts reads a form as far as that goes, and reports whether it is whole. The
// last part of one that is not may be cut. The end is looked for beforehand: the
// reader takes a form that breaks off between two parts, or in the head of one,
// for one that ends there.
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
