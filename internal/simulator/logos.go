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
	"mime/multipart"
	"net/http"
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
	form, refusal := r.logoForm()
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
// do where a library reads uploads.
func (r *request) logoForm() (*logoForm, *refusal) {
	kind, params, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || !bytes.Contains(r.body, []byte("--"+params["boundary"]+"--")) {
		return nil, bad("INVALID_DATA", "The body is not a whole multipart/form-data.")
	}
	form := &logoForm{images: map[string][]byte{}}
	parts := multipart.NewReader(bytes.NewReader(r.body), params["boundary"])
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return form, nil
		}
		if err != nil {
			return nil, bad("INVALID_DATA", "The form cannot be read.")
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return nil, bad("INVALID_DATA", "The form cannot be read.")
		}
		if refusal := form.take(part.FormName(), part.FileName() != "", content); refusal != nil {
			return nil, refusal
		}
	}
}

func (f *logoForm) take(name string, isFile bool, content []byte) *refusal {
	if name == "data" && !isFile {
		text := string(content)
		f.data = &text
		return nil
	}
	_, expected := logoBoxes[name]
	_, twice := f.images[name]
	switch {
	case !expected || twice || !isFile:
		return bad("LIMIT_UNEXPECTED_FILE", "The part "+strconv.Quote(name)+" is not expected.")
	case len(content) > maxLogoBytes:
		return bad("LIMIT_FILE_SIZE", "An image has more than 1 MB.")
	case sniff(content) == "":
		return bad("LIMIT_UNEXPECTED_FILE", "An image is no PNG, JPEG, GIF or SVG.")
	}
	f.images[name] = content
	return nil
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

// sniff tells the format by the content; "" for none that is taken.
func sniff(content []byte) string {
	switch kind := http.DetectContentType(content); kind {
	case "image/png", "image/jpeg", "image/gif":
		return kind
	}
	if bytes.Contains(content[:min(len(content), 1024)], []byte("<svg")) {
		return "image/svg+xml"
	}
	return ""
}

var errImage = bad("INVALID_IMAGE", "An image cannot be read, or is larger than 4096 x 4096 pixels.")

// readLogo decodes an image after a look at its size, which may be a bomb's. An
// SVG is drawn as a plain area of its size in the label's colour.
func readLogo(content []byte, l *label) (image.Image, *refusal) {
	if sniff(content) == "image/svg+xml" {
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

// plainColor is the label's main colour, grey for none.
func (l *label) plainColor() color.Color {
	text := strings.TrimPrefix(l.Colors["colorPrimary"], "#")
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
	var buf bytes.Buffer
	_ = png.Encode(&buf, out) // into memory: it cannot fail
	return buf.Bytes()
}
