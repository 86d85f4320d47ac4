// Package file reads, hashes and checks the files that are uploaded. It says what is wrong with a file, not what to do
// about it.
package file

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // a format of §4.7
	_ "image/jpeg" // a format of §4.7
	_ "image/png"  // a format of §4.7
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// Logo is a file that passed the checks for a logo (§4.7).
type Logo struct {
	client.File
	SHA256 string // hex, as Terraform's filesha256 gives it
	Size   int    // bytes
	Damage error  // why its pixels cannot be decoded; the API may accept it
}

// MayBeTooLarge reports whether the file has more than 1 MB if that is 10^6 bytes. OpenLogo rejects more than 2^20: the API
// documentation does not say which one it means.
func (l *Logo) MayBeTooLarge() bool {
	return l.Size > 1e6
}

// reading is held while a logo is in memory: 1 MB may contain 64 MB of pixels, and the heap may grow ninefold.
var reading sync.Mutex

// OpenLogo reads and checks a file: present, not empty, at most 2^20 bytes, a PNG, JPEG, GIF or SVG by its content, at most 4096
// x 4096 pixels. Pixels that cannot be decoded are Damage: another decoder may read them.
func OpenLogo(path string) (*Logo, error) {
	file, size, err := openLess(path, client.MaxLogoBytes+1, fmt.Sprintf("logos up to 1 MB (%d bytes)", client.MaxLogoBytes))
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	reading.Lock()
	defer reading.Unlock()
	content, err := io.ReadAll(io.LimitReader(file, size))
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read: %w", err)
	}
	sum := sha256.Sum256(content)
	contentType, err := JudgeImage(content)
	damage, isDamaged := errors.AsType[*damagedError](err)
	if err != nil && !isDamaged {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	logo := &Logo{File: client.File{Path: path, ContentType: contentType}, SHA256: hex.EncodeToString(sum[:]), Size: len(content)}
	if isDamaged {
		logo.Damage = fmt.Errorf("%s %w", path, damage)
	}
	return logo, nil
}

var errNoLogo = errors.New("is not a PNG, JPEG, GIF or SVG by its content")

// JudgeImage checks an image and returns its content type.
func JudgeImage(content []byte) (string, error) {
	switch sniffed := http.DetectContentType(content); sniffed {
	case "image/png", "image/jpeg", "image/gif":
		return sniffed, checkPixels(content)
	default:
		return "image/svg+xml", checkSVG(content)
	}
}

func checkPixels(content []byte) error {
	config, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return fmt.Errorf("cannot be read as the image it claims to be: %w", err)
	}
	if err := checkSize(float64(config.Width), float64(config.Height)); err != nil {
		return err
	}
	if _, _, err := image.Decode(bytes.NewReader(content)); err != nil {
		return &damagedError{err}
	}
	return nil
}

// damagedError is an image whose header is right and whose pixels cannot be decoded.
type damagedError struct{ err error }

func (e *damagedError) Error() string {
	return "is damaged: " + e.err.Error()
}

func checkSize(width, height float64) error {
	if width > client.MaxLogoPixels || height > client.MaxLogoPixels {
		return fmt.Errorf("has %g x %g pixels; the API accepts logos up to %d x %[3]d", math.Ceil(width), math.Ceil(height), client.MaxLogoPixels)
	}
	return nil
}

// checkSVG requires that the first element is svg, and checks the size in pixels that it states. A size in another unit
// and damage further down are left to the API, which rejects such a file without an effect.
func checkSVG(content []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(inUTF8(content), []byte("\ufeff"))))
	decoder.Strict = false // entities are not expanded
	// Markup is ASCII in every encoding that drawing programs write.
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for {
		token, err := decoder.Token()
		if err != nil {
			return errNoLogo
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local != "svg" {
				return errNoLogo
			}
			return checkSize(statedPixels(token, "width"), statedPixels(token, "height"))
		case xml.CharData:
			if len(bytes.TrimSpace(token)) > 0 {
				return errNoLogo
			}
		}
	}
}

// inUTF8 decodes UTF-16, which begins with a byte order mark.
func inUTF8(content []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(content, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(content, []byte("\xfe\xff")):
		order = binary.BigEndian
	default:
		return content
	}
	units := make([]uint16, 0, len(content)/2)
	for at := 2; at+1 < len(content); at += 2 {
		units = append(units, order.Uint16(content[at:]))
	}
	return []byte(string(utf16.Decode(units)))
}

// statedPixels returns an attribute without a unit or in px; 0 for none.
func statedPixels(root xml.StartElement, name string) float64 {
	for _, a := range root.Attr {
		if a.Name.Local == name {
			// Out of range is infinite, and no number is 0 or NaN, which exceeds nothing.
			n, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(a.Value), "px"), 64)
			return n
		}
	}
	return 0
}
