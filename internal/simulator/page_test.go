package simulator_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
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

// between returns the part of a page from one text to another.
func between(t *testing.T, page, from, to string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, from)
	part, _, ended := strings.Cut(rest, to)
	require.True(t, found, "the page has nothing from %s to %s:\n%s", from, to, page)
	require.True(t, ended, "the page has nothing from %s to %s:\n%s", from, to, page)
	return part
}

func section(t *testing.T, page, id string) string {
	t.Helper()
	return between(t, page, `<section id="`+id+`">`, "</section>")
}

func card(t *testing.T, page, id string) string {
	t.Helper()
	return between(t, page, `id="`+id+`">`, "</article>")
}

var tags = regexp.MustCompile(`<[^>]*>`)

// shows checks that texts are in a part of the page, in this order and with only markup and space between them.
func shows(t *testing.T, part string, texts ...string) {
	t.Helper()
	rest := strings.Join(strings.Fields(tags.ReplaceAllString(part, " ")), " ")
	for _, text := range texts {
		_, after, found := strings.Cut(rest, text)
		if assert.True(t, found, "%q does not stand where it should in\n%s", text, part) {
			rest = after
		}
	}
}

func TestThePageShowsPortals(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	sim := c.sim
	gold := c.made(sim.AddPackage("GOLD", map[string]float64{"documents": 100, "seats": 5}, true))
	seats := c.made(sim.AddAddon("SEATS", map[string]float64{"seats": 10}, true))
	first := as[string](c.post(labelsPath, order(client, withConfig("colorPrimary", "#ffee00"), withConfig("colorAccent", "#123"))).data()["tenantId"])
	second, path := c.provision("sign.other.example")
	require.NoError(t, sim.AssignInConsole(client, gold, map[string]float64{seats: 3}))
	c.made(sim.AddPersonInConsole(client, "bob@client.example", "Bob", "Byte"))
	require.NoError(t, sim.MakeAdmin(client, "bob@client.example"))
	require.NoError(t, sim.CorrectDNS(client))
	c.post(path+"/suspend", object{"reason": "unpaid since May"}).data()
	sim.Clock().Advance(time.Minute) // the simulator checks the DNS again

	page := opened(t, sim)
	require.Equal(t, 2, strings.Count(page, `<article class="card"`))
	firstCard := card(t, page, first)
	shows(t, firstCard, "Client Sign", client, "Active", "attached", "verified", "DNS "+client+" CNAME edge.portals.example",
		"GOLD", "3 × SEATS", "Ada Lovelace ada@client.example owner", "Bob Byte bob@client.example admin", "since 2026-10-15 12:00")
	assert.NotContains(t, firstCard, "not ", "it is attached, verified and active")
	assert.NotContains(t, firstCard, "Suspended", "it is attached, verified and active")
	two := card(t, page, second)
	shows(t, two, "sign.other.example", "Suspended", "attached", "not verified", "Suspended by Reseller: unpaid since May", "no package")
	shows(t, page, "Private labels 2 1 suspended 1 waiting for DNS")

	t.Run("colors with readable text", func(t *testing.T) {
		t.Parallel()
		style := between(t, page, `<article class="card" style="`, `"`)
		require.Equal(t, "--primary:#ffee00;--on-primary:#000000;--accent:#123;--on-accent:#ffffff;--bar:#ffee00;--on-bar:#000000;", style)
		for _, swatch := range []string{`style="background:#ffee00;" title="colorPrimary #ffee00"`, `style="background:#123;" title="colorAccent #123"`} {
			assert.Contains(t, firstCard, swatch, "no")
		}
		require.Equal(t, 0, strings.Count(two, "background:"))
	})
	withCaller(t, "all colors and a logo", func(t *testing.T, c *caller) {
		id, _ := c.provision(client)
		c.post("/console/tenant/update-colors", object{
			"domain": client, "colorPrimary": "#eee", "colorPrimaryForeground": "#ddd", "colorAccent": "#123456", "colorAccentForeground": "#fedcba",
			"colorAppBarBackground": "#fff", "colorFooterBackground": "#222222",
		}).data()
		if part := card(t, opened(t, c.sim), id); strings.Contains(part, "<img") || !strings.Contains(part, `<span class="initial" aria-hidden="true">C<`) {
			t.Errorf("it has no logo yet:\n%s", part)
		}
		image := imageOf(t, "png", 2, 2)
		upload(c, logosOf(client, "logo", image, "bannerLogo", image)).data()

		page := html.UnescapeString(opened(t, c.sim))
		require.Equal(t, "--primary:#eee;--on-primary:#000000;--accent:#123456;--on-accent:#fedcba;--bar:#fff;--on-bar:#000000;--footer:#222222;--on-footer:#ffffff;", between(t, page, `<article class="card" style="`, `"`))
		part, looks := card(t, page, id), c.sim.Branding(client)
		require.Equal(t, 6, strings.Count(part, `title="color`))
		for _, img := range []string{
			`<img src="data:image/png;base64,` + base64.StdEncoding.EncodeToString(looks.Logo) + `"`,
			`<img class="banner" src="data:image/png;base64,` + base64.StdEncoding.EncodeToString(looks.BannerLogo) + `"`,
		} {
			assert.Contains(t, part, img, "no")
		}

		require.NoError(t, c.sim.DropBranding(client))
		part = card(t, opened(t, c.sim), id)
		assert.NotContains(t, part, "<img", "it no longer has branding")
		assert.NotContains(t, part, "title=", "it no longer has branding")
	})
	withCaller(t, "who was removed is not shown", func(t *testing.T, c *caller) {
		id, path := c.provision(client)
		added := c.post(path+"/users", object{"email": "bob@client.example", "firstName": "Bob", "lastName": "Byte"}).data()
		shows(t, card(t, opened(t, c.sim), id), "Ada Lovelace", "Bob Byte bob@client.example member")
		c.del(path + "/users/" + as[string](added["userID"])).data()
		assert.NotContains(t, card(t, opened(t, c.sim), id), "Bob", "Bob is gone")
	})
	withCaller(t, "suspended by the platform, and not attached", func(t *testing.T, c *caller) {
		c.sim.FailAttach(1)
		id, _ := c.provision("whole.example")
		require.NoError(t, c.sim.SuspendByPlatform("whole.example", ""))
		require.NoError(t, c.sim.RemoveOwner("whole.example"))
		shows(t, card(t, opened(t, c.sim), id), "Suspended", "not attached", "not verified", "Suspended by Platform", "whole.example A 192.0.2.10", "no members")
	})
	withCaller(t, "gone ones are not shown", func(t *testing.T, c *caller) {
		c.provision("left.example")
		c.provision("moved.example")
		require.NoError(t, c.sim.DeprovisionInConsole("left.example"))
		require.NoError(t, c.sim.MoveAway("moved.example"))
		require.Equal(t, 0, strings.Count(opened(t, c.sim), `class="card"`))
	})
}

func TestThePageShowsWhatHappened(t *testing.T) {
	t.Parallel()
	c := signingIn(t, newSim(t, simulator.Options{}))
	sim := c.sim
	api := inProcess(t, sim).as(sim.APIKey())
	gold := c.made(sim.AddPackage("GOLD", map[string]float64{"seats": 8}, true))
	c.made(sim.AddAddon("OLD", nil, false))
	require.NoError(t, sim.SetAllowance(map[string]float64{"seats": 6, "documents": 1_000_000}))
	api.post(labelsPath, order(client)).data()
	require.NoError(t, sim.AssignInConsole(client, gold, nil))
	require.NoError(t, sim.UseDocuments(client, 12.5))
	sim.Clock().Advance(time.Hour)
	api = api.as(sim.APIKey())
	api.provision("sign.other.example")
	docID := c.uploadForm(uploadOf(signerOf(bob, 1), signerOf(eve, 2)).with("title", "Contract").with("passcode", "1234"))
	require.NoError(t, sim.SignInApp(docID, bob))
	c.sendForm(mintPath, mintForm()).data()
	sim.Inject(simulator.Fault{Route: "GET /console/dashboard", Kind: simulator.FaultHTML})
	api.get("/console/dashboard")
	api.get("/nowhere?api_key=hush")

	page := opened(t, sim)
	shows(t, page, "partner.example", "Clock 2026-10-15 13:00 UTC ahead by 1h0m0s")
	shows(t, section(t, page, "allowance"), "Allowance 2026-10, by item",
		"documents 12.5 of 1000000 allocated 999987.5 remaining", "seats 9 of 6 allocated -3 remaining", "templates 0 of 0 allocated 0 remaining")
	shows(t, section(t, page, "catalog"), "package GOLD", "EUR active 1", "addon OLD", "EUR deactivated 0")
	outbox := section(t, page, "outbox")
	shows(t, outbox, "signing-link", "2026-10-15 13:00 ada@client.example Set your password for Client Sign set-password sign.other.example",
		"2026-10-15 12:00 ada@client.example Set your password for Client Sign set-password "+client) // newest first
	shows(t, section(t, page, "documents"), "Contract terms.pdf", "with a passcode", ada, "personal", bob+" signed", eve+" to sign", "open")
	shows(t, section(t, page, "minted"), "Terms 2026 TERMS ARC3 stored")
	calls := section(t, page, "calls")
	shows(t, calls, "GET (no endpoint) 404 NOT_FOUND", "GET /console/dashboard 502", "injected fault", "POST /signing-api/mintDocument 200")

	withCaller(t, "lists are bounded, and say so", func(t *testing.T, c *caller) {
		c.sim.ResetJournal()
		c.sim.FillJournal(72)
		calls := section(t, opened(t, c.sim), "calls")
		shows(t, calls, "72 in the journal", "and 22 earlier")
		require.Equal(t, 1+50, strings.Count(calls, "<tr>"))
	})
}

func TestThePageShowsNoneAndMany(t *testing.T) {
	t.Parallel()
	t.Run("empty", func(t *testing.T) {
		t.Parallel()
		page := opened(t, newSim(t, simulator.Options{}))
		shows(t, section(t, page, "labels"), "No private labels yet.", "simulator = {}", "terraform apply", "simulate -data .reseller-simulator/default.json")
		for _, id := range []string{"catalog", "documents", "minted"} {
			assert.NotContains(t, page, `<section id="`+id, "there are no %s to show", id)
		}
	})
	withCaller(t, "a hundred private labels", func(t *testing.T, c *caller) {
		require.NoError(t, c.sim.Seed(100))
		page := opened(t, c.sim)
		require.Equal(t, 100, strings.Count(page, `<article class="card" style="--primary:#`))
		assert.NotContains(t, page, "No private labels yet", "there are some")
	})
}

func TestThePageLoadsNothingElse(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{})
	require.NoError(t, sim.Seed(3))
	got := open(sim)
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"} {
		require.Equal(t, want, got.Header().Get(name))
	}
	policy := got.Header().Get("Content-Security-Policy")
	assert.True(t, strings.HasPrefix(policy, "default-src 'none'; style-src 'unsafe-inline'; img-src data:;"), "the policy is %q", policy)
	page := got.Body.String()
	for _, link := range regexp.MustCompile(`(?i)(?:src|href|srcset|action|data|poster)\s*=\s*["']?([^"'\s>]*)`).FindAllStringSubmatch(page, -1) {
		if to := link[1]; to != "/" && to != "/?refresh" && !strings.HasPrefix(to, "data:image/") {
			t.Errorf("the page leads to %s", to)
		}
	}
	for _, loading := range []string{"<script", "<iframe", "<object", "url(", "@import", "javascript:"} {
		assert.NotContains(t, strings.ToLower(page), loading, "the page")
	}
	const again = `<meta http-equiv="refresh" content="5">`
	assert.NotContains(t, page, "http-equiv", "the page refreshes without being asked, or has no link to do so")
	assert.Contains(t, page, `<a href="/?refresh">`, "the page refreshes without being asked, or has no link to do so")
	refreshing := serve(sim, httptest.NewRequest(http.MethodGet, "/?refresh", http.NoBody)).Body.String()
	assert.Contains(t, refreshing, again, "the page does not refresh, or has no link to stop it")
	assert.Contains(t, refreshing, `<a href="/">`, "the page does not refresh, or has no link to stop it")
}

// The file is edited so that the API would reject every text.
func TestThePageEscapesEverything(t *testing.T) {
	t.Parallel()
	path := dataFile(t)
	sim := openFile(t, path)
	c := inProcess(t, sim).as(sim.APIKey())
	gold := c.made(sim.AddPackage("GOLDMARK", nil, true))
	seats := c.made(sim.AddAddon("SEATMARK", nil, true))
	c.post(labelsPath, order("hostmark.example", withConfig("appName", "appmark"), withOwner("email", "mailmark@client.example"),
		withOwner("firstName", "firstmark"), withOwner("lastName", "lastmark"), withConfig("colorPrimary", "#abcdef"))).data()
	require.NoError(t, sim.AssignInConsole("hostmark.example", gold, map[string]float64{seats: 1}))
	require.NoError(t, sim.SuspendByPlatform("hostmark.example", "reasonmark"))
	signing := signingIn(t, sim)
	signing.uploadForm(uploadOf(signerOf("signmark@client.example", 1)).with("title", "titlemark").with("fileName", "filemark.pdf"))
	signing.sendForm(mintPath, mintForm().with("assetName", "assetmark")).data()
	c.get("/nowhere").rejected(http.StatusNotFound, "NOT_FOUND")

	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	marks := []string{
		"hostmark.example", "appmark", "mailmark@client.example", "firstmark", "lastmark", "GOLDMARK", "SEATMARK", "reasonmark",
		"signmark@client.example", "titlemark", "filemark.pdf", "assetmark", "(no endpoint)",
	}
	for i, mark := range marks {
		require.Contains(t, string(raw), mark, "the file has no")
		raw = bytes.ReplaceAll(raw, []byte(mark), fmt.Appendf(nil, `</style>\"'<script>alert(%d)</script><img src=//evil.example>`, i))
	}
	raw = bytes.ReplaceAll(raw, []byte("#abcdef"), []byte(`red;} body{background:\"url(//evil.example)\"`))
	require.NoError(t, os.WriteFile(path, raw, 0o600))

	page := opened(t, openFile(t, path))
	for i, mark := range marks {
		assert.Contains(t, page, fmt.Sprintf("&lt;script&gt;alert(%d)&lt;/script&gt;", i), "%s is not shown", mark)
	}
	for _, live := range []string{"<script", "<img src=//", "red;", "url("} {
		assert.NotContains(t, page, live, "came through")
	}
	require.Equal(t, 1, strings.Count(page, "<style>"))
	require.Equal(t, "", between(t, page, `<article class="card" style="`, `"`))
}

func TestThePageShowsNoSecrets(t *testing.T) {
	t.Parallel()
	c := signingIn(t, newSim(t, simulator.Options{}))
	sim := c.sim
	api := inProcess(t, sim).as(sim.APIKey())
	other := c.made(sim.MintKey(scopeRead))
	gold := c.made(sim.AddPackage("GOLD", map[string]float64{"seats": 1e6}, true))
	id, _ := api.provision(client)
	api.post("/billing/packages/assign", object{"privateLabelId": id, "packageId": gold})
	api.post(labelsPath, order("sign.other.example", withPackage(gold))).data()
	c.uploadForm(uploadOf(signerOf(bob, 1)).with("passcode", "90417263"))

	require.Len(t, sim.ConfirmationKeys(), 1, "no confirmation was asked for")
	secrets := slices.Concat([]string{sim.APIKey(), other, sim.SigningAPIKey(), "90417263"}, sim.Tokens(), sim.ConfirmationKeys())
	require.Len(t, secrets, 6)
	page := opened(t, sim)
	for _, secret := range secrets {
		assert.NotContains(t, page, secret, "the page shows")
	}
}

// Opening the page is not a call: it is not counted, not in the journal, has no fault and changes nothing.
func TestThePageIsNoEndpoint(t *testing.T) {
	t.Parallel()
	t.Run("changes nothing", func(t *testing.T) {
		t.Parallel()
		path := dataFile(t)
		sim := openFile(t, path)
		c := overHTTP(t, sim).as(sim.APIKey())
		c.provision(client)
		require.NoError(t, sim.CorrectDNS(client))
		sim.Clock().Advance(time.Hour) // a call would check the DNS again, and store the result
		c.get(labelsPath).limits(60, 59)
		sim.Inject(simulator.Fault{Route: "(no endpoint)", Kind: simulator.FaultHTML})
		journal := len(sim.Journal())
		before := fileText(t, path)

		for range 301 { // more than the total limit of §8
			got := c.with("").get("/")
			require.Equal(t, http.StatusOK, got.status)
			require.Equal(t, "", got.header.Get("RateLimit-Limit"))
		}
		shows(t, opened(t, sim), client, "attached", "verified")
		assert.Equal(t, before, fileText(t, path), "looking changed the file")
		require.Len(t, sim.Journal(), journal)
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
		assert.Contains(t, got.Body.String(), path, "got %s", got.Body)
	})
}
