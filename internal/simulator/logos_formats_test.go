package simulator_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// 1 MB is allowed and a byte more is not, for each image by itself.
func TestSection4_7_Bytes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"logo", "bannerLogo"} {
		c, _ := newLabel(t)
		small := imageOf(t, "png", 4, 4)
		upload(c, logosOf(client, name, paddedTo(small, 1<<20))).data()
		upload(c, logosOf(client, name, paddedTo(small, 1<<20+1))).rejected(http.StatusBadRequest, "LIMIT_FILE_SIZE")
	}
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
func TestSection4_7_Bomb(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	upload(c, logosOf(client, "logo", bomb(t, 1<<20, 1<<20))).rejected(http.StatusBadRequest, "INVALID_IMAGE")
	upload(c, logosOf(client, "logo", []byte(`<svg width="1e999" height="1"/>`))).rejected(http.StatusBadRequest, "INVALID_IMAGE")
	require.Equal(t, "", c.sim.Branding(client).LogoSHA256)
}

// The first picture of a GIF stays at its place in the image, whose size alone counts; later pictures are not read.
func TestSection4_7_GIF(t *testing.T) {
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

// The stored image reaches its box exactly in one direction, for any size.
func TestSection4_7_Fit(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	for size, want := range map[image.Point]image.Point{
		{270, 90}: {270, 90}, {271, 1}: {270, 1}, {1, 4096}: {1, 90}, {4096, 4096}: {90, 90}, {535, 1}: {270, 1}, {2140, 1}: {270, 1}, {1, 156}: {1, 90}, {100, 180}: {50, 90},
	} {
		upload(c, logosOf(client, "logo", imageOf(t, "svg", size.X, size.Y))).data()
		assert.Equal(t, want, sizeOf(t, c.sim.Branding(client).Logo), size)
	}
}

func TestSection4_7_SVGForms(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		svg  string
		size image.Point // stored; the zero value is INVALID_IMAGE
	}{
		"no four numbers":       {`<svg viewBox="0 0 8"/>`, image.Pt(90, 90)},
		"declared as Latin 1":   {`<?xml version="1.0" encoding="ISO-8859-1"?><svg width="3" height="2"/>`, image.Pt(3, 2)},
		"in Latin 1":            {"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><svg><!--\xe4--><text>\xe4</text></svg>", image.Point{}},
		"box too wide":          {`<svg viewBox="0 0 5000 10"/>`, image.Point{}},
		"a page":                {`<html><svg/></html>`, image.Point{}},
		"a late root":           {"<!--" + strings.Repeat(" ", 2000) + `--><svg width="20" height="10"/>`, image.Pt(20, 10)},
		"in UTF-16":             {"\xff\xfe<\x00s\x00v\x00g\x00/\x00>\x00", image.Pt(90, 90)},
		"in UTF-16, big endian": {"\xfe\xff\x00<\x00s\x00v\x00g\x00/\x00>", image.Pt(90, 90)},
		"both sides":            {`<svg width="20" height="10"/>`, image.Pt(20, 10)},
		"in px":                 {`<svg width="20px" height=" 10px "/>`, image.Pt(20, 10)},
		"sides before box":      {`<svg width="20" height="10" viewBox="0 0 5000 5000"/>`, image.Pt(20, 10)},
		"box":                   {`<svg viewBox="0 0 20 10"/>`, image.Pt(20, 10)},
		"box with commas":       {`<svg viewBox="0,0, 20,10"/>`, image.Pt(20, 10)},
		"box with tabs":         {"<svg viewBox=\"0\t0\n20\t10\"/>", image.Pt(20, 10)},
		"percent and box":       {`<svg width="100%" height="100%" viewBox="0 0 20 10"/>`, image.Pt(20, 10)},
		"width and box":         {`<svg width="40" viewBox="0 0 20000 10000"/>`, image.Pt(40, 20)},
		"height and box":        {`<svg height="20" viewBox="0 0 20 10"/>`, image.Pt(40, 20)},
		"nothing":               {`<svg/>`, image.Pt(90, 90)},
		"not a number":          {`<svg width="NaN" height="-4"/>`, image.Pt(90, 90)},
		"a fraction":            {`<svg width="0.4" height="19.5"/>`, image.Pt(1, 20)},
		"a prefix":              {`<svg:svg xmlns:svg="http://www.w3.org/2000/svg" width="20" height="10"/>`, image.Pt(20, 10)},
		"behind a mark":         {"\ufeff<?xml version=\"1.0\"?>\n<!-- drawn --><svg width=\"20\" height=\"10\"/>\n", image.Pt(20, 10)},
		"an entity of its own":  {`<!DOCTYPE svg [<!ENTITY ns "http://client.example/"><!ENTITY w '20'>]><svg xmlns:x="&ns;" width="&w;" height="10"/>`, image.Pt(20, 10)},
		"a fraction too wide":   {`<svg width="4096.5" height="10"/>`, image.Point{}},
		"width and box too big": {`<svg width="4000" viewBox="0 0 10 20"/>`, image.Point{}},
		"infinite":              {`<svg width="Inf" height="10"/>`, image.Point{}},
		"not closed":            {`<svg width="20" height="10"><path></svg>`, image.Point{}},
		"cut":                   {`<svg width="20" height="10"><path/>`, image.Point{}},
		"no quotes":             {`<svg width=20 height="10"/>`, image.Point{}},
		"an unknown entity":     {`<svg width="20" height="10">&nbsp;</svg>`, image.Point{}},
		"two roots":             {`<svg width="20" height="10"/><svg/>`, image.Point{}},
		"a text behind":         {`<svg width="20" height="10"/>tail`, image.Point{}},
		"a text before":         {`head <svg width="20" height="10"/>`, image.Point{}},
		"in another root":       {`<g><svg width="20" height="10"/></g>`, image.Point{}},
		"in a comment only":     {`<!-- <svg/> -->`, image.Point{}},
	} {
		withLabel(t, name, func(t *testing.T, c *caller, _ string) {
			got := upload(c, logosOf(client, "logo", []byte(tc.svg)))
			if tc.size == (image.Point{}) {
				got.rejected(http.StatusBadRequest, "INVALID_IMAGE")
				require.Equal(t, "", c.sim.Branding(client).LogoSHA256)
				return
			}
			got.data()
			require.Equal(t, tc.size, sizeOf(t, c.sim.Branding(client).Logo))
		})
	}
}

// data has a domain and nothing else, in this spelling.
func TestSection4_7_Data(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	small := imageOf(t, "png", 4, 4)
	for _, text := range []string{
		fmt.Sprintf(`{"Domain":%q}`, client), fmt.Sprintf(`{"domain":%q,"host":1}`, client), fmt.Sprintf(`{"domain":%q}{}`, client),
		`{"host":1}`, client, `{"domain":null}`, `{"domain":7}`, `null`, `[]`, `""`, ``,
	} {
		upload(c, form{}.and("data", text).and("logo", small)).rejected(http.StatusBadRequest, "INVALID_DATA", text)
	}
	require.Equal(t, "", c.sim.Branding(client).LogoSHA256)
	upload(c, form{}.and("logo", small)).rejected(http.StatusBadRequest, "INVALID_DATA")
	upload(c, form{}.and("data", fmt.Sprintf(` {"domain":%q} `, strings.ToUpper(client))).and("logo", small)).data()
}
