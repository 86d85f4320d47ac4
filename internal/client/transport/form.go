package transport

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// Form is a multipart body with fields and files, whose length is known before it is sent. Every attempt reads the same
// files, as they were when they were opened, and none holds them in memory. Fields come first, for servers that process
// a body while they receive it.
type Form struct {
	contentType string
	size        int64 // bytes

	texts   [][]byte // around the files: one more than files
	files   []*formFile
	readErr atomic.Pointer[error] // error of reading a file during a request
}

// FormField is a field without a file.
type FormField struct{ Name, Value string }

// FormFile is a field with a file. The file's name in the form is that of its path, and its content type that of an
// image, unless they are given.
type FormFile struct{ Name, Path, FileName, ContentType string }

// OpenForm returns a form with open files. An error is one of a request that was not sent.
func OpenForm(fields []FormField, files ...FormFile) (*Form, error) {
	var buf bytes.Buffer
	w := multipart.NewWriter(&buf)
	f := &Form{contentType: w.FormDataContentType()}
	if err := f.write(w, &buf, fields, files); err != nil {
		f.Close()
		return nil, NotSent(err)
	}
	return f, nil
}

func (f *Form) write(w *multipart.Writer, buf *bytes.Buffer, fields []FormField, files []FormFile) error {
	cut := func() {
		f.texts = append(f.texts, bytes.Clone(buf.Bytes()))
		f.size += int64(buf.Len())
		buf.Reset()
	}
	for _, field := range fields {
		if err := w.WriteField(field.Name, field.Value); err != nil {
			return err
		}
	}
	for _, part := range files {
		file, err := openFile(part.Path)
		if err != nil {
			return err
		}
		f.files = append(f.files, file)
		header := textproto.MIMEHeader{}
		name := cmp.Or(part.FileName, filepath.Base(part.Path))
		header.Set("Content-Disposition", multipart.FileContentDisposition(part.Name, name))
		header.Set("Content-Type", cmp.Or(part.ContentType, file.imageType()))
		if _, err := w.CreatePart(header); err != nil {
			return err
		}
		cut()
		f.size += file.size
	}
	err := w.Close()
	cut()
	return err
}

// Close closes the files, after the last use of the form.
func (f *Form) Close() {
	for _, file := range f.files {
		_ = file.open.Close() // nothing was written
	}
}

// SHA256 returns the hashes of the files in hex. An error is one of a request that was not sent.
func (f *Form) SHA256(ctx context.Context) ([]string, error) {
	var sums []string
	for _, file := range f.files {
		sum, err := SHA256(ctx, file.content())
		if err != nil {
			return nil, NotSent(err)
		}
		sums = append(sums, sum)
	}
	return sums, nil
}

// SHA256 returns the hash of r's content in hex. It stops when ctx ends: a file may have gigabytes.
func SHA256(ctx context.Context, r io.Reader) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, &contextReader{ctx, r}); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

type contextReader struct {
	ctx  context.Context
	next io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.next.Read(p)
}

// formFile is an open file of a form.
type formFile struct {
	path string
	size int64 // bytes
	open *os.File
}

func openFile(path string) (*formFile, error) {
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
	return &formFile{path: path, size: info.Size(), open: f}, nil
}

func (f *formFile) content() io.Reader {
	return io.NewSectionReader(f.open, 0, f.size)
}

// imageType returns the media type of an image, detected from its content.
func (f *formFile) imageType() string {
	head := make([]byte, 512) // used by the detection
	n, _ := io.ReadFull(f.content(), head)
	if kind := http.DetectContentType(head[:n]); strings.HasPrefix(kind, "image/") {
		return kind
	}
	return "application/octet-stream"
}

// reader returns a reader of the whole form.
func (f *Form) reader() io.ReadCloser {
	var parts []io.Reader
	for i, text := range f.texts {
		parts = append(parts, bytes.NewReader(text))
		if i < len(f.files) {
			parts = append(parts, &filePart{form: f, file: f.files[i], next: f.files[i].content(), left: f.files[i].size})
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
	file *formFile
	next io.Reader
	left int64 // bytes
}

func (p *filePart) Read(b []byte) (int, error) {
	n, err := p.next.Read(b)
	p.left -= int64(n)
	if errors.Is(err, io.EOF) && p.left > 0 {
		err = fmt.Errorf("%s became shorter while it was sent: %w", p.file.path, io.ErrUnexpectedEOF)
	}
	if err != nil && p.left > 0 {
		p.form.readErr.Store(&err)
	}
	return n, err
}
