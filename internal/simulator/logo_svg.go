package simulator

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

var errNotXML = errors.New("not a single XML element")

// entityDeclaration of the document type: drawing programs declare their namespaces like this.
var entityDeclaration = regexp.MustCompile(`<!ENTITY\s+([^\s%]+)\s+(?:"([^"]*)"|'([^']*)')`)

// svgRoot reads XML to its end. It must be one well-formed element, whose start it returns.
func svgRoot(content []byte) (root xml.StartElement, _ error) {
	decoder := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(utf8Of(content), []byte("\ufeff"))))
	decoder.Entity = map[string]string{}
	// No encoding except ASCII, UTF-8 and UTF-16 is known.
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	depth := 0
	roots := 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && roots == 1 {
			return root, nil
		}
		if err != nil {
			return root, err
		}
		switch token := token.(type) {
		case xml.Directive:
			declareEntities(decoder.Entity, token)
		case xml.StartElement:
			if depth == 0 {
				root = token
				roots++
			}
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth == 0 && !blank(string(token)) {
				return root, errNotXML
			}
		}
	}
}

// utf8Of is a text in UTF-8 that may be in UTF-16.
func utf8Of(content []byte) []byte {
	high := 0
	low := 1
	if bytes.HasPrefix(content, []byte{0xff, 0xfe}) {
		high = 1
		low = 0
	} else if !bytes.HasPrefix(content, []byte{0xfe, 0xff}) {
		return content
	}
	var units []uint16
	for ; len(content) > 1; content = content[2:] {
		units = append(units, uint16(content[high])<<8|uint16(content[low]))
	}
	return []byte(string(utf16.Decode(units)))
}

// longestEntity in bytes. A longer entity is known by name and replaced by nothing, because an image may contain a
// hundred thousand references.
const longestEntity = 80

func declareEntities(entities map[string]string, directive xml.Directive) {
	for _, found := range entityDeclaration.FindAllSubmatch(directive, -1) {
		meaning := string(found[2]) + string(found[3])
		if len(meaning) > longestEntity {
			meaning = ""
		}
		entities[string(found[1])] = meaning
	}
}

// svgSize returns the size in pixels that the root states, else that of its viewBox. A side that is not stated follows
// the shape of the viewBox. 0 is a size that is stated nowhere.
func svgSize(root xml.StartElement) image.Point {
	var width, height, boxWidth, boxHeight float64
	for _, a := range root.Attr {
		switch a.Name.Local {
		case "width":
			width = pixels(a.Value)
		case "height":
			height = pixels(a.Value)
		case "viewBox":
			if parts := strings.FieldsFunc(a.Value, func(r rune) bool { return unicode.IsSpace(r) || r == ',' }); len(parts) == 4 {
				boxWidth = pixels(parts[2])
				boxHeight = pixels(parts[3])
			}
		}
	}
	switch {
	case width == 0 && height == 0:
		width = boxWidth
		height = boxHeight
	case width == 0 && boxHeight > 0:
		width = height * boxWidth / boxHeight
	case height == 0 && boxWidth > 0:
		height = width * boxHeight / boxWidth
	}
	return image.Pt(wholePixels(width), wholePixels(height))
}

// wholePixels rounds a length up. A length over the limit stays over it.
func wholePixels(n float64) int {
	return int(math.Ceil(min(n, 2*maxLogoPixels)))
}

// pixels returns a length; 0 for another unit and for none.
func pixels(text string) float64 {
	const most = 1e9                                                                  // so that shapes can be calculated from sizes that are far too large
	n, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(text), "px"), 64) // 0 for no number, infinite for one out of range
	if math.IsNaN(n) || n < 0 {
		return 0
	}
	return min(n, most)
}
