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
	c, s, clock := stubbed(t, map[string][]stubReply{
		stubExchange: {stubToken("token-number-1"), stubToken("token-number-2"), stubToken("token-number-3")},
		stubList:     {stubErr(http.StatusUnauthorized, CodeUnauthorized)},
	}, stubWithKey(t.TempDir()))
	for range 20 {
		if _, err := c.ListPrivateLabels(t.Context(), ""); !IsCode(err, CodeUnauthorized) {
			t.Fatalf("got %v", err)
		}
	}
	if s.count(stubExchange) != 2 || clock.slept() != 0 {
		t.Errorf("%d exchanges, slept %s", s.count(stubExchange), clock.slept())
	}
}

func TestTokenIsRenewedEachTimeItRunsOut(t *testing.T) {
	t.Parallel()
	refused := stubErr(http.StatusUnauthorized, CodeUnauthorized)
	c, s, _ := stubbed(t, map[string][]stubReply{
		stubExchange: {stubToken("token-number-1"), stubToken("token-number-2"), stubToken("token-number-3")},
		stubList:     {refused, stubOK(stubNoLabels), refused, stubOK(stubNoLabels)},
	}, stubWithKey(t.TempDir()))
	for range 2 {
		if _, err := c.ListPrivateLabels(t.Context(), ""); err != nil {
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
	c, s, _ := stubbed(t, map[string][]stubReply{
		stubExchange: {refused, refused, refused, refused, refused, refused, refused, refused, refused, stubToken("token-number-1")},
		stubList:     {stubOK(stubNoLabels)},
	}, stubWithKey(t.TempDir()), func(cfg *Config) { cfg.MaxWait = 0 })
	for range 3 {
		if _, err := c.ListPrivateLabels(t.Context(), ""); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Fatalf("got %v", err)
		}
	}
	if s.count(stubExchange) != 9 { // MaxRetries is 2, and the call's own repeats do not multiply it
		t.Errorf("%d tries", s.count(stubExchange))
	}
	if _, err := c.ListPrivateLabels(t.Context(), ""); err != nil {
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
		c, s, clock := stubbed(t, replies(), stubWithKey(dir), func(cfg *Config) { cfg.MaxWait = 14 * time.Minute })
		for range 5 {
			_, _, _, err := c.AccessToken(t.Context())
			if !IsCode(err, CodeInvalidClient) {
				t.Fatal(err)
			}
		}
		_, _, _, err := c.AccessToken(t.Context())
		var limit *RateLimitError
		if !errors.As(err, &limit) || limit.Limit != "token exchange" || !limit.Until.Equal(stubStart.Add(15*time.Minute)) {
			t.Errorf("dir %q: got %v", dir, err)
		}
		if s.count(stubExchange) != 5 || clock.slept() != 0 {
			t.Errorf("dir %q: %d exchanges, slept %s", dir, s.count(stubExchange), clock.slept())
		}
		c.caller.cfg.MaxWait = 15 * time.Minute
		if _, _, _, err = c.AccessToken(t.Context()); !IsCode(err, CodeInvalidClient) || clock.slept() != 15*time.Minute {
			t.Errorf("dir %q: slept %s, %v", dir, clock.slept(), err)
		}
	}
}

// A 429 of the exchange holds for every process and key of the address.
func TestLimitedExchangeIsShared(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	limited := stubBare429("Retry-After", "600")
	a, _, clock := stubbed(t, map[string][]stubReply{stubExchange: {limited}}, stubWithKey(dir), func(cfg *Config) { cfg.MaxWait = 0 })
	if _, _, _, err := a.AccessToken(t.Context()); !IsRateLimitError(err) {
		t.Errorf("got %v", err)
	}
	b, s, _ := stubbed(t, map[string][]stubReply{stubExchange: {stubToken("token-number-1")}}, stubWithKey(dir), func(cfg *Config) {
		cfg.APIKey, cfg.MaxWait = strings.ReplaceAll(stubKey, "0", "1"), 0
		cfg.Clock = clock
	})
	if _, _, _, err := b.AccessToken(t.Context()); !IsRateLimitError(err) || len(s.calls()) != 0 {
		t.Errorf("got %v after %v", err, s.calls())
	}
	b.caller.cfg.MaxWait = 10 * time.Minute
	if _, _, _, err := b.AccessToken(t.Context()); err != nil || clock.slept() != 10*time.Minute {
		t.Errorf("slept %s, %v", clock.slept(), err)
	}
}

// The slug is the key's: it outlives the token it was stored beside.
func TestSlugOutlivesTheToken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	replies := func() map[string][]stubReply {
		return map[string][]stubReply{
			stubExchange: {stubToken("token-number-1")},
			stubBoard:    {stubOK(`{"slug":"` + stubSlug + `"}`)}, stubList: {stubOK(stubNoLabels)},
		}
	}
	unset := func(cfg *Config) { cfg.Slug = "" }
	c, s, clock := stubbed(t, replies(), stubWithKey(dir), unset)
	if _, err := c.ListPrivateLabels(t.Context(), ""); err != nil || s.count(stubBoard) != 1 {
		t.Fatalf("%v after %v", err, s.calls())
	}
	_ = clock.Sleep(t.Context(), 2*time.Hour)
	c, s, _ = stubbed(t, replies(), stubWithKey(dir), unset, func(cfg *Config) { cfg.Clock = clock })
	if _, err := c.ListPrivateLabels(t.Context(), ""); err != nil || s.count(stubBoard) != 0 || s.count(stubExchange) != 1 {
		t.Errorf("%v after %v", err, s.calls())
	}
}

func TestTokenWithoutAnEndLivesAnHour(t *testing.T) {
	t.Parallel()
	c, _, _ := stubbed(t, map[string][]stubReply{stubExchange: {{status: http.StatusOK, body: `{"access_token":"token-number-1"}`}}}, stubWithKey(""))
	if _, end, _, err := c.AccessToken(t.Context()); err != nil || !end.Equal(stubStart.Add(time.Hour)) {
		t.Errorf("got %s, %v", end, err)
	}
}

func TestBadCertificateIsNeitherDoubtfulNorRepeated(t *testing.T) {
	t.Parallel()
	bad := stubReply{err: &tls.CertificateVerificationError{Err: errors.New("unknown authority")}}
	c, s, _ := stubbed(t, map[string][]stubReply{stubList: {bad}, stubProvision: {bad}})
	if _, err := c.ListPrivateLabels(t.Context(), ""); err == nil {
		t.Error("no error")
	}
	if _, err := c.ProvisionPrivateLabel(t.Context(), stubRequest()); err == nil || IsUnknownOutcome(err) {
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
		noWait := func(cfg *Config) { cfg.MaxWait = 0 }
		c, _, clock := stubbed(t, map[string][]stubReply{stubExchange: {stubBare429("Retry-After", after)}}, stubWithKey(dir), noWait)
		_, _, _, err := c.AccessToken(t.Context())
		var limit *RateLimitError
		if !errors.As(err, &limit) || !limit.Until.Equal(stubStart.Add(exchangesWindow)) {
			t.Fatalf("%s: %v", after, err)
		}
		if limit.File == "" || filepath.Dir(limit.File) != dir {
			t.Errorf("the error names %q", limit.File)
		}
		next, s, _ := stubbed(t, map[string][]stubReply{stubExchange: {stubToken("token-number-1")}}, stubWithKey(dir), noWait, func(cfg *Config) { cfg.Clock = clock })
		if _, _, _, err := next.AccessToken(t.Context()); !IsRateLimitError(err) || s.count(stubExchange) != 0 {
			t.Errorf("%s: another process: %v", after, err)
		}
		if err := os.Remove(limit.File); err != nil {
			t.Error(err)
		}
		next, _, _ = stubbed(t, map[string][]stubReply{stubExchange: {stubToken("token-number-1")}}, stubWithKey(dir), noWait, func(cfg *Config) { cfg.Clock = clock })
		if _, _, _, err := next.AccessToken(t.Context()); err != nil {
			t.Errorf("%s: without the file: %v", after, err)
		}
	}
}
