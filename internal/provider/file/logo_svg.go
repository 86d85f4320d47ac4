package file

import (
	"bytes"
	"encoding/xml"
	"io"
	"strconv"
	"strings"
)

// judgeSVG requires that the first element is svg, and checks the size in pixels that it states. A size in another unit
// and damage further down are left to the API, which rejects such a file without an effect.
func judgeSVG(content []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(content, []byte("\ufeff"))))
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
			return judgeSize(statedPixels(token, "width"), statedPixels(token, "height"))
		case xml.CharData:
			if len(bytes.TrimSpace(token)) > 0 {
				return errNoLogo
			}
		}
	}
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
