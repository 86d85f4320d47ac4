package providertest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	RouteColors   = "POST /console/tenant/update-colors"
	RouteLogos    = "POST /upload/console/tenant/upload-logos"
	Branding      = "reseller_branding.acme"
	WithUploadURL = "  upload_url = \"https://upload.simulator.invalid\"\n"
)

// Branded is the block of a branding; extra lines go inside.
func (w *LabelEnv) Branded(extra string) string {
	return w.ConfigWith(WithUploadURL, fmt.Sprintf("resource \"reseller_branding\" \"acme\" {\n  domain = %q\n%s\n}\n", AcmeHost, extra))
}

// Drawn is a PNG of one color.
func Drawn(t *testing.T, width, height int, c color.Color) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		for y := range height {
			img.Set(x, y, c)
		}
	}
	var buf bytes.Buffer
	require.NoError(t, png.Encode(&buf, img))
	return buf.Bytes()
}

func Hashed(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
