package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// api is a small API with the calls of the transport's tests.
type api struct {
	*Caller
	place *Place // of the next call
}

func newAPI(base string, cfg Config) *api {
	cfg.API = "reseller API"
	withURL(base)(&cfg)
	return &api{Caller: New(cfg)}
}

// dial returns an api of a fake. By default it has a token.
func dial(tb testing.TB, s *transporttest.Fake, change ...func(*Config)) (*api, *transporttest.Clock) {
	tb.Helper()
	clock := transporttest.NewClock()
	cfg := Config{
		Settings:    Settings{UserAgent: "test/1", MaxWait: 2 * time.Minute, MaxRetries: 3, RequestTimeout: time.Minute, Transport: s, Clock: clock},
		AccessToken: transporttest.GivenToken, API: "reseller API",
	}
	withURL(transporttest.URL)(&cfg)
	for _, f := range change {
		f(&cfg)
	}
	if ownClock, isFake := cfg.Clock.(*transporttest.Clock); isFake {
		clock = ownClock
	}
	return &api{Caller: New(cfg)}, clock
}

// tokenScript has the exchanges of tokens and the list, by name.
const tokenScript = `
	token: POST {exchange} -> grant token-0001
	new token: POST {exchange} -> grant token-0002
	exchange fails: POST {exchange} -> 500 INTERNAL_SERVER_ERROR
	exchange lost: POST {exchange} -> reset
	unknown key: POST {exchange} -> 401 body {"error":"invalid_client"}
	no token: POST {exchange} -> 200 body {"token_type":"Bearer"}
	limited: POST {exchange} -> limited + Retry-After: 60
	list: GET {labels} -> 200 {no labels}
	unauthorized: GET {labels} -> 401 UNAUTHORIZED
	later: GET {labels} -> 503 INTERNAL_SERVER_ERROR + Retry-After: 50
`

// inWords is the code of an error of the API, "HTTP 502" for one without a code, or the text of another error.
func inWords(err error) string {
	e, answered := errors.AsType[*Error](err)
	limit, limited := errors.AsType[*RateLimitError](err)
	switch {
	case err == nil:
		return "done"
	case limited:
		return fmt.Sprintf("%s limit until +%s", limit.Limit, limit.Until.Sub(transporttest.Start))
	case answered:
		return cmp.Or(e.Code, fmt.Sprintf("HTTP %d", e.Status))
	default:
		return "error: " + err.Error()
	}
}

func withMaxWait(d time.Duration) func(*Config) { return func(cfg *Config) { cfg.MaxWait = d } }

// duration reads a cell of a table.
func duration(t *testing.T, text string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(text)
	require.NoError(t, err)
	return d
}

func withURL(address string) func(*Config) {
	return func(cfg *Config) {
		if parsed, err := url.Parse(address); err == nil {
			cfg.BaseURL = parsed
		}
	}
}

func withKey(cfg *Config) { cfg.APIKey, cfg.AccessToken = transporttest.Key, "" }

func withCache(dir string) func(*Config) {
	return func(cfg *Config) {
		withKey(cfg)
		cfg.TokenCacheDir = dir
	}
}

func withClock(clock Clock) func(*Config) {
	return func(cfg *Config) { cfg.Clock = clock }
}

func (a *api) call(ctx context.Context, request string, r Request) error {
	r.Method, r.Path, _ = strings.Cut(request, " ")
	r.Op, r.Route, r.Writes = request, r.Path, r.Method != http.MethodGet
	r.Place = a.place
	_, err := a.Do(ctx, r)
	return err
}

func (a *api) in(p *Place) *api { return &api{a.Caller, p} }

var consoleLimits, billingLimits = []Limit{LimitConsole, LimitTotal}, []Limit{LimitBilling, LimitTotal}

// read counts toward the console limit.
func (a *api) read(ctx context.Context) error { return a.readOf(ctx, "") }

func (a *api) readOf(ctx context.Context, period string) error {
	var query url.Values
	if period != "" {
		query = url.Values{"period": {period}}
	}
	return a.call(ctx, transporttest.ReqList, Request{Query: query, Limits: consoleLimits, Retryable: true})
}

// readBilling counts toward the billing limit.
func (a *api) readBilling(ctx context.Context) error {
	return a.call(ctx, "GET /console/reseller.example/reseller/billing/quota", Request{Limits: billingLimits, Retryable: true})
}

// write has a new effect with each call.
func (a *api) write(ctx context.Context) error {
	return a.call(ctx, transporttest.ReqProvision, Request{Body: map[string]any{}, Limits: consoleLimits})
}

func (a *api) token(ctx context.Context) (string, error) {
	creds, err := a.Credentials(ctx)
	if err != nil {
		return "", err
	}
	return creds.AccessToken, nil
}

// findSlug stores the slug once for all processes.
func (a *api) findSlug(ctx context.Context) error {
	unlock, stored, err := a.LockSlug(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if stored != "" {
		return nil
	}
	if err := a.call(ctx, transporttest.ReqDashboard, Request{Limits: consoleLimits, Retryable: true}); err != nil {
		return err
	}
	a.RememberSlug(ctx, transporttest.Slug)
	return nil
}

// bucket is one of two limits toward which a read can count.
type bucket int

const (
	bucketConsole bucket = iota
	bucketBilling
)

func (a *api) reserve(ctx context.Context, buckets ...bucket) (*Place, bucket, error) {
	var choices [][]Limit
	for _, b := range buckets {
		choices = append(choices, [][]Limit{consoleLimits, billingLimits}[b])
	}
	place, err := a.Reserve(ctx, choices...)
	if err != nil {
		return nil, 0, err
	}
	return place, buckets[place.Choice], nil
}
