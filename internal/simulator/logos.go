package simulator

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	_ "image/gif"  // a format of §4.7
	_ "image/jpeg" // a format of §4.7
	"image/png"
	"math"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

const (
	maxLogoBytes  = 1 << 20
	maxLogoPixels = 4096
)

// logoBoxes are the sizes that images are resized to fit (§4.7).
var logoBoxes = map[string]image.Point{"logo": {270, 90}, "bannerLogo": {500, 500}}

// logo is a stored logo.
type logo struct {
	PNG    []byte `json:"png"`
	SHA256 string `json:"sha256"` // of what was uploaded
}

// uploadLogos implements §4.7: both images are read before either is saved.
func (s *Simulator) uploadLogos(r *request) (any, *apiError) {
	form, rejection := s.logoForm(r)
	if rejection != nil {
		return nil, rejection
	}
	l, rejection := s.logoHost(r, form)
	if rejection != nil {
		return nil, rejection
	}
	saved := map[string]*logo{}
	for name, content := range form.images {
		img, rejection := readLogo(content, l, logoBoxes[name])
		if rejection != nil {
			return nil, rejection
		}
		saved[name] = &logo{PNG: fitted(img, logoBoxes[name]), SHA256: digest(content)}
	}
	l.Logo = cmp.Or(saved["logo"], l.Logo)
	l.BannerLogo = cmp.Or(saved["bannerLogo"], l.BannerLogo)
	return map[string]any{"message": "The logos were saved."}, nil
}

type logoForm struct {
	data   *string
	images map[string][]byte
}

// logoForm reads the parts. Their limits are checked before everything else, as in a library that reads uploads: an
// image that is too large is reported even if the form is longer than what is read of a request.
func (s *Simulator) logoForm(r *request) (*logoForm, *apiError) {
	parts, whole := r.parts()
	if !whole && slices.ContainsFunc(parts, func(p formPart) bool { return isLogo(p.name) && s.tooLarge(p) }) {
		return nil, errLogoSize
	}
	if !whole {
		return nil, bad("INVALID_DATA", "The body is not a complete multipart/form-data form.")
	}
	form := &logoForm{images: map[string][]byte{}}
	for _, part := range parts {
		if rejection := s.takeLogo(form, part); rejection != nil {
			return nil, rejection
		}
	}
	return form, nil
}

var errLogoSize = bad("LIMIT_FILE_SIZE", "An image is larger than 1 MB.")

func isLogo(name string) bool {
	_, ok := logoBoxes[name]
	return ok
}

func (s *Simulator) tooLarge(p formPart) bool {
	if s.forms.isForm("logo-size", "decimal") {
		return len(p.content) > 1_000_000
	}
	return len(p.content) > maxLogoBytes
}

func (s *Simulator) takeLogo(form *logoForm, p formPart) *apiError {
	if p.name == "data" && !p.isFile {
		text := string(p.content)
		form.data = &text
		return nil
	}
	_, twice := form.images[p.name]
	switch {
	case !isLogo(p.name) || twice || !p.isFile:
		return bad("LIMIT_UNEXPECTED_FILE", "The part "+strconv.Quote(p.name)+" is not allowed.")
	case s.tooLarge(p):
		return errLogoSize
	case !slices.Contains(logoTypes, s.logoType(p)):
		return bad("LIMIT_UNEXPECTED_FILE", "An image is not a PNG, JPEG, GIF or SVG.")
	}
	form.images[p.name] = p.content
	return nil
}

// logoTypes are the formats of §4.7.
var logoTypes = []string{"image/png", "image/jpeg", "image/gif", typeSVG}

const typeSVG = "image/svg+xml"

// logoType is the type of a part.
func (s *Simulator) logoType(p formPart) string {
	if s.forms.isForm("logo-type", "content") {
		return sniff(p.content)
	}
	kind, _, _ := mime.ParseMediaType(p.contentType) // "" for none
	return kind
}

// logoHost checks the fields of the form.
func (s *Simulator) logoHost(r *request, form *logoForm) (*label, *apiError) {
	var data struct {
		Domain *string `json:"domain"`
	}
	switch {
	case len(form.images) == 0:
		return nil, bad("NO_FILES", "No image is attached.")
	case form.data == nil || decodeStrict([]byte(*form.data), &data) != nil || data.Domain == nil:
		return nil, bad("INVALID_DATA", "data is missing, or is not JSON with a domain.")
	case blank(*data.Domain):
		return nil, bad("DOMAIN_EMPTY", "domain is empty.")
	case !validHost(strings.ToLower(*data.Domain)):
		return nil, bad("DOMAIN_INVALID", "domain is not a host name.")
	}
	return s.administered(r, *data.Domain)
}

// sniff returns the format of the content.
func sniff(content []byte) string {
	kind := http.DetectContentType(content)
	if slices.Contains(logoTypes, kind) {
		return kind
	}
	if bytes.Contains(utf8Of(content), []byte("<svg")) {
		return typeSVG
	}
	return kind
}

var errImage = bad("INVALID_IMAGE", "An image cannot be read, or is larger than 4096 x 4096 pixels.")

// readLogo decodes an image after a check of its size, which may be that of a decompression bomb. An SVG becomes an
// area in the private label's color.
func readLogo(content []byte, l *label, box image.Point) (image.Image, *apiError) {
	if sniff(content) == typeSVG {
		return readSVG(content, l, box)
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil || config.Width > maxLogoPixels || config.Height > maxLogoPixels {
		return nil, errImage
	}
	img, _, err := image.Decode(bytes.NewReader(content))
	if err != nil || img.Bounds().Empty() {
		return nil, errImage
	}
	return onCanvas(img, image.Rect(0, 0, config.Width, config.Height)), nil
}

// onCanvas draws the first picture of a GIF at its place: it may be smaller than the image.
func onCanvas(img image.Image, canvas image.Rectangle) image.Image {
	if img.Bounds() == canvas {
		return img
	}
	out := image.NewRGBA(canvas)
	draw.Draw(out, img.Bounds(), img, img.Bounds().Min, draw.Src)
	return out
}

// readSVG creates the area in the size that is stored: one of 4096 x 4096 pixels would need 64 MB.
func readSVG(content []byte, l *label, box image.Point) (image.Image, *apiError) {
	root, err := svgRoot(content)
	if err != nil || root.Name.Local != "svg" {
		return nil, errImage
	}
	size := svgSize(root)
	if size.X > maxLogoPixels || size.Y > maxLogoPixels {
		return nil, errImage
	}
	if size.X <= 0 || size.Y <= 0 {
		size = image.Pt(100, 100)
	}
	plain := image.NewRGBA(image.Rectangle{Max: fittedSize(size, box)})
	draw.Draw(plain, plain.Bounds(), image.NewUniform(rgbOf(l.Colors["colorPrimary"])), image.Point{}, draw.Src)
	return plain, nil
}

// rgbOf returns a hex color (§2.1); gray for none.
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

// fitted returns the image within the box as PNG; a small image is not enlarged.
func fitted(img image.Image, box image.Point) []byte {
	size := fittedSize(img.Bounds().Size(), box)
	from := img.Bounds()
	if size == from.Size() {
		return encodePNG(img)
	}
	out := image.NewRGBA64(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			out.SetRGBA64(x, y, mean(img, image.Rect(
				from.Min.X+x*from.Dx()/size.X, from.Min.Y+y*from.Dy()/size.Y,
				from.Min.X+(x+1)*from.Dx()/size.X, from.Min.Y+(y+1)*from.Dy()/size.Y)))
		}
	}
	return encodePNG(out)
}

// mean is the mean color of an area.
func mean(img image.Image, area image.Rectangle) color.RGBA64 {
	var red, green, blue, alpha, count uint64
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			r, g, b, a := img.At(x, y).RGBA()
			red, green, blue, alpha, count = red+uint64(r), green+uint64(g), blue+uint64(b), alpha+uint64(a), count+1
		}
	}
	return color.RGBA64{uint16(red / count), uint16(green / count), uint16(blue / count), uint16(alpha / count)} //nolint:gosec // G115: a mean of 16 bits
}

func encodePNG(img image.Image) []byte {
	var buf bytes.Buffer
	_ = png.Encode(&buf, img) // writing to memory cannot fail
	return buf.Bytes()
}

// fittedSize is the largest size of the same shape within the box, but not larger than the size itself.
func fittedSize(size, box image.Point) image.Point {
	factor := min(1, float64(box.X)/float64(size.X), float64(box.Y)/float64(size.Y))
	side := func(n int) int { return max(1, int(math.Round(float64(n)*factor))) }
	return image.Pt(side(size.X), side(size.Y))
}
