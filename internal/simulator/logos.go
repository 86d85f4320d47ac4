package simulator

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	_ "image/gif"  // a format of §4.7
	_ "image/jpeg" // a format of §4.7
	"image/png"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/draw"
)

const (
	maxLogoBytes  = 1 << 20
	maxLogoPixels = 4096
)

// logoBoxes are what the images are resized to fit (§4.7).
var logoBoxes = map[string]image.Point{"logo": {270, 90}, "bannerLogo": {500, 500}}

// logo as it is kept.
type logo struct {
	PNG    []byte `json:"png"`
	SHA256 string `json:"sha256"` // of what was uploaded
}

// uploadLogos is §4.7: both images are read before either is saved.
func (s *Simulator) uploadLogos(r *request) (any, *refusal) {
	form, refusal := s.logoForm(r)
	if refusal != nil {
		return nil, refusal
	}
	l, refusal := s.logoHost(r, form)
	if refusal != nil {
		return nil, refusal
	}
	saved := map[string]*logo{}
	for name, content := range form.images {
		img, refusal := readLogo(content, l)
		if refusal != nil {
			return nil, refusal
		}
		saved[name] = &logo{PNG: fitted(img, logoBoxes[name]), SHA256: digest(content)}
	}
	if one := saved["logo"]; one != nil {
		l.Logo = one
	}
	if one := saved["bannerLogo"]; one != nil {
		l.BannerLogo = one
	}
	return map[string]any{"message": "The logos were saved."}, nil
}

type logoForm struct {
	data   *string
	images map[string][]byte
}

// logoForm reads the parts. Their limits come before everything else, as they
// do where a library reads uploads: an image that is too large is told also
// where the form goes on longer than a request is read.
func (s *Simulator) logoForm(r *request) (*logoForm, *refusal) {
	boundary, _ := r.boundary()
	parts, whole := readParts(r.body, boundary)
	if !whole && slices.ContainsFunc(parts, func(p formPart) bool { return isLogo(p.name) && s.tooLarge(p) }) {
		return nil, errLogoSize
	}
	if !whole {
		return nil, bad("INVALID_DATA", "The body is not a whole multipart/form-data.")
	}
	form := &logoForm{images: map[string][]byte{}}
	for _, part := range parts {
		if refusal := s.takeLogo(form, part); refusal != nil {
			return nil, refusal
		}
	}
	return form, nil
}

var errLogoSize = bad("LIMIT_FILE_SIZE", "An image has more than 1 MB.")

func isLogo(name string) bool { _, is := logoBoxes[name]; return is }

func (s *Simulator) tooLarge(p formPart) bool {
	if s.assume.Branding.DecimalMegabyte {
		return len(p.content) > 1_000_000
	}
	return len(p.content) > maxLogoBytes
}

func (s *Simulator) takeLogo(form *logoForm, p formPart) *refusal {
	if p.name == "data" && !p.isFile {
		text := string(p.content)
		form.data = &text
		return nil
	}
	_, twice := form.images[p.name]
	switch {
	case !isLogo(p.name) || twice || !p.isFile:
		return bad("LIMIT_UNEXPECTED_FILE", "The part "+strconv.Quote(p.name)+" is not expected.")
	case s.tooLarge(p):
		return errLogoSize
	case !slices.Contains(logoTypes, s.logoType(p)):
		return bad("LIMIT_UNEXPECTED_FILE", "An image is no PNG, JPEG, GIF or SVG.")
	}
	form.images[p.name] = p.content
	return nil
}

// logoTypes are the formats of §4.7.
var logoTypes = []string{"image/png", "image/jpeg", "image/gif", typeSVG}

const typeSVG = "image/svg+xml"

// logoType is the type by which a part is taken.
func (s *Simulator) logoType(p formPart) string {
	if !s.assume.Branding.TypeByPart {
		return sniff(p.content)
	}
	kind, _, _ := mime.ParseMediaType(p.contentType) // "" for none
	return kind
}

// logoHost checks what the form names.
func (s *Simulator) logoHost(r *request, form *logoForm) (*label, *refusal) {
	var data struct {
		Domain *string `json:"domain"`
	}
	switch {
	case len(form.images) == 0:
		return nil, bad("NO_FILES", "Neither image is attached.")
	case form.data == nil || json.Unmarshal([]byte(*form.data), &data) != nil || data.Domain == nil:
		return nil, bad("INVALID_DATA", "data is missing, or not JSON with a domain.")
	case blank(*data.Domain):
		return nil, bad("DOMAIN_EMPTY", "domain is empty.")
	case !validHost(strings.ToLower(*data.Domain)):
		return nil, bad("DOMAIN_INVALID", "domain is not a host name.")
	}
	return s.administered(r, *data.Domain)
}

// sniff tells the format by the content.
func sniff(content []byte) string {
	kind := http.DetectContentType(content)
	if !slices.Contains(logoTypes, kind) && bytes.Contains(content[:min(len(content), 1024)], []byte("<svg")) {
		return typeSVG
	}
	return kind
}

var errImage = bad("INVALID_IMAGE", "An image cannot be read, or is larger than 4096 x 4096 pixels.")

// readLogo decodes an image after a look at its size, which may be a bomb's. An
// SVG is drawn as a plain area of its size in the label's colour.
func readLogo(content []byte, l *label) (image.Image, *refusal) {
	if sniff(content) == typeSVG {
		return readSVG(content, l)
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil || config.Width > maxLogoPixels || config.Height > maxLogoPixels {
		return nil, errImage
	}
	img, _, err := image.Decode(bytes.NewReader(content))
	if err != nil || img.Bounds().Empty() {
		return nil, errImage
	}
	return img, nil
}

func readSVG(content []byte, l *label) (image.Image, *refusal) {
	decoder := xml.NewDecoder(bytes.NewReader(content))
	decoder.Strict = false
	// Beyond ASCII no other encoding is known: its bytes are no UTF-8.
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var size image.Point
	root := false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && root {
			break
		}
		if err != nil {
			return nil, errImage
		}
		if start, is := token.(xml.StartElement); is && !root {
			if root = start.Name.Local == "svg"; !root {
				return nil, errImage
			}
			size = svgSize(start)
		}
	}
	if size.X > maxLogoPixels || size.Y > maxLogoPixels {
		return nil, errImage
	}
	if size.X <= 0 || size.Y <= 0 {
		size = image.Pt(100, 100)
	}
	plain := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(plain, plain.Bounds(), image.NewUniform(l.plainColor()), image.Point{}, draw.Src)
	return plain, nil
}

// svgSize in pixels as the root states it, else by its viewBox.
func svgSize(root xml.StartElement) image.Point {
	var size, box image.Point
	for _, a := range root.Attr {
		switch a.Name.Local {
		case "width":
			size.X = pixels(a.Value)
		case "height":
			size.Y = pixels(a.Value)
		case "viewBox":
			if parts := strings.FieldsFunc(a.Value, func(r rune) bool { return r == ' ' || r == ',' }); len(parts) == 4 {
				box = image.Pt(pixels(parts[2]), pixels(parts[3]))
			}
		}
	}
	if size.X == 0 {
		size.X = box.X
	}
	if size.Y == 0 {
		size.Y = box.Y
	}
	return size
}

func pixels(text string) int {
	n, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(text), "px"), 64)
	if err != nil || n < 0 {
		return 0
	}
	return int(min(n, 2*maxLogoPixels))
}

// plainColor is the label's main colour.
func (l *label) plainColor() color.Color {
	return rgbOf(l.Colors["colorPrimary"])
}

// rgbOf a hex colour (§2.1); grey for none.
func rgbOf(hex string) color.Color {
	text := strings.TrimPrefix(hex, "#")
	if len(text) == 3 {
		text = strings.Join([]string{text[:1], text[:1], text[1:2], text[1:2], text[2:], text[2:]}, "")
	}
	rgb, err := strconv.ParseUint(text, 16, 24)
	if err != nil {
		rgb = 0x808080
	}
	return color.RGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 0xff} //nolint:gosec // G115: 24 bits, cut into bytes
}

// fitted is the image within the box as PNG; a small one is not enlarged.
func fitted(img image.Image, box image.Point) []byte {
	size := img.Bounds().Size()
	factor := min(1, float64(box.X)/float64(size.X), float64(box.Y)/float64(size.Y))
	to := image.Rect(0, 0, max(1, int(float64(size.X)*factor)), max(1, int(float64(size.Y)*factor)))
	out := image.NewRGBA(to)
	draw.CatmullRom.Scale(out, to, img, img.Bounds(), draw.Over, nil)
	return encodePNG(out)
}

func encodePNG(img image.Image) []byte {
	var buf bytes.Buffer
	_ = png.Encode(&buf, img) // into memory: it cannot fail
	return buf.Bytes()
}
