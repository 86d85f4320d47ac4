package client

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// withUpload sets an upload URL, and returns an error for requests to any other host.
func withUpload(cfg *Config) {
	cfg.BaseURL, cfg.UploadURL = "https://api.wrong.invalid", "https://upload.example"
	next := cfg.Transport
	cfg.Transport = transporttest.Answer(func(r *http.Request) (*http.Response, error) {
		if r.URL.Host != "upload.example" {
			return nil, errors.New("sent to " + r.URL.Host)
		}
		return next.RoundTrip(r)
	})
}

func logoFile(t *testing.T, name string, content []byte) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return &File{Path: path, ContentType: "image/png"}
}

// uploaded returns the parts of form i by name.
func uploaded(s *transporttest.Fake, i int) map[string]transporttest.Part {
	parts := map[string]transporttest.Part{}
	for _, part := range s.Form(i) {
		parts[part.Name] = part
	}
	return parts
}

// Both files are sent whole to the upload URL, with a known length, and again after a lost response.
func TestUploadLogos(t *testing.T) {
	t.Parallel()
	name := `lo"go.png`
	if runtime.GOOS == "windows" { // where a file name cannot contain a quotation mark
		name = "lo'go.png"
	}
	s := transporttest.Expect(t, `
		POST /console/tenant/upload-logos -> reset
		POST /console/tenant/upload-logos -> 200 {"message":"Saved"}
	`)
	c, _ := dial(t, s, withUpload)
	err := c.UploadLogos(t.Context(), upperHost, Logos{Logo: logoFile(t, name, []byte("the logo")), BannerLogo: logoFile(t, "banner.png", bytes.Repeat([]byte("b"), MaxLogoBytes))}).Err
	require.NoError(t, err)
	for i := range 2 {
		assert.Equal(t, int64(len(s.Body(i))), s.Request(i).ContentLength, "try %d: Content-Length, body %d", i, len(s.Body(i)))
		assert.Equal(t, []transporttest.Part{
			{Name: "data", Content: `{"domain":"` + transporttest.Host + `"}`},
			{Name: "logo", FileName: name, ContentType: "image/png", Content: "the logo"},
			{Name: "bannerLogo", FileName: "banner.png", ContentType: "image/png", Content: strings.Repeat("b", MaxLogoBytes)},
		}, s.Form(i), "try %d", i)
	}
}

func TestUploadLogos_OneAlone(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, "POST /console/tenant/upload-logos -> 200 {}")
	c, _ := dial(t, s, withUpload)
	require.NoError(t, c.UploadLogos(t.Context(), transporttest.Host, Logos{BannerLogo: logoFile(t, "b.svg", []byte("<svg/>"))}).Err)
	parts := uploaded(s, 0)
	assert.NotContains(t, parts, "logo")
	assert.NotEmpty(t, parts["bannerLogo"].Content, "parts %v", parts)
}

func TestUploadLogos_NotSent(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, "")
	c, _ := dial(t, s)
	logo := logoFile(t, "logo.png", []byte("x"))
	assert.ErrorIs(t, c.UploadLogos(t.Context(), transporttest.Host, Logos{Logo: logo}).Err, ErrNoUploadURL, "without an address")
	c, _ = dial(t, s, withUpload)
	assert.ErrorIs(t, c.UploadLogos(t.Context(), transporttest.Host, Logos{Logo: &File{Path: filepath.Join(t.TempDir(), "none.png")}}).Err, os.ErrNotExist,
		"without a file")
	assert.Error(t, c.UploadLogos(t.Context(), transporttest.Host, Logos{Logo: &File{Path: t.TempDir()}}).Err, "a directory was treated as a file")
	_, err := New(Config{BaseURL: "https://api.example", AccessToken: "token-token", UploadURL: "ftp://x"})
	assert.Error(t, err, "an upload address that is none was taken")
}

// Many servers parse part headers by hand: both parameters are in quotes, and a file name is never in the extended form
// of RFC 5987.
func TestUploadLogos_PartHeaders(t *testing.T) {
	t.Parallel()
	for fileName, want := range map[string]string{
		"logo.png":        `name="logo"; filename="logo.png"`,
		"büro logo.png":   `name="logo"; filename="büro logo.png"`,
		"日本.png":          `name="logo"; filename="日本.png"`,
		`lo"go.png`:       `name="logo"; filename="lo\"go.png"`,
		`back\slash.png`:  `name="logo"; filename="back\\slash.png"`,
		"semi;colon.png":  `name="logo"; filename="semi;colon.png"`,
		"line\nbreak.png": `name="logo"; filename="line%0Abreak.png"`,
		"a%20b.png":       `name="logo"; filename="a%20b.png"`,
	} {
		t.Run(fileName, func(t *testing.T) {
			t.Parallel()
			s := transporttest.Expect(t, "POST /console/tenant/upload-logos -> 200 {}")
			c, _ := dial(t, s, withUpload)
			require.NoError(t, c.UploadLogos(t.Context(), transporttest.Host, Logos{Logo: logoFile(t, fileName, []byte("x"))}).Err)
			assert.Equal(t, "form-data; "+want, dispositionOf(s.Body(0), "logo"), "the part")
			want := transporttest.Part{Name: "logo", FileName: fileName, ContentType: "image/png", Content: "x"}
			if got := uploaded(s, 0)["logo"]; fileName != "line\nbreak.png" && got != want {
				t.Errorf("read back as %+v", got)
			}
			assert.Equal(t, `form-data; name="data"`, dispositionOf(s.Body(0), "data"), "the data part")
		})
	}
}

// dispositionOf returns the Content-Disposition of a part in a body.
func dispositionOf(body, name string) string {
	for line := range strings.SplitSeq(body, "\r\n") {
		value, found := strings.CutPrefix(line, "Content-Disposition: ")
		if found && (strings.Contains(value, `name="`+name+`"`) || strings.Contains(value, "name="+name)) {
			return value
		}
	}
	return ""
}
