package provider

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// judgeSVG wants one well-formed svg element, and looks at the size that it
// states.
func judgeSVG(content []byte) error {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	decoder := xml.NewDecoder(bytes.NewReader(content))
	decoder.Entity = entitiesOf(content)
	// Markup is ASCII in every encoding that drawing programs write.
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	root, err := nextElement(decoder)
	if err != nil || root == nil || root.Name.Local != "svg" {
		return errNoLogo
	}
	if err := decoder.Skip(); err != nil {
		return fmt.Errorf("is damaged: %w", err)
	}
	if err := judgeSize(svgSize(*root)); err != nil {
		return err
	}
	switch second, err := nextElement(decoder); {
	case err != nil:
		return fmt.Errorf("is damaged: %w", err)
	case second != nil:
		return errors.New("is damaged: another element follows the svg element")
	}
	return nil
}

// nextElement is nil at the end. Outside an element there is no text.
func nextElement(decoder *xml.Decoder) (*xml.StartElement, error) {
	for {
		switch token, err := decoder.Token(); token := token.(type) {
		case xml.StartElement:
			return &token, nil
		case xml.CharData:
			if len(bytes.TrimSpace(token)) > 0 {
				return nil, errors.New("there is text outside the svg element")
			}
		case nil:
			if errors.Is(err, io.EOF) {
				return nil, nil //nolint:nilnil // the end is neither
			}
			return nil, err
		}
	}
}

// svgEntity is a declaration in the file's own DTD, by which drawing programs
// shorten their namespaces.
var svgEntity = regexp.MustCompile(`<!ENTITY\s+([^\s%"']+)\s+(?:"([^"]*)"|'([^']*)')\s*>`)

// maxEntity is the longest text that a reference is replaced by, in bytes: room
// for the namespaces and lengths that drawing programs abbreviate. A longer one
// is replaced by nothing, or 100 KB of references would become gigabytes.
const maxEntity = 64

func entitiesOf(content []byte) map[string]string {
	entities := map[string]string{}
	for _, found := range svgEntity.FindAllSubmatch(content, -1) {
		text := string(found[2]) + string(found[3])
		if len(text) > maxEntity {
			text = ""
		}
		entities[string(found[1])] = text
	}
	return entities
}

// svgSize is the size in pixels that the root states by width and height, else
// by its viewBox, whose shape a side that is not stated follows; 0 where it
// states none.
func svgSize(root xml.StartElement) (width, height float64) {
	var boxWidth, boxHeight float64
	for _, a := range root.Attr {
		switch a.Name.Local {
		case "width":
			width = svgLength(a.Value)
		case "height":
			height = svgLength(a.Value)
		case "viewBox":
			boxWidth, boxHeight = svgBox(a.Value)
		}
	}
	switch {
	case width == 0 && height == 0:
		return boxWidth, boxHeight
	case width == 0 && boxHeight > 0:
		return height * boxWidth / boxHeight, height
	case height == 0 && boxWidth > 0:
		return width, width * boxHeight / boxWidth
	}
	return width, height
}

func svgBox(text string) (width, height float64) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	if len(parts) != 4 {
		return 0, 0
	}
	return svgLength(parts[2]), svgLength(parts[3])
}

// svgUnits in pixels of 96 to the inch; others depend on where it is shown.
var svgUnits = map[string]float64{"": 1, "px": 1, "pt": 96.0 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4}

func svgLength(text string) float64 {
	text = strings.TrimSpace(text)
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%")
	factor, known := svgUnits[strings.ToLower(text[len(number):])]
	value, err := strconv.ParseFloat(number, 64) // infinite for one out of range
	if !known || err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(value) || value < 0 {
		return 0
	}
	return value * factor
}
