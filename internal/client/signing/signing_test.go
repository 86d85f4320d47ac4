package signing

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/onetime"
)

func TestNew_ValidatesConfig(t *testing.T) {
	t.Parallel()
	for address, good := range map[string]bool{
		"https://sign.example": true, "https://sign.example/below/": true, "http://127.0.0.1:8080": true, "http://[::1]": true,
		"http://localhost:1": true, "http://sign.localhost": false,
		"http://sign.example": false, "http://10.0.0.1": false, "http://localhost.example": false, "ftp://sign.example": false, "sign.example": false, "": false,
		"https://user@sign.example": false, "https://sign.example?a=b": false,
	} {
		_, err := New(Config{URL: address, UserAPIKey: testKey})
		assert.Equal(t, good, err == nil, "%q: %v", address, err)
		_, err = New(Config{URL: "https://sign.example", APIURL: address, UserAPIKey: testKey})
		assert.Equal(t, good || address == "", err == nil, "api_url %q: %v", address, err)
	}
	for name, cfg := range map[string]Config{
		"no key":       {URL: "https://sign.example"},
		"a cut key":    {URL: "https://sign.example", UserAPIKey: testKey + "\n"},
		"other family": {URL: "https://sign.example", UserAPIKey: testKey, Family: "c"},
	} {
		_, err := New(cfg)
		require.Error(t, err, name)
		assert.NotContains(t, err.Error(), testKey, "%s: %v", name, err)
	}
}

// Only a base URL that is reached by http identifies a service. Either of the two is enough.
func TestConfig_LoopbackURL(t *testing.T) {
	t.Parallel()
	const https, plain, other = "https://sign.example", "http://127.0.0.1:8080", "http://localhost:1/below"
	for name, tc := range map[string]struct {
		cfg             Config
		documents, mint string
	}{
		"https":            {Config{URL: https, APIURL: https}, "", ""},
		"nothing":          {Config{}, "", ""},
		"one":              {Config{URL: plain + "/"}, plain, plain},
		"the other":        {Config{APIURL: plain}, plain, plain},
		"both":             {Config{URL: plain, APIURL: other}, other, other},
		"both, family A":   {Config{URL: plain, APIURL: other, Family: FamilySigning}, plain, other},
		"mixed":            {Config{URL: plain, APIURL: https}, "", ""},
		"mixed, family A":  {Config{URL: https, APIURL: plain, Family: FamilySigning}, "", plain},
		"one of the other": {Config{APIURL: plain, Family: FamilySigning}, plain, plain},
	} {
		documents, mint := tc.cfg.LoopbackURL(false), tc.cfg.LoopbackURL(true)
		assert.Equal(t, tc.documents, documents, "%s: %q", name, mint)
		assert.Equal(t, tc.mint, mint, "%s: got %q", name, documents)
		tc.cfg.UserAPIKey = testKey
		_, err := New(tc.cfg)
		assert.Equal(t, name != "nothing", err == nil, "%s: %v", name, err)
	}
}

// The family signing-api and mints use the second base URL if there is one.
func TestAPIURL(t *testing.T) {
	t.Parallel()
	const base, api = "sign.example", "api.sign.example/below"
	for name, tc := range map[string]struct {
		family string
		want   map[string]string
	}{
		"signing-api": {FamilySigningAPI, map[string]string{"upload": api, "sign": api, "view": api, "signatures": api, "sent": base, "mint": api}},
		"signing":     {FamilySigning, map[string]string{"upload": base, "sign": base, "view": base, "signatures": base, "sent": base, "mint": api}},
	} {
		for _, apiURL := range []string{"https://" + api + "/", ""} {
			t.Run(name+" "+apiURL, func(t *testing.T) {
				t.Parallel()
				for call, want := range tc.want {
					if apiURL == "" {
						want = base
					}
					var at string
					c, err := New(Config{
						URL: "https://" + base, APIURL: apiURL, UserAPIKey: testKey, Family: tc.family,
						Markers: onetime.NewMarkers(t.TempDir()),
						Settings: transport.Settings{Transport: reply(func(r *http.Request) (*http.Response, error) {
							below, _, _ := strings.Cut(r.URL.Path, "/signing")
							at = cmp.Or(at, r.URL.Host+below) // a lost upload reads the list of sent documents
							return nil, io.ErrUnexpectedEOF
						})},
					})
					require.NoError(t, err)
					_ = everyCall(t, c)[call](t.Context())
					assert.Equal(t, want, at, call)
				}
			})
		}
	}
}

// The list of sent documents is documented at the base URL of the family signing only, which the other family tries
// first.
func TestAPIURL_SentDocuments(t *testing.T) {
	t.Parallel()
	var at []string
	want := []string{"sign.example/signing/view/sent-documents", "sign.example/signing/view/sent-documents", "api.example/signing-api/documents/sent"}
	c, err := New(Config{
		URL: "https://sign.example", APIURL: "https://api.example", UserAPIKey: testKey,
		Settings: transport.Settings{Transport: reply(func(r *http.Request) (*http.Response, error) {
			at = append(at, r.URL.Host+r.URL.Path)
			status, body := http.StatusNotFound, "none"
			if r.URL.Host == "api.example" {
				status, body = http.StatusOK, `{"status":"OK","data":[]}`
			}
			return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
		})},
	})
	require.NoError(t, err)
	_, err = c.SentDocuments(t.Context(), "acme.example")
	require.NoError(t, err, "after %v", at)
	assert.Equal(t, want, at, "after")
}

// everyCall returns each call of the client. Only its error is returned.
func everyCall(t *testing.T, c *Client) map[string]func(context.Context) error {
	t.Helper()
	return map[string]func(context.Context) error{
		"upload": func(ctx context.Context) error {
			_, _, err := c.Upload(ctx, uploadRequest(t))
			return err
		},
		"sign": func(ctx context.Context) error {
			return failure(c.Sign(ctx, SignRequest{DocID: testDocID, Annotations: map[string]string{"a": "b"}}))
		},
		"view":       func(ctx context.Context) error { return failure(c.View(ctx, testDocID, "")) },
		"signatures": func(ctx context.Context) error { return failure(c.SignatureList(ctx)) },
		"sent":       func(ctx context.Context) error { return failure(c.SentDocuments(ctx, "")) },
		"mint":       func(ctx context.Context) error { return failure(c.Mint(ctx, mintRequest(t))) },
	}
}

func failure[T any](_ T, err error) error { return err }

// kinds are the requests of the calls in everyCall.
var (
	kindsB = map[string]string{"upload": uploads, "sign": signs, "view": views, "signatures": signatures, "sent": ownSents, "mint": mints}
	kindsA = map[string]string{"upload": uploadsA, "sign": signsA, "view": viewsA, "signatures": signaturesA, "sent": ownSents, "mint": mints}
)

func TestFamilies_ReadBothShapes(t *testing.T) {
	t.Parallel()
	answers := map[string][]string{
		"upload":     {`{"message":"m","docId":"doc-1"}`, `{"result":{"message":"m","docId":"doc-1"}}`},
		"sign":       {`{"message":"m","docId":"doc-1"}`, `{}`},
		"view":       {`{"document":{"id":"doc-1"}}`},
		"signatures": {`[]`, `{"signatures":[]}`},
		"sent":       {`[]`, `{"documents":[]}`},
		"mint":       {`{"assetId":1}`, `{"result":{"assetId":1}}`},
	}
	for family, kinds := range map[string]map[string]string{FamilySigning: kindsA, FamilySigningAPI: kindsB} {
		for name, shapes := range answers {
			for _, shape := range shapes {
				c, f, _ := dial(t, kinds[name]+" -> 200 "+shape, func(cfg *Config) { cfg.Family, cfg.URL = family, "https://sign.example/" })
				assert.NoError(t, everyCall(t, c)[name](t.Context()), "%s %s %s", family, name, shape)
				assert.Len(t, f.Calls(), 1, "%s %s: calls", family, name)
				r := f.Request(0)
				assert.Equal(t, "Bearer "+testKey, r.Header.Get("Authorization"), "%s %s: %s with %v", family, name, r.URL, r.Header)
				assert.Equal(t, "test/1", r.Header.Get("User-Agent"), "%s %s: %s with %v", family, name, r.URL, r.Header)
				assert.Equal(t, "sign.example", r.URL.Host, "%s %s: %s with %v", family, name, r.URL, r.Header)
			}
		}
	}
}

// The statuses of errors are not documented: the code decides, even with 200 or 500, and nothing is sent twice or read.
func TestErrors_EveryCodeIsFinal(t *testing.T) {
	t.Parallel()
	codes := []string{
		CodeInvalidAPIKey, CodeInvalidUserAPIKey, CodeNoPermission, CodeInvalidData, CodeNoFileAttached,
		CodeMissingBody, CodeFileAttachmentIssue, CodeInvalidFileType, CodeInvalidDocID,
	}
	for name, kind := range kindsB {
		for _, code := range codes {
			if name == "sent" && code != CodeInvalidAPIKey && code != CodeInvalidUserAPIKey {
				continue // the next path is tried
			}
			for _, status := range []int{200, 400, 401, 403, 404, 405, 429, 500, 502} {
				c, f, clock := dial(t, kind+" -> "+reject(status, code))
				err := everyCall(t, c)[name](t.Context())
				assert.True(t, isPlainRejection(err, code), "%s: %d %s: got %v", name, status, code, err)
				assert.True(t, transport.IsStatus(err, status), "%s: %d %s: got %v", name, status, code, err)
				require.Len(t, f.Calls(), 1, "%s: %d %s: calls, slept %s", name, status, code, clock.Slept())
				assert.Equal(t, time.Duration(0), clock.Slept(), "%s: %d %s: calls %v, slept", name, status, code, f.Calls())
			}
		}
	}
}

func TestErrors_OtherShapes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status    int
		rejection string
	}{
		"an unknown code":  {400, "400 SOMETHING_NEW"},
		"a 200 with a new": {200, "200 SOMETHING_NEW"},
		"401 without JSON": {401, "401 page"},
		"413 of a proxy":   {413, "413 page"},
		"no such path":     {404, "404 page"},
	} {
		c, f, _ := dial(t, "{upload} -> "+tc.rejection+"; {sign} -> "+tc.rejection+"; {mint} -> "+tc.rejection)
		for _, write := range []string{"upload", "sign", "mint"} {
			if err := everyCall(t, c)[write](t.Context()); err == nil || transport.IsUnknownOutcome(err) || !transport.IsStatus(err, tc.status) {
				t.Errorf("%s: %s: %v", name, write, err)
			}
		}
		assert.Len(t, f.Calls(), 3, "%s: calls", name)
	}
}

func TestRateLimit_Waits(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"upload": `{"docId":"doc-1"}`, "sign": `{}`, "view": `{"document":{"id":"d"}}`, "signatures": `[]`, "sent": `[]`, "mint": `{"assetId":1}`}
	for name, kind := range kindsB {
		c, f, clock := dial(t, kind+" -> 429 page + Retry-After: 40; "+kind+" -> 429 page; "+kind+" -> 200 "+answers[name])
		assert.NoError(t, everyCall(t, c)[name](t.Context()), name)
		if f.Count(kind) != 3 || len(f.Calls()) != 3 || clock.Slept() < 41*time.Second || clock.Slept() > 43*time.Second {
			t.Errorf("%s: calls %v, slept %s", name, f.Calls(), clock.Slept())
		}
		assert.Equal(t, f.Body(2), f.Body(0), "%s: the repeat has another body", name)
	}
}

// A run that is canceled while a call is queued sent nothing that took effect.
func TestCancel_InQueue(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]string{"upload": uploads, "sign": signs, "mint": mints} {
		ctx, cancel := context.WithCancel(t.Context())
		c, f, clock := dial(t, kind+" -> 429 page")
		clock.OnSleep = cancel
		err := everyCall(t, c)[name](ctx)
		assert.ErrorIs(t, err, context.Canceled, "%s: after %v", name, f.Calls())
		assert.False(t, transport.IsUnknownOutcome(err), "%s: %v after %v", name, err, f.Calls())
		assert.Len(t, f.Calls(), 1, "%s: %v after", name, err)
		if err := everyCall(t, c)[name](ctx); !errors.Is(err, context.Canceled) || transport.IsUnknownOutcome(err) || len(f.Calls()) != 1 {
			t.Errorf("%s, canceled before: %v after %v", name, err, f.Calls())
		}
		ctx, cancel = context.WithCancel(t.Context())
		c, f, _ = dial(t, kind+" -> 429")
		f.Before = cancel
		if err := everyCall(t, c)[name](ctx); !errors.Is(err, context.Canceled) || transport.IsUnknownOutcome(err) || len(f.Calls()) != 1 {
			t.Errorf("%s, canceled at the 429: %v after %v", name, err, f.Calls())
		}
	}
}

// A write in flight completes after the run is canceled; a read does not.
func TestCancel_InFlight(t *testing.T) {
	t.Parallel()
	for name, kind := range kindsB {
		ctx, cancel := context.WithCancel(t.Context())
		writes := name == "upload" || name == "sign" || name == "mint"
		response := "silent"
		if writes {
			response = `200 {"docId":"doc-1"}`
		}
		c, f, _ := dial(t, kind+" -> "+response)
		f.Before = cancel
		err := everyCall(t, c)[name](ctx)
		if writes && err != nil || !writes && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRetry_Reads(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]string{"signatures": signatures, "sent": ownSents} {
		for _, failure := range []string{"502 page", "500 OOPS", "connection reset", "unexpected EOF"} {
			c, f, clock := dial(t, strings.Repeat(kind+" -> "+failure+"\n", 2)+kind+" -> 200 []")
			if err := everyCall(t, c)[name](t.Context()); err != nil || f.Count(kind) != 3 || clock.Slept() == 0 {
				t.Errorf("%s, %s: %v after %v", name, failure, err, f.Calls())
			}
			if name == "sent" && (failure == "502 page" || failure == "500 OOPS") {
				continue // the next path is tried
			}
			c, f, _ = dial(t, kind+" -> "+failure)
			require.Error(t, everyCall(t, c)[name](t.Context()), "%s, %s without end: after %v", name, failure, f.Calls())
			assert.Len(t, f.Calls(), 3, "%s, %s without end: after", name, failure)
		}
	}
}

// Each view writes a log entry, so that it is not retried.
func TestView_IsNotRetried(t *testing.T) {
	t.Parallel()
	for _, failure := range []string{"502 page", "connection reset"} {
		c, f, _ := dial(t, "{view} -> "+failure)
		_, err := c.View(t.Context(), testDocID, "")
		require.Error(t, err, "after %v", f.Calls())
		assert.Len(t, f.Calls(), 1, "%v after", err)
	}
}
