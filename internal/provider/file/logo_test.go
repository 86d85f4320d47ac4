package file

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"image"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func picture(width, height int) image.Image {
	return image.NewPaletted(image.Rect(0, 0, width, height), palette.WebSafe)
}

func encoded(t *testing.T, format string, img image.Image) []byte {
	t.Helper()
	var buf bytes.Buffer
	var err error
	switch format {
	case "png":
		err = png.Encode(&buf, img)
	case "gif":
		err = gif.Encode(&buf, img, nil)
	default:
		err = jpeg.Encode(&buf, img, nil)
	}
	require.NoError(t, err)
	return buf.Bytes()
}

// padded adds a private chunk to a PNG until it has that many bytes.
func padded(content []byte, size int) []byte {
	const iend, frame = 12, 12 // length, type and checksum of a chunk
	data := make([]byte, size-len(content)-frame)
	chunk := append([]byte("paDd"), data...)
	var out bytes.Buffer
	out.Write(content[:len(content)-iend])
	_ = binary.Write(&out, binary.BigEndian, uint32(len(data)))
	out.Write(chunk)
	_ = binary.Write(&out, binary.BigEndian, crc32.ChecksumIEEE(chunk))
	out.Write(content[len(content)-iend:])
	return out.Bytes()
}

// inUTF16 encodes a text with a byte order mark.
func inUTF16(order binary.AppendByteOrder, text string) (out []byte) {
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		out = order.AppendUint16(out, unit)
	}
	return out
}

func TestOpenLogo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	small := encoded(t, "png", picture(3, 2))
	svg := func(root string) []byte {
		return []byte(`<?xml version="1.0"?><svg ` + root + `><path d="M0 0"/></svg>`)
	}
	for name, tc := range map[string]struct {
		content     []byte
		contentType string
		rejected    string
	}{
		"a.png":          {small, "image/png", ""},
		"a.gif":          {encoded(t, "gif", picture(3, 2)), "image/gif", ""},
		"a.jpeg":         {encoded(t, "jpeg", picture(3, 2)), "image/jpeg", ""},
		"jpeg-named.png": {encoded(t, "jpeg", picture(3, 2)), "image/jpeg", ""},
		"mb.png":         {padded(small, 1e6), "image/png", ""},
		"mb1.png":        {padded(small, 1e6+1), "image/png", ""},
		"1mb.png":        {padded(small, 1<<20), "image/png", ""},
		"1mb1.png":       {padded(small, 1<<20+1), "", "1048577 bytes"},
		"wide.png":       {encoded(t, "png", picture(4096, 1)), "image/png", ""},
		"wider.png":      {encoded(t, "png", picture(4097, 1)), "", "4097 x 1 pixels"},
		"higher.gif":     {encoded(t, "gif", picture(1, 4097)), "", "1 x 4097 pixels"},
		"wider.jpeg":     {encoded(t, "jpeg", picture(4097, 1)), "", "4097 x 1 pixels"},
		"cut.png":        {small[:len(small)-20], "image/png", ""}, // only a warning: the API decides
		"head.png":       {small[:12], "", "cannot be read as the image it claims to be"},
		"empty.png":      {nil, "", "is empty"},
		"text.png":       {[]byte("this is no image"), "", "is not a PNG, JPEG, GIF or SVG"},
		"page.svg":       {[]byte("<html><svg/></html>"), "", "is not a PNG, JPEG, GIF or SVG"},
		"a.svg":          {svg(`width="270" height="90"`), "image/svg+xml", ""},
		"plain.svg":      {svg(``), "image/svg+xml", ""},
		"percent.svg":    {svg(`width="100%" height="100%" viewBox="0 0 270 90"`), "image/svg+xml", ""},
		"entity.svg":     {[]byte(`<!DOCTYPE svg [ <!ENTITY ns_svg "http://www.w3.org/2000/svg"> <!ENTITY w '12'> ]><svg xmlns="&ns_svg;" width="&w;"/>`), "image/svg+xml", ""},
		"unknown.svg":    {svg(`xmlns="&ns_svg;"`), "image/svg+xml", ""},
		"marked.svg":     {append([]byte("\ufeff"), svg(``)...), "image/svg+xml", ""},
		"latin.svg":      {[]byte(`<?xml version="1.0" encoding="ISO-8859-1"?><svg/>`), "image/svg+xml", ""},
		"utf16.svg":      {inUTF16(binary.LittleEndian, `<?xml version="1.0" encoding="UTF-16"?><svg width="270"/>`), "image/svg+xml", ""},
		"utf16be.svg":    {inUTF16(binary.BigEndian, `<svg width="4097"/>`), "", "4097 x 0 pixels"},
		"utf16.txt":      {inUTF16(binary.LittleEndian, "this is no image"), "", "is not a PNG, JPEG, GIF or SVG"},
		"late.svg":       {[]byte("<!--" + strings.Repeat(" ", 2000) + "--><svg/>"), "image/svg+xml", ""},
		"before.svg":     {[]byte(`a <svg/>`), "", "is not a PNG, JPEG, GIF or SVG"},
		"comment.svg":    {[]byte(`<svg/><!-- made by hand -->`), "image/svg+xml", ""},
		"endless.svg":    {svg(`width="1e999"`), "", "pixels"},
		"negative.svg":   {svg(`width="-5000" height="NaN"`), "image/svg+xml", ""},
		"edge.svg":       {svg(`width="4096px" height="1in"`), "image/svg+xml", ""},
		"wide.svg":       {svg(`width="4097" height="90"`), "", "4097 x 90 pixels"},
		"broken.svg":     {[]byte(`<svg width="`), "", "is not a PNG, JPEG, GIF or SVG"},
		"inches.svg":     {svg(`width="43in" height="1cm"`), "image/svg+xml", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(dir, name)
			require.NoError(t, os.WriteFile(path, tc.content, 0o600))
			file, err := OpenLogo(path)
			if tc.rejected != "" {
				assert.ErrorContains(t, err, tc.rejected, "error, want one with the path and %q", tc.rejected)
				assert.ErrorContains(t, err, path, "error, want one with the path and %q", tc.rejected)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, file.Damage != nil, name == "cut.png", "damage %v", file.Damage)
			sum := sha256.Sum256(tc.content)
			large := len(tc.content) > 1_000_000
			assert.Equal(t, large, file.MayBeTooLarge(), "may be too large: %v", !large)
			assert.Equal(t, tc.contentType, file.ContentType, "with the hash %s", file.SHA256)
			assert.Equal(t, hex.EncodeToString(sum[:]), file.SHA256, "%s with the hash", file.ContentType)
		})
	}
}

func TestOpenLogo_NoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "none.png"): "there is no file",
		dir:                            "is not a file",
		"~/none.png":                   `pathexpand("~/none.png")`,
	} {
		_, err := OpenLogo(path)
		assert.ErrorContains(t, err, want, "%s: error, want %q", path, want)
	}
}

// A file that changes is checked again.
func TestOpenLogo_Changed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "logo.png")
	for i, content := range [][]byte{encoded(t, "png", picture(3, 2)), []byte("no image"), encoded(t, "png", picture(3, 2))} {
		require.NoError(t, os.WriteFile(path, content, 0o600))
		_, err := OpenLogo(path)
		assert.Equal(t, i == 1, err != nil, "content %d: error %v", i, err)
	}
}

func TestContrastRatio(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		a, b string
		want float64
	}{
		{"#fff", "#000000", 21},
		{"#000", "#FFFFFF", 21},
		{"#0a0", "#00aa00", 1},
		{"#777777", "#fff", 4.478089453577214}, // the example of many texts on WCAG: just not enough
		{"#767676", "#fff", 4.542225104859655}, // and just enough
		{"#ff0000", "#0000ff", 2.148940690108307},
	} {
		got := fwtype.ContrastRatio(fwtype.NewText[fwtype.ColorKind](tc.a), fwtype.NewText[fwtype.ColorKind](tc.b))
		diff := got - tc.want
		assert.LessOrEqual(t, diff, 1e-3, "%s on %s: %g, want %g", tc.a, tc.b, got, tc.want)
		assert.GreaterOrEqual(t, diff, -1e-3, "%s on %s: %g, want %g", tc.a, tc.b, got, tc.want)
	}
}

// An SVG whose references expand to much text costs what the file has, not the expanded text.
func TestLogo_NestedEntities(t *testing.T) { //nolint:paralleltest // measures what the process allocates
	var bomb strings.Builder
	bomb.WriteString(`<!DOCTYPE svg [<!ENTITY a "` + strings.Repeat("a", 80<<10) + `">`)
	for _, pair := range []string{"ba", "cb", "dc", "ed", "fe"} {
		fmt.Fprintf(&bomb, `<!ENTITY %c "%s">`, pair[0], strings.Repeat("&"+pair[1:]+";", 16))
	}
	bomb.WriteString(`]><svg width="&a;" height="` + strings.Repeat("&a;", 1000) + `">` + strings.Repeat("&a;&f;", 100<<10) + `</svg>`)
	file := filepath.Join(t.TempDir(), "bomb.svg")
	require.NoError(t, os.WriteFile(file, []byte(bomb.String()), 0o600))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := OpenLogo(file)
	runtime.ReadMemStats(&after)
	const most = 200 << 20
	spent := after.TotalAlloc - before.TotalAlloc
	assert.LessOrEqual(t, spent, uint64(most), "a file of %d bytes took %d MB", bomb.Len(), spent>>20)
	assert.NoError(t, err)
}

// A file of any content is checked without a panic, and an accepted one has a type.
func FuzzJudgeImage(f *testing.F) {
	for _, seed := range []string{"\x89PNG\r\n\x1a\n", "GIF89a", "\xff\xd8\xff", `<svg width="10" height="10"/>`, `<svg viewBox="0 0 1e9 1"/>`, "text"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		kind, err := JudgeImage(content)
		assert.True(t, err != nil || strings.HasPrefix(kind, "image/"), "treated as %q", kind)
	})
}
