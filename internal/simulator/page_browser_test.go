package simulator_test

import (
	"context"
	"encoding/json"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// browserTime is the maximum time of one browser run on a busy machine.
const browserTime = 2 * time.Minute

func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome", "headless_shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium or Chrome on PATH: what a browser makes of the page is not tried")
	return ""
}

// look opens an address in a browser and returns its output. Names other than this machine's do not resolve, so that
// the browser's own calls fail as well.
func look(t *testing.T, address string, flags ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), browserTime)
	defer cancel()
	args := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
		"--force-color-profile=srgb", "--user-data-dir=" + t.TempDir(),
	}, flags...)
	out, err := exec.CommandContext(ctx, browser(t), append(args, address)...).Output()
	require.NoError(t, err, "the browser ends")
	return string(out)
}

// requested lists what a page requested, except for itself, from a browser's network log.
func requested(t *testing.T, log, address string) []string {
	t.Helper()
	raw, err := os.ReadFile(log)
	require.NoError(t, err)
	var net struct {
		Constants struct {
			LogEventTypes map[string]int `json:"logEventTypes"`
		} `json:"constants"`
		Events []struct {
			Type   int             `json:"type"`
			Params json.RawMessage `json:"params"`
		} `json:"events"`
	}
	require.NoError(t, json.Unmarshal(raw, &net))
	begin, known := net.Constants.LogEventTypes["URL_REQUEST_START_JOB"]
	var out []string
	itself := false
	for _, e := range net.Events {
		var request struct{ URL, Initiator string }
		if e.Type != begin || json.Unmarshal(e.Params, &request) != nil {
			continue
		}
		itself = itself || request.URL == address
		if strings.HasPrefix(address, request.Initiator+"/") {
			out = append(out, request.URL)
		}
	}
	require.True(t, known, "the log does not show the page itself")
	require.True(t, itself, "the log does not show the page itself")
	return out
}

func TestABrowserShowsThePage(t *testing.T) {
	t.Parallel()
	browser(t)
	sim := newWorld(t, simulator.Options{}, `POST {reseller}/private-labels {"owner":{"email":"ada@client.example","firstName":"Ada","lastName":"Lovelace"},`+
		`"config":{"domain":"sign.new.example","appName":"<img src=\"http://evil.example/\">","colorPrimary":"#0a4"}}; `+
		`POST /console/tenant/update-colors {"domain":"sign.client.example","colorPrimary":"#8a1fb3"}`).sim
	journal := len(sim.Journal())
	server := httptest.NewServer(sim)
	t.Cleanup(server.Close)

	log, picture := filepath.Join(t.TempDir(), "net.json"), filepath.Join(t.TempDir(), "page.png")
	dom := look(t, server.URL+"/", "--log-net-log="+log, "--dump-dom")
	require.Equal(t, 2, strings.Count(dom, `<article class="card"`))
	assert.Contains(t, dom, `&lt;img src="http://evil.example/"&gt;`)
	assert.Empty(t, requested(t, log, server.URL+"/"), "the page asked for more")

	look(t, server.URL+"/", "--hide-scrollbars", "--window-size=1200,1000", "--screenshot="+picture)
	for _, want := range []color.RGBA{{0x00, 0xaa, 0x44, 0xff}, {0x8a, 0x1f, 0xb3, 0xff}} {
		assert.GreaterOrEqual(t, pixels(t, picture, want), 5000, "pixels have the color %v of a card", want)
	}
	require.Len(t, sim.Journal(), journal) // the browser requested no icon, either

	t.Run("a page that asked for more would be found out", func(t *testing.T) {
		t.Parallel()
		const outside = "http://outside.example/x.png"
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(`<link rel="icon" href="data:,"><img src="` + outside + `">`))
		}))
		t.Cleanup(server.Close)
		log := filepath.Join(t.TempDir(), "net.json")
		look(t, server.URL+"/", "--log-net-log="+log, "--dump-dom")
		require.Equal(t, outside, strings.Join(requested(t, log, server.URL+"/"), " "))
	})
}

// pixels counts the pixels of a picture with a color.
func pixels(t *testing.T, path string, want color.RGBA) int {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	picture, err := png.Decode(f)
	require.NoError(t, err)
	n := 0
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y++ {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x++ {
			if color.RGBAModel.Convert(picture.At(x, y)) == want {
				n++
			}
		}
	}
	return n
}
