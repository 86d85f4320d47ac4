package client

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport/transporttest"
)

const reqLogos = "POST /console/tenant/upload-logos"

func withUpload(s *transporttest.Service) func(*Config) {
	return func(cfg *Config) { cfg.BaseURL, cfg.UploadURL = "https://api.wrong.invalid", s.URL }
}

func logoFile(t *testing.T, name string, content []byte) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return &File{Path: path, ContentType: "image/png"}
}

// uploaded reads the parts of a body by name.
func uploaded(t *testing.T, contentType, body string) map[string]string {
	t.Helper()
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatal(err)
	}
	form, err := multipart.NewReader(bytes.NewReader([]byte(body)), params["boundary"]).ReadForm(1 << 24)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name, values := range form.Value {
		out[name] = values[0]
	}
	for name, files := range form.File {
		f, err := files[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		out[name] = files[0].Filename + " " + files[0].Header.Get("Content-Type") + " " + string(content)
	}
	return out
}

// Both files go whole to the upload address, with a known length, and again
// after an answer that was lost.
func TestUploadLogos(t *testing.T) {
	t.Parallel()
	name := `lo"go.png`
	if runtime.GOOS == "windows" { // where a name has no quotation mark
		name = "lo'go.png"
	}
	var types []string
	var lengths []int64
	noting := func(next transporttest.Answer) transporttest.Answer {
		return func(w http.ResponseWriter, r *http.Request) {
			types, lengths = append(types, r.Header.Get("Content-Type")), append(lengths, r.ContentLength)
			next(w, r)
		}
	}
	s := transporttest.Serve(t, transporttest.Step{Request: reqLogos, Answer: noting(transporttest.Reset)}, transporttest.Step{Request: reqLogos, Answer: noting(transporttest.OK(`{"message":"Saved"}`))})
	c, _ := dial(t, s, withUpload(s))
	err := c.UploadLogos(t.Context(), transporttest.Host, Logos{Logo: logoFile(t, name, []byte("the logo")), BannerLogo: logoFile(t, "banner.png", bytes.Repeat([]byte("b"), MaxLogoBytes))})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if lengths[i] != int64(len(s.Body(i))) {
			t.Errorf("try %d: Content-Length %d, body %d", i, lengths[i], len(s.Body(i)))
		}
		parts := uploaded(t, types[i], s.Body(i))
		if parts["data"] != `{"domain":"`+transporttest.Host+`"}` || parts["logo"] != name+" image/png the logo" || len(parts["bannerLogo"]) != MaxLogoBytes+len("banner.png image/png ") {
			t.Errorf("try %d: data %q, logo %q, banner of %d", i, parts["data"], parts["logo"], len(parts["bannerLogo"]))
		}
	}
}

func TestUploadLogos_OneAlone(t *testing.T) {
	t.Parallel()
	var contentType string
	s := transporttest.Serve(t, transporttest.Step{Request: reqLogos, Answer: func(w http.ResponseWriter, r *http.Request) {
		contentType = r.Header.Get("Content-Type")
		transporttest.OK(`{}`)(w, r)
	}})
	c, _ := dial(t, s, withUpload(s))
	if err := c.UploadLogos(t.Context(), transporttest.Host, Logos{BannerLogo: logoFile(t, "b.svg", []byte("<svg/>"))}); err != nil {
		t.Fatal(err)
	}
	parts := uploaded(t, contentType, s.Body(0))
	if _, has := parts["logo"]; has || parts["bannerLogo"] == "" {
		t.Errorf("parts %v", parts)
	}
}

func TestUploadLogos_NotSent(t *testing.T) {
	t.Parallel()
	s := transporttest.Serve(t)
	c, _ := dial(t, s)
	logo := logoFile(t, "logo.png", []byte("x"))
	if err := c.UploadLogos(t.Context(), transporttest.Host, Logos{Logo: logo}); !errors.Is(err, ErrNoUploadURL) {
		t.Errorf("without an address: %v", err)
	}
	c, _ = dial(t, s, withUpload(s))
	if err := c.UploadLogos(t.Context(), transporttest.Host, Logos{Logo: &File{Path: filepath.Join(t.TempDir(), "none.png")}}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a file: %v", err)
	}
	if err := c.UploadLogos(t.Context(), transporttest.Host, Logos{Logo: &File{Path: t.TempDir()}}); err == nil {
		t.Error("a folder was taken for a file")
	}
	if _, err := New(Config{BaseURL: "https://api.example", AccessToken: "token-token", UploadURL: "ftp://x"}); err == nil {
		t.Error("an upload address that is none was taken")
	}
}

// Many services read part headers by hand: both parameters are in quotes, and a
// file name is never in the extended form of RFC 5987.
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
			var contentType string
			s := transporttest.Serve(t, transporttest.Step{Request: reqLogos, Answer: func(w http.ResponseWriter, r *http.Request) {
				contentType = r.Header.Get("Content-Type")
				transporttest.OK(`{}`)(w, r)
			}})
			c, _ := dial(t, s, withUpload(s))
			if err := c.UploadLogos(t.Context(), transporttest.Host, Logos{Logo: logoFile(t, fileName, []byte("x"))}); err != nil {
				t.Fatal(err)
			}
			if got := dispositionOf(s.Body(0), "logo"); got != "form-data; "+want {
				t.Errorf("the part has %s", got)
			}
			parts := uploaded(t, contentType, s.Body(0))
			if fileName != "line\nbreak.png" && parts["logo"] != fileName+" image/png x" {
				t.Errorf("read back as %q", parts["logo"])
			}
			if got := dispositionOf(s.Body(0), "data"); got != `form-data; name="data"` {
				t.Errorf("the data part has %s", got)
			}
		})
	}
}

// dispositionOf is the Content-Disposition of a part as it is in a body.
func dispositionOf(body, name string) string {
	for line := range strings.SplitSeq(body, "\r\n") {
		value, is := strings.CutPrefix(line, "Content-Disposition: ")
		if is && (strings.Contains(value, `name="`+name+`"`) || strings.Contains(value, "name="+name)) {
			return value
		}
	}
	return ""
}
