package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime/multipart"
	"net/textproto"
	"os"
	"path/filepath"
)

// File is one to upload. It is read while it is sent, never whole.
type File struct {
	Path        string
	ContentType string // "image/png"
}

// Form is a multipart/form-data body that streams its files, has a known length
// and can be sent again.
type Form struct {
	writer *multipart.Writer
	text   *bytes.Buffer // what follows the last piece
	pieces []piece
	length int64
}

// piece is a stretch of the body: text, or a file of a known size.
type piece struct {
	text []byte
	path string
	size int64
}

// NewForm returns an empty form.
func NewForm() *Form {
	f := &Form{text: &bytes.Buffer{}}
	f.writer = multipart.NewWriter(f.text)
	return f
}

// ContentType of the body, with its boundary.
func (f *Form) ContentType() string { return f.writer.FormDataContentType() }

// Text adds a field.
func (f *Form) Text(name, value string) error { return f.writer.WriteField(name, value) }

// JSON adds a field whose value is JSON.
func (f *Form) JSON(name string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return f.Text(name, string(raw))
}

// File adds a file, which must be there and stay as long as it is.
func (f *Form) File(name string, file File) error {
	info, err := os.Stat(file.Path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file", file.Path)
	}
	header := textproto.MIMEHeader{}
	// Both parameters in quotes, as browsers write them: not every API reads the
	// bare or the extended form of mime.FormatMediaType.
	header.Set("Content-Disposition", multipart.FileContentDisposition(name, filepath.Base(file.Path)))
	header.Set("Content-Type", file.ContentType)
	if _, err := f.writer.CreatePart(header); err != nil {
		return err
	}
	f.cut()
	f.pieces = append(f.pieces, piece{path: file.Path, size: info.Size()})
	f.length += info.Size()
	return nil
}

// cut makes a piece of the text that is there.
func (f *Form) cut() {
	text := bytes.Clone(f.text.Bytes())
	f.text.Reset()
	f.pieces = append(f.pieces, piece{text: text})
	f.length += int64(len(text))
}

// Close ends the form; nothing can be added then.
func (f *Form) Close() error {
	if err := f.writer.Close(); err != nil {
		return err
	}
	f.cut()
	return nil
}

// Open returns the body from its beginning.
func (f *Form) Open() (io.Reader, error) {
	if f.length > math.MaxInt {
		return nil, fmt.Errorf("the upload has %d bytes, too many for this machine", f.length)
	}
	return &formReader{left: f.pieces, length: int(f.length)}, nil
}

// formReader reads the pieces one after another, with one file open at a time.
type formReader struct {
	left   []piece
	now    io.Reader
	file   *os.File
	rest   int64 // of the file that is open
	length int
}

// Len is the whole length in bytes.
func (r *formReader) Len() int { return r.length }

func (r *formReader) Read(p []byte) (int, error) {
	for {
		if r.now == nil {
			if len(r.left) == 0 {
				return 0, io.EOF
			}
			if err := r.next(); err != nil {
				return 0, err
			}
		}
		n, err := r.now.Read(p)
		r.rest -= int64(n)
		if errors.Is(err, io.EOF) {
			err = r.end()
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// end of a piece. A file that ended early is not whole.
func (r *formReader) end() error {
	r.now = nil
	if r.file != nil && r.rest > 0 {
		return fmt.Errorf("%s became shorter while it was sent: %w", r.file.Name(), io.ErrUnexpectedEOF)
	}
	return r.Close()
}

func (r *formReader) next() error {
	piece := r.left[0]
	r.left = r.left[1:]
	if piece.path == "" {
		r.now = bytes.NewReader(piece.text)
		return nil
	}
	file, err := os.Open(piece.path)
	if err != nil {
		return err
	}
	r.file, r.rest, r.now = file, piece.size, io.LimitReader(file, piece.size) // one that grew must not break the form
	return nil
}

// Close closes the file that is open.
func (r *formReader) Close() error {
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}
