package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"strings"
	"sync/atomic"
)

// UploadFile is a file to send with its content at the time it was opened. Every attempt reads the same file, and none
// holds it in memory.
type UploadFile struct {
	path string
	size int64 // bytes
	open *os.File
}

// OpenUpload opens a regular file.
func OpenUpload(path string) (*UploadFile, error) {
	// Checked before it is opened: opening a pipe would block.
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err != nil {
		_ = f.Close()
		return nil, err
	}
	return &UploadFile{path: path, size: info.Size(), open: f}, nil
}

func (f *UploadFile) Close() { _ = f.open.Close() }

func (f *UploadFile) content() io.Reader { return io.NewSectionReader(f.open, 0, f.size) }

// SHA256 returns the hash of the content in hex.
func (f *UploadFile) SHA256(ctx context.Context) (string, error) { return SHA256(ctx, f.content()) }

// ImageType returns the media type of an image, detected from its content, for the part's header.
func (f *UploadFile) ImageType() string {
	head := make([]byte, 512) // used by the detection
	n, _ := io.ReadFull(f.content(), head)
	if kind := http.DetectContentType(head[:n]); strings.HasPrefix(kind, "image/") {
		return kind
	}
	return "application/octet-stream"
}

// Form is a multipart body with fields and files, whose length is known before it is sent. Fields come first, for
// servers that process a body while they receive it.
type Form struct {
	contentType string
	size        int64 // bytes

	texts   [][]byte // around the files: one more than files
	files   []*UploadFile
	readErr atomic.Pointer[error] // error of reading a file during a request
}

// FormField is a field without a file.
type FormField struct{ Name, Value string }

// FormFile is a field with a file.
type FormFile struct {
	Name, FileName, ContentType string
	File                        *UploadFile
}

// CloseFiles closes the files of a form.
func CloseFiles(files []FormFile) {
	for _, f := range files {
		f.File.Close()
	}
}

// NewForm returns a form that reads the open files; the caller closes them after its last use.
func NewForm(fields []FormField, files []FormFile) (*Form, error) {
	var buf bytes.Buffer
	w := multipart.NewWriter(&buf)
	f := &Form{contentType: w.FormDataContentType()}
	for _, field := range fields {
		if err := w.WriteField(field.Name, field.Value); err != nil {
			return nil, err
		}
	}
	cut := func() {
		f.texts = append(f.texts, bytes.Clone(buf.Bytes()))
		f.size += int64(buf.Len())
		buf.Reset()
	}
	for _, part := range files {
		header := textproto.MIMEHeader{}
		header.Set("Content-Disposition", multipart.FileContentDisposition(part.Name, part.FileName))
		header.Set("Content-Type", part.ContentType)
		if _, err := w.CreatePart(header); err != nil {
			return nil, err
		}
		cut()
		f.files = append(f.files, part.File)
		f.size += part.File.size
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	cut()
	return f, nil
}

// reader returns a reader of the whole form.
func (f *Form) reader() io.ReadCloser {
	var parts []io.Reader
	for i, text := range f.texts {
		parts = append(parts, bytes.NewReader(text))
		if i < len(f.files) {
			parts = append(parts, &filePart{form: f, path: f.files[i].path, next: f.files[i].content(), left: f.files[i].size})
		}
	}
	return io.NopCloser(io.MultiReader(parts...))
}

// orReadError returns err, or the error of reading a file as that of a request that was not sent: an incomplete body
// has no effect.
func (f *Form) orReadError(err error) error {
	if f == nil {
		return err
	}
	if failed := f.readErr.Load(); failed != nil {
		return NotSent(*failed)
	}
	return err
}

// filePart reads a file and returns an error if it became shorter: with the following text, half a file would make a
// complete form.
type filePart struct {
	form *Form
	path string
	next io.Reader
	left int64 // bytes
}

func (p *filePart) Read(b []byte) (int, error) {
	n, err := p.next.Read(b)
	p.left -= int64(n)
	if errors.Is(err, io.EOF) && p.left > 0 {
		err = fmt.Errorf("%s became shorter while it was sent: %w", p.path, io.ErrUnexpectedEOF)
	}
	if err != nil && p.left > 0 {
		p.form.readErr.Store(&err)
	}
	return n, err
}
