package client

import (
	"crypto/tls"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A service that refuses every token must not cost an exchange a call: that
// would close the limit for every process of the address.
func TestTokensThatAreAllRefused(t *testing.T) {
	t.Parallel()
	c, s, clock := stubbedAPI(t, map[string][]stubReply{
		stubExchange: {stubToken("token-number-1"), stubToken("token-number-2"), stubToken("token-number-3")},
		stubList:     {stubErr(http.StatusUnauthorized, "UNAUTHORIZED")},
	}, stubAPIKey(t.TempDir()))
	for range 20 {
		if err := c.read(t.Context()); !IsCode(err, "UNAUTHORIZED") {
			t.Fatalf("got %v", err)
		}
	}
	if s.count(stubExchange) != 2 || clock.slept() != 0 {
		t.Errorf("%d exchanges, slept %s", s.count(stubExchange), clock.slept())
	}
}

func TestTokenIsRenewedEachTimeItRunsOut(t *testing.T) {
	t.Parallel()
	refused := stubErr(http.StatusUnauthorized, "UNAUTHORIZED")
	c, s, _ := stubbedAPI(t, map[string][]stubReply{
		stubExchange: {stubToken("token-number-1"), stubToken("token-number-2"), stubToken("token-number-3")},
		stubList:     {refused, stubOK(stubNoLabels), refused, stubOK(stubNoLabels)},
	}, stubAPIKey(t.TempDir()))
	for range 2 {
		if err := c.read(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if s.count(stubExchange) != 3 {
		t.Errorf("%d exchanges", s.count(stubExchange))
	}
}

// What never reached the service does not count against its limit, or a network
// that is down would show as a limit of 15 minutes.
func TestUnreachableExchangeIsNotCounted(t *testing.T) {
	t.Parallel()
	refused := stubReply{err: syscall.ECONNREFUSED}
	c, s, _ := stubbedAPI(t, map[string][]stubReply{
		stubExchange: {refused, refused, refused, refused, refused, refused, refused, refused, refused, stubToken("token-number-1")},
		stubList:     {stubOK(stubNoLabels)},
	}, stubAPIKey(t.TempDir()), func(cfg *CallerConfig) { cfg.MaxWait = 0 })
	for range 3 {
		if err := c.read(t.Context()); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Fatalf("got %v", err)
		}
	}
	if s.count(stubExchange) != 9 { // MaxRetries is 2, and the call's own repeats do not multiply it
		t.Errorf("%d tries", s.count(stubExchange))
	}
	if err := c.read(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestSixthExchange(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"", t.TempDir()} {
		// Each exchange fails after it reached the service, and counts.
		replies := func() map[string][]stubReply {
			return map[string][]stubReply{stubExchange: {stubErr(http.StatusUnauthorized, CodeInvalidClient)}}
		}
		c, s, clock := stubbedAPI(t, replies(), stubAPIKey(dir), func(cfg *CallerConfig) { cfg.MaxWait = 14 * time.Minute })
		for range 5 {
			_, err := c.token(t.Context())
			if !IsCode(err, CodeInvalidClient) {
				t.Fatal(err)
			}
		}
		_, err := c.token(t.Context())
		var limit *RateLimitError
		if !errors.As(err, &limit) || limit.Limit != "token exchange" || !limit.Until.Equal(testStart.Add(15*time.Minute)) {
			t.Errorf("dir %q: got %v", dir, err)
		}
		if s.count(stubExchange) != 5 || clock.slept() != 0 {
			t.Errorf("dir %q: %d exchanges, slept %s", dir, s.count(stubExchange), clock.slept())
		}
		c.cfg.MaxWait = 15 * time.Minute
		if _, err = c.token(t.Context()); !IsCode(err, CodeInvalidClient) || clock.slept() != 15*time.Minute {
			t.Errorf("dir %q: slept %s, %v", dir, clock.slept(), err)
		}
	}
}

// A 429 of the exchange holds for every process and key of the address.
func TestLimitedExchangeIsShared(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	limited := stubBare429("Retry-After", "600")
	a, _, clock := stubbedAPI(t, map[string][]stubReply{stubExchange: {limited}}, stubAPIKey(dir), func(cfg *CallerConfig) { cfg.MaxWait = 0 })
	if _, err := a.token(t.Context()); !IsRateLimitError(err) {
		t.Errorf("got %v", err)
	}
	b, s, _ := stubbedAPI(t, map[string][]stubReply{stubExchange: {stubToken("token-number-1")}}, stubAPIKey(dir), func(cfg *CallerConfig) {
		cfg.APIKey, cfg.MaxWait = strings.ReplaceAll(stubKey, "0", "1"), 0
		cfg.Clock = clock
	})
	if _, err := b.token(t.Context()); !IsRateLimitError(err) || len(s.calls()) != 0 {
		t.Errorf("got %v after %v", err, s.calls())
	}
	b.cfg.MaxWait = 10 * time.Minute
	if _, err := b.token(t.Context()); err != nil || clock.slept() != 10*time.Minute {
		t.Errorf("slept %s, %v", clock.slept(), err)
	}
}

func TestTokenWithoutAnEndLivesAnHour(t *testing.T) {
	t.Parallel()
	c, _, _ := stubbedAPI(t, map[string][]stubReply{stubExchange: {{status: http.StatusOK, body: `{"access_token":"token-number-1"}`}}}, stubAPIKey(""))
	if creds, err := c.Credentials(t.Context()); err != nil || !creds.ExpiresAt.Equal(testStart.Add(time.Hour)) {
		t.Errorf("got %+v, %v", creds, err)
	}
}

func TestBadCertificateIsNeitherDoubtfulNorRepeated(t *testing.T) {
	t.Parallel()
	bad := stubReply{err: &tls.CertificateVerificationError{Err: errors.New("unknown authority")}}
	c, s, _ := stubbedAPI(t, map[string][]stubReply{stubList: {bad}, stubProvision: {bad}})
	if err := c.read(t.Context()); err == nil {
		t.Error("no error")
	}
	if err := c.write(t.Context()); err == nil || IsUnknownOutcome(err) {
		t.Errorf("got %v", err)
	}
	if len(s.calls()) != 2 {
		t.Errorf("calls %v", s.calls())
	}
}

// One answer must not close the exchange for longer than its window, and the
// error says what keeps it closed.
func TestExchange_ClosedNoLongerThanItsWindow(t *testing.T) {
	t.Parallel()
	for _, after := range []string{"31536000", "1e300", "Fri, 01 Jan 2100 00:00:00 GMT"} {
		dir := t.TempDir()
		noWait := func(cfg *CallerConfig) { cfg.MaxWait = 0 }
		c, _, clock := stubbedAPI(t, map[string][]stubReply{stubExchange: {stubBare429("Retry-After", after)}}, stubAPIKey(dir), noWait)
		_, err := c.token(t.Context())
		var limit *RateLimitError
		if !errors.As(err, &limit) || !limit.Until.Equal(testStart.Add(exchangesWindow)) {
			t.Fatalf("%s: %v", after, err)
		}
		if limit.File == "" || filepath.Dir(limit.File) != dir {
			t.Errorf("the error names %q", limit.File)
		}
		next, s, _ := stubbedAPI(t, map[string][]stubReply{stubExchange: {stubToken("token-number-1")}}, stubAPIKey(dir), noWait, func(cfg *CallerConfig) { cfg.Clock = clock })
		if _, err := next.token(t.Context()); !IsRateLimitError(err) || s.count(stubExchange) != 0 {
			t.Errorf("%s: another process: %v", after, err)
		}
		if err := os.Remove(limit.File); err != nil {
			t.Error(err)
		}
		next, _, _ = stubbedAPI(t, map[string][]stubReply{stubExchange: {stubToken("token-number-1")}}, stubAPIKey(dir), noWait, func(cfg *CallerConfig) { cfg.Clock = clock })
		if _, err := next.token(t.Context()); err != nil {
			t.Errorf("%s: without the file: %v", after, err)
		}
	}
}
