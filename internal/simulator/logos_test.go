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
	"net/http"
	"regexp"
	"strings"
	"testing"

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
	case "text":
		buf.WriteString("no image at all")
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

// A resized image shows what was sent.
func TestAResizedLogoShowsWhatWasSent(t *testing.T) {
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

// An upload is in the journal by digest and size, and so are long texts, rejected or not; an incomplete form is not.
func TestTheJournalHasUploadsByDigest(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	long := strings.Repeat("x", 1<<20)
	c.sim.ResetJournal()
	upload(c, logosOf(client, "logo", paddedTo(imageOf(t, "png", 4, 4), 1<<20))).data()
	upload(c, logosOf(client, "logo", long)).rejected(http.StatusBadRequest, "LIMIT_UNEXPECTED_FILE")
	c.post("/console/tenant/update-colors", object{"domain": client, "colorPrimary": long}).rejected(http.StatusBadRequest, "INVALID_COLOR")
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

// What is no whole form is rejected at the upload address, and JSON that is longer than what is read at the other.
func TestUnreadBodiesAreRejected(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	body, contentType := logosOf(client, "logo", imageOf(t, "png", 4, 4)).encode(t)
	uploadBody(c, "{}", "application/json").rejected(http.StatusBadRequest, "INVALID_DATA")
	uploadBody(c, strings.TrimSuffix(strings.TrimSpace(body), "--"), contentType).rejected(http.StatusBadRequest, "INVALID_DATA")
	upload(c, logosOf(client, "logo", imageOf(t, "png", 4, 4)).and("logo", []byte("x"))).rejected(http.StatusBadRequest, "LIMIT_UNEXPECTED_FILE")
	long := `{"domain":"` + client + `","colorPrimary":"#0a0"}` + strings.Repeat(" ", 16<<20)
	c.post("/console/tenant/update-colors", long).rejected(http.StatusBadRequest, "INVALID_REQUEST")
	require.Empty(t, c.sim.Branding(client).Colors)
	require.Empty(t, c.sim.Branding(client).LogoSHA256)
	require.Empty(t, c.sim.Branding("sign.foreign.example"))
}

// bomb is the header of a PNG with a size.
func bomb(t *testing.T, width, height uint32) []byte {
	t.Helper()
	content := imageOf(t, "png", 1, 1)
	const head, sum = 12, 29 // of IHDR: its type, its checksum
	binary.BigEndian.PutUint32(content[head+4:], width)
	binary.BigEndian.PutUint32(content[head+8:], height)
	binary.BigEndian.PutUint32(content[sum:], crc32.ChecksumIEEE(content[head:sum]))
	config, err := png.DecodeConfig(bytes.NewReader(content))
	require.NoError(t, err)
	require.Equal(t, image.Pt(int(width), int(height)), image.Pt(config.Width, config.Height))
	return content
}

// An image with a huge size in its header is rejected because of its header.
func TestAHugeHeaderIsRejected(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	upload(c, logosOf(client, "logo", bomb(t, 1<<20, 1<<20))).rejected(http.StatusBadRequest, "INVALID_IMAGE")
	require.Empty(t, c.sim.Branding(client).LogoSHA256)
}

// The first picture of a GIF stays at its place in the image, whose size alone counts; later pictures are not read.
func TestTheFirstPictureOfAGIFStaysAtItsPlace(t *testing.T) {
	t.Parallel()
	palette := color.Palette{color.Transparent, color.Black, color.White}
	picture := func(at image.Rectangle, index uint8) *image.Paletted {
		p := image.NewPaletted(at, palette)
		for i := range p.Pix {
			p.Pix[i] = index
		}
		return p
	}
	var buf bytes.Buffer
	require.NoError(t, gif.EncodeAll(&buf, &gif.GIF{
		Image: []*image.Paletted{picture(image.Rect(10, 10, 20, 20), 1), picture(image.Rect(0, 0, 100, 50), 2)}, Delay: []int{1, 1},
		Config: image.Config{ColorModel: palette, Width: 100, Height: 50},
	}))
	c, _ := newLabel(t)
	upload(c, logosOf(client, "logo", buf.Bytes())).data()
	img, err := png.Decode(bytes.NewReader(c.sim.Branding(client).Logo))
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 100, 50), img.Bounds())
	require.Equal(t, color.Color(color.RGBA{A: 0xff}), color.RGBAModel.Convert(img.At(15, 15)))
	require.Equal(t, color.Color(color.RGBA{}), color.RGBAModel.Convert(img.At(50, 25)))
}
