package simulator_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const logosPath = "/console/tenant/upload-logos"

// upload posts a form to the upload address.
func upload(c *caller, f form) *reply {
	c.t.Helper()
	body, contentType := f.encode(c.t)
	return uploadBody(c, body, contentType)
}

func uploadBody(c *caller, body, contentType string) *reply {
	c.t.Helper()
	other := *c
	if other.base == simulator.BaseURL {
		other.base = simulator.UploadURL
	} else {
		other.base += simulator.UploadPrefix
	}
	return other.call(logosPath, body, contentType)
}

// logosOf is a form for a host, with images by part name.
func logosOf(domain string, images ...any) form {
	f := form{}.and("data", object{"domain": domain})
	for i := 0; i+1 < len(images); i += 2 {
		f = f.and(fmt.Sprint(images[i]), images[i+1])
	}
	return f
}

func imageOf(t *testing.T, format string, width, height int) []byte {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White, color.Black})
	var buf bytes.Buffer
	switch format {
	case "png":
		require.NoError(t, png.Encode(&buf, img))
	case "gif":
		require.NoError(t, gif.Encode(&buf, img, nil))
	case "jpeg":
		require.NoError(t, jpeg.Encode(&buf, img, nil))
	default:
		fmt.Fprintf(&buf, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d"><path d="M0 0"/></svg>`, width, height)
	}
	return buf.Bytes()
}

// paddedTo extends a PNG to a number of bytes with a private chunk.
func paddedTo(content []byte, size int) []byte {
	const end, frame = 12, 12 // of a chunk: length, type and checksum
	chunk := append([]byte("paDd"), make([]byte, size-len(content)-frame)...)
	out := bytes.Clone(content[:len(content)-end])
	out = binary.BigEndian.AppendUint32(out, uint32(len(chunk)-4))
	out = append(out, chunk...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(chunk))
	return append(out, content[len(content)-end:]...)
}

// sizeOf decodes what was stored, which is always a PNG.
func sizeOf(t *testing.T, content []byte) image.Point {
	t.Helper()
	config, err := png.DecodeConfig(bytes.NewReader(content))
	require.NoError(t, err)
	return image.Pt(config.Width, config.Height)
}

func TestSection4_7_Logos(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"png", "gif", "jpeg", "svg"} {
		eachFront(t, format, func(t *testing.T, c *caller) {
			c.provision(client)
			got := upload(c, logosOf(client, "logo", imageOf(t, format, 540, 90), "bannerLogo", imageOf(t, format, 300, 600))).data()
			exactly(t, object{"message": sentence}, got)
			books := c.sim.Branding(client)
			require.Equal(t, image.Pt(270, 45), sizeOf(t, books.Logo))
			require.Equal(t, image.Pt(250, 500), sizeOf(t, books.BannerLogo))
			// One logo leaves the other unchanged; a small one is not enlarged.
			upload(c, logosOf(client, "logo", imageOf(t, format, 30, 10))).data()
			require.Equal(t, image.Pt(30, 10), sizeOf(t, c.sim.Branding(client).Logo))
			require.Equal(t, books.BannerSHA256, c.sim.Branding(client).BannerSHA256)
		})
	}
}

// A resized image shows what was sent.
func TestSection4_7_Resized(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	red, blue := color.RGBA{0xff, 0, 0, 0xff}, color.RGBA{0, 0, 0xff, 0xff}
	flag := image.NewRGBA(image.Rect(0, 0, 1000, 40))
	draw.Draw(flag, image.Rect(0, 0, 500, 40), image.NewUniform(red), image.Point{}, draw.Src)
	draw.Draw(flag, image.Rect(500, 0, 1000, 40), image.NewUniform(blue), image.Point{}, draw.Src)
	var buf bytes.Buffer
	require.NoError(t, png.Encode(&buf, flag))
	upload(c, logosOf(client, "logo", buf.Bytes())).data()
	stored, err := png.Decode(bytes.NewReader(c.sim.Branding(client).Logo))
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 270, 11), stored.Bounds())
	require.Equal(t, color.Color(red), color.RGBAModel.Convert(stored.At(130, 5)))
	require.Equal(t, color.Color(blue), color.RGBAModel.Convert(stored.At(140, 5)))
}

func TestSection4_7_Refusals(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	small := imageOf(t, "png", 4, 4)
	for name, tc := range map[string]struct {
		form form
		code string
	}{
		"no image":          {logosOf(client), "NO_FILES"},
		"blank domain":      {logosOf(" ", "logo", small), "DOMAIN_EMPTY"},
		"no host name":      {logosOf("https://sign.client.example", "logo", small), "DOMAIN_INVALID"},
		"another part":      {logosOf(client, "logo", small, "icon", small), "LIMIT_UNEXPECTED_FILE"},
		"the same twice":    {logosOf(client, "logo", small, "logo", small), "LIMIT_UNEXPECTED_FILE"},
		"a text for a file": {logosOf(client, "logo", "text"), "LIMIT_UNEXPECTED_FILE"},
		"a text as a file":  {logosOf(client, "logo", []byte("no image at all")), "LIMIT_UNEXPECTED_FILE"},
		"data as a file":    {form{}.and("data", []byte(`{"domain":"`+client+`"}`)).and("logo", small), "LIMIT_UNEXPECTED_FILE"},
		"cut":               {logosOf(client, "logo", small[:len(small)-16]), "INVALID_IMAGE"},
		"only its head":     {logosOf(client, "logo", small[:10]), "INVALID_IMAGE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			upload(c, tc.form).rejected(http.StatusBadRequest, tc.code)
		})
	}
}

// Both images are read before either is saved.
func TestSection4_7_AllOrNothing(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	small := imageOf(t, "png", 4, 4)
	upload(c, logosOf(client, "logo", small, "bannerLogo", imageOf(t, "gif", 4, 4))).data()
	before := c.sim.Branding(client)
	upload(c, logosOf(client, "logo", small, "bannerLogo", small[:30])).rejected(http.StatusBadRequest, "INVALID_IMAGE")
	upload(c, logosOf(client, "logo", small[:30], "bannerLogo", small)).rejected(http.StatusBadRequest, "INVALID_IMAGE")
	require.Equal(t, before.LogoSHA256, c.sim.Branding(client).LogoSHA256)
	require.Equal(t, before.BannerSHA256, c.sim.Branding(client).BannerSHA256)
}

// 4096 pixels are allowed in each direction, and not one more, in any format.
func TestSection4_7_Pixels(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"png", "jpeg", "gif", "svg"} {
		withLabel(t, format, func(t *testing.T, c *caller, _ string) {
			upload(c, logosOf(client, "logo", imageOf(t, format, 4096, 1), "bannerLogo", imageOf(t, format, 1, 4096))).data()
			require.Equal(t, image.Pt(270, 1), sizeOf(t, c.sim.Branding(client).Logo))
			require.Equal(t, image.Pt(1, 500), sizeOf(t, c.sim.Branding(client).BannerLogo))
			upload(c, logosOf(client, "logo", imageOf(t, format, 4097, 1))).rejected(http.StatusBadRequest, "INVALID_IMAGE")
			upload(c, logosOf(client, "bannerLogo", imageOf(t, format, 1, 4097))).rejected(http.StatusBadRequest, "INVALID_IMAGE")
		})
	}
}

// An image that is longer than what is read of a request is reported as too large.
func TestSection4_7_FarTooLarge(t *testing.T) {
	t.Parallel()
	eachFront(t, "", func(t *testing.T, c *caller) {
		c.provision(client)
		upload(c, logosOf(client, "logo", make([]byte, 17<<20))).rejected(http.StatusBadRequest, "LIMIT_FILE_SIZE")
		// JSON of that length is not read, even if it begins correctly.
		c.post(colorsPath, `{"domain":"`+client+`","colorPrimary":"#0a0"}`+strings.Repeat(" ", 16<<20)).rejected(http.StatusBadRequest, "INVALID_REQUEST")
		require.Len(t, c.sim.Branding(client).Colors, 0)
	})
}

func TestSection4_7_DecimalMegabyte(t *testing.T) {
	t.Parallel()
	c, _ := assumingPeople(t, simulator.Forms{"logo-size": "decimal"})
	small := imageOf(t, "png", 4, 4)
	upload(c, logosOf(client, "logo", paddedTo(small, 1_000_001))).rejected(http.StatusBadRequest, "LIMIT_FILE_SIZE")
	upload(c, logosOf(client, "logo", paddedTo(small, 1_000_000))).data()
}

// typed is a form of one logo whose part states a type.
func typed(t *testing.T, contentType string, content []byte) (body, formType string) {
	t.Helper()
	var buf bytes.Buffer
	w := multipart.NewWriter(&buf)
	require.NoError(t, w.WriteField("data", `{"domain":"`+client+`"}`))
	head := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="logo"; filename="logo"`}}
	if contentType != "" {
		head.Set("Content-Type", contentType)
	}
	file, err := w.CreatePart(head)
	require.NoError(t, err)
	_, err = file.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return buf.String(), w.FormDataContentType()
}

func TestSection4_7_TypeByPart(t *testing.T) {
	t.Parallel()
	const unexpected = "LIMIT_UNEXPECTED_FILE"
	content, text := imageOf(t, "png", 4, 4), []byte("no image at all")
	for name, tc := range map[string]struct {
		kind              string
		content           []byte
		byContent, byPart string // code; empty for a success
	}{
		"as it is":       {"image/png", content, "", ""},
		"with a charset": {"image/svg+xml; charset=utf-8", imageOf(t, "svg", 4, 4), "", ""},
		"of another":     {"image/gif", content, "", ""},
		"of bytes":       {"application/octet-stream", content, "", unexpected},
		"none":           {"", content, "", unexpected},
		"of no image":    {"image/png", text, unexpected, "INVALID_IMAGE"},
		"a text":         {"text/plain", text, unexpected, unexpected},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for by, code := range map[string]string{"content": tc.byContent, "part": tc.byPart} {
				c, _ := assumingPeople(t, simulator.Forms{"logo-type": by})
				body, contentType := typed(t, tc.kind, tc.content)
				got := uploadBody(c, body, contentType)
				if code == "" {
					got.data()
					continue
				}
				got.rejected(http.StatusBadRequest, code)
			}
		})
	}
}

func TestSection4_7_BlockedIsNotFound(t *testing.T) {
	t.Parallel()
	c, _ := assumingPeople(t, simulator.Forms{"upload-at-base": "not-found"})
	c.post(logosPath, object{}).rejected(http.StatusNotFound, "NOT_FOUND")
	upload(c, logosOf(client, "logo", imageOf(t, "png", 4, 4))).data()
}

func TestSection4_7_Address(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	f := logosOf(client, "logo", imageOf(t, "png", 4, 4))
	body, contentType := f.encode(t)
	got := c.call(logosPath, body, contentType) // the base URL
	assert.Equal(t, http.StatusForbidden, got.status, "the base address answers %s", got.raw)
	assert.Contains(t, got.raw, "blocked", "the base address answers %d", got.status)
	uploadBody(c, "{}", "application/json").rejected(http.StatusBadRequest, "INVALID_DATA")
	uploadBody(c, strings.TrimSuffix(strings.TrimSpace(body), "--"), contentType).rejected(http.StatusBadRequest, "INVALID_DATA")
	require.Equal(t, "", c.sim.Branding(client).LogoSHA256)
}

// An upload is in the journal by digest and size, and so are long texts, rejected or not; an incomplete form is not.
func TestSection4_7_Journal(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	long := strings.Repeat("x", 1<<20)
	c.sim.ResetJournal()
	upload(c, logosOf(client, "logo", paddedTo(imageOf(t, "png", 4, 4), 1<<20))).data()
	upload(c, logosOf(client, "logo", long)).rejected(http.StatusBadRequest, "LIMIT_UNEXPECTED_FILE")
	c.post(colorsPath, object{"domain": client, "colorPrimary": long}).rejected(http.StatusBadRequest, "INVALID_COLOR")
	uploadBody(c, long, "multipart/form-data; boundary=none").rejected(http.StatusBadRequest, "INVALID_DATA")
	journal := c.sim.Journal()
	require.Len(t, journal, 4)
	digest := regexp.MustCompile(`^[0-9a-f]{64}$`)
	for i, want := range []object{
		{"data": regexp.MustCompile(client), "logo": object{"size": float64(1 << 20), "sha256": c.sim.Branding(client).LogoSHA256}},
		{"data": regexp.MustCompile(client), "logo": object{"size": float64(1 << 20), "sha256": digest}},
		{"size": regexp.MustCompile(`^1.*`), "sha256": digest},
	} {
		var fields object
		require.NoError(t, json.Unmarshal(journal[i].Body, &fields))
		exactly(t, want, fields)
	}
	require.Len(t, journal[3].Body, 0)
}

// An SVG is stored as an area in the private label's color.
func TestSection4_7_SVGIsPlain(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]color.RGBA{"#0a0": {0, 0xaa, 0, 0xff}, "#112233": {0x11, 0x22, 0x33, 0xff}, "": {0x80, 0x80, 0x80, 0xff}} {
		c, _ := newLabel(t)
		c.post(colorsPath, object{"domain": client, "colorPrimary": given}).data()
		upload(c, logosOf(client, "logo", imageOf(t, "svg", 20, 10))).data()
		img, err := png.Decode(bytes.NewReader(c.sim.Branding(client).Logo))
		require.NoError(t, err)
		r, g, b, _ := img.At(5, 5).RGBA()
		assert.Equal(t, want, color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff})
	}
}
