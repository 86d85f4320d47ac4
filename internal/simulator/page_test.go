package simulator_test

import (
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// opened is the page of a simulator in a browser.
func opened(t *testing.T, sim *simulator.Simulator) string {
	t.Helper()
	got := open(sim)
	require.Equal(t, http.StatusOK, got.Code)
	require.Equal(t, "text/html; charset=utf-8", got.Header().Get("Content-Type"))
	return got.Body.String()
}

func open(sim *simulator.Simulator) *httptest.ResponseRecorder {
	return serve(sim, httptest.NewRequest(http.MethodGet, "/", http.NoBody))
}

var (
	styles  = regexp.MustCompile(`(?s)<style>.*</style>`)
	blocks  = regexp.MustCompile(`</?(?:p|tr|h1|h2|h3|li|section|div|dl|ul|table|article|pre|title|header|main)\b[^>]*>`)
	telling = regexp.MustCompile(`<((?:article|section|img|i|a) [^>]*)>`)
	tags    = regexp.MustCompile(`<[^>]*>`)
	spaces  = regexp.MustCompile(` *\n[ \n]*`)
)

// textOf is a page without markup, but with the tags that say something, a block on each line.
func textOf(page string) string {
	page = telling.ReplaceAllString(styles.ReplaceAllString(page, ""), "\n&lt;$1&gt; ")
	page = tags.ReplaceAllString(blocks.ReplaceAllString(page, "\n"), " ")
	page = html.UnescapeString(regexp.MustCompile(" +").ReplaceAllString(page, " "))
	return strings.TrimSpace(spaces.ReplaceAllString(page, "\n")) + "\n"
}

// A file of testdata/pages has the steps that were made, "--", and the page in text; a logo and a banner stand as their
// names. RESELLER_UPDATE_GOLDEN=1 writes what follows "--".
func TestThePageShowsWhatThereIs(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/pages/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			steps, _, _ := strings.Cut(fileText(t, file), "--\n")
			w := newWorld(t, simulator.Options{IDs: "x"}, "")
			w.take(steps)
			looks, picture := w.sim.Branding(client), base64.StdEncoding.EncodeToString
			shown := strings.NewReplacer("base64,"+picture(looks.Logo), "LOGO", "base64,"+picture(looks.BannerLogo), "BANNER").Replace(textOf(opened(t, w.sim)))
			if os.Getenv("RESELLER_UPDATE_GOLDEN") != "" {
				require.NoError(t, os.WriteFile(file, []byte(steps+"--\n"+shown), 0o600))
			}
			assert.Equal(t, fileText(t, file), steps+"--\n"+shown)
		})
	}
}

func TestThePageShowsNoneAndMany(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{})
	page := opened(t, sim)
	assert.Contains(t, textOf(page), "No private labels yet.")
	for _, id := range []string{"catalog", "documents", "minted"} {
		assert.NotContains(t, page, `<section id="`+id)
	}
	require.NoError(t, sim.Seed(100))
	sim.FillJournal(72)
	page = opened(t, sim)
	assert.Equal(t, 100, strings.Count(page, `<article class="card" style="--primary:#`))
	assert.NotContains(t, page, "No private labels yet")
	_, calls, _ := strings.Cut(page, `<section id="calls">`)
	assert.Equal(t, 1+50, strings.Count(calls, "<tr>"), "lists are bounded")
	assert.Contains(t, page, "and 22 earlier")
}

func TestThePageLoadsNothingElse(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{})
	require.NoError(t, sim.Seed(3))
	got := open(sim)
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
		"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:;",
	} {
		assert.Contains(t, got.Header().Get(name), want)
	}
	page := got.Body.String()
	for _, link := range regexp.MustCompile(`(?i)(?:src|href|srcset|action|data|poster)\s*=\s*["']?([^"'\s>]*)`).FindAllStringSubmatch(page, -1) {
		assert.Regexp(t, `^(/|/\?refresh|data:image/.*)$`, link[1])
	}
	assert.NotRegexp(t, `(?i)<script|<iframe|<object|url\(|@import|javascript:|http-equiv`, page)
	assert.Contains(t, page, `<a href="/?refresh">`)
	refreshing := serve(sim, httptest.NewRequest(http.MethodGet, "/?refresh", http.NoBody)).Body.String()
	assert.Contains(t, refreshing, `<meta http-equiv="refresh" content="5">`)
	assert.Contains(t, refreshing, `<a href="/">`)
}

// The file is edited so that the API would reject every text.
func TestThePageEscapesEverything(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	w := newWorld(t, simulator.Options{File: path}, `AddPackage GOLDMARK {} true; AddAddon SEATMARK {} true; POST {reseller}/private-labels `+
		`{"owner":{"email":"mailmark@client.example","firstName":"firstmark","lastName":"lastmark"},`+
		`"config":{"domain":"hostmark.example","appName":"appmark","colorPrimary":"#abcdef"}}; assign hostmark.example GOLDMARK; attach hostmark.example SEATMARK 1; `+
		`SuspendByPlatform hostmark.example reasonmark; `+strings.NewReplacer(bob, "signmark@client.example", "Terms", "titlemark", "terms.pdf", "filemark.pdf").Replace(contract)+
		`; FORM /signing-api/mintDocument {"file":"<pdf>","unitName":"T","assetName":"assetmark","storeOnIPFS":"true","nftStandard":"ARC3"}; try GET /nowhere`)
	marks := []string{
		"hostmark.example", "appmark", "mailmark@client.example", "firstmark", "lastmark", "GOLDMARK", "SEATMARK", "reasonmark",
		"signmark@client.example", "titlemark", "filemark.pdf", "assetmark", "(no endpoint)",
	}
	raw := fileText(t, path)
	for i, mark := range marks {
		require.Contains(t, raw, mark)
		raw = strings.ReplaceAll(raw, mark, fmt.Sprintf(`</style>\"'<script>alert(%d)</script><img src=//evil.example>`, i))
	}
	raw = strings.ReplaceAll(raw, "#abcdef", `red;} body{background:\"url(//evil.example)\"`)
	require.NoError(t, os.WriteFile(path, []byte(raw), 0o600))

	page := opened(t, w.sim)
	for i, mark := range marks {
		assert.Contains(t, page, fmt.Sprintf("&lt;script&gt;alert(%d)&lt;/script&gt;", i), "%s is not shown", mark)
	}
	assert.NotRegexp(t, `<script|<img src=//|red;|url\(`, page)
	assert.Equal(t, 1, strings.Count(page, "<style>"))
	assert.Contains(t, page, `<article class="card" style="" id`)
}

func TestThePageShowsNoSecrets(t *testing.T) {
	t.Parallel()
	w := newWorld(t, simulator.Options{}, `MintKey reseller:read; POST {label}/package {"packageId":"{BIG}"}; `+contract)
	secrets := slices.Concat([]string{w.sim.APIKey(), w.names["MintKey"], w.sim.SigningAPIKey(), "0042"}, w.sim.Tokens(), w.sim.ConfirmationKeys())
	require.Len(t, secrets, 7)
	page := opened(t, w.sim)
	for _, secret := range secrets {
		assert.NotContains(t, page, secret)
	}
}

// Opening the page is not a call: it is not counted, not in the journal, has no fault and changes nothing.
func TestThePageIsNoEndpoint(t *testing.T) {
	t.Parallel()
	t.Run("changes nothing", func(t *testing.T) {
		t.Parallel()
		path := dataFile(t)
		w := newWorld(t, simulator.Options{File: path}, "CorrectDNS sign.client.example; wait 1h; as reseller:read")
		c := overHTTP(t, w.sim).with(w.token)
		c.get(labelsPath).limits(60, 59)
		w.sim.Inject(simulator.Fault{Route: "(no endpoint)", Kind: simulator.FaultHTML})
		require.NoError(t, w.sim.CorrectDNS(client))
		w.sim.Clock().Advance(time.Second) // a call would check the DNS again, and store the result
		journal, before := len(w.sim.Journal()), fileText(t, path)
		for range 301 { // more than the total limit of §8
			got := c.with("").get("/")
			require.Equal(t, http.StatusOK, got.status)
			require.Empty(t, got.header.Get("RateLimit-Limit"))
		}
		assert.Contains(t, textOf(opened(t, w.sim)), "Active attached verified")
		assert.Equal(t, before, fileText(t, path), "looking changed the file")
		require.Len(t, w.sim.Journal(), journal)
		c.get(labelsPath).limits(60, 58)
		require.Equal(t, http.StatusBadGateway, c.get("/nowhere").status) // the fault is still there
	})
	withCaller(t, "other methods and calls with a token are answered by the API", func(t *testing.T, c *caller) {
		sim := c.sim
		c = overHTTP(t, sim)
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions} {
			c.do(method, "/", nil).rejected(http.StatusNotFound, "NOT_FOUND")
		}
		require.Equal(t, http.StatusNotFound, c.do(http.MethodHead, "/", nil).status)
		c.with("wrong").get("/").rejected(http.StatusNotFound, "NOT_FOUND")
		c.as(sim.APIKey()).get("/").rejected(http.StatusNotFound, "NOT_FOUND")
		inProcess(t, sim).get("/").rejected(http.StatusNotFound, "NOT_FOUND")
		for _, path := range []string{"//", "/%2F", "/index.html", simulator.UploadPrefix + "/"} {
			c.get(path).rejected(http.StatusNotFound, "NOT_FOUND")
		}
		require.Equal(t, 13, sim.Count("(no endpoint)"))
	})
	t.Run("data that cannot be read is shown", func(t *testing.T) {
		t.Parallel()
		path := dataFile(t)
		sim := openFile(t, path)
		require.NoError(t, os.WriteFile(path, []byte("hello"), 0o600))
		got := open(sim)
		require.NoError(t, os.Remove(path))
		require.Equal(t, http.StatusInternalServerError, got.Code)
		assert.Contains(t, got.Body.String(), path)
	})
}
