package client

import (
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// token asks for a token: an exchange, unless there is one.
func token(t *testing.T, c *api) (string, error) {
	t.Helper()
	tok, err := c.token(t.Context())
	return tok, err
}

func exchanges(n int, a answer) []step {
	steps := make([]step, n)
	for i := range steps {
		steps[i] = step{reqExchange, a}
	}
	return steps
}

func TestExchangeFailures(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		steps  []step
		status int    // of the error; 0 for none or no answer
		code   string // of the error
		fails  bool
	}{
		{"unknown key", exchanges(1, reply(401, `{"error":"invalid_client"}`)), 401, CodeInvalidClient, true},
		{"bad request", exchanges(1, reply(400, `{"error":"invalid_request"}`)), 400, CodeInvalidRequestGrant, true},
		{"500, then a token", append(exchanges(1, refuse(500, "INTERNAL_SERVER_ERROR")), exchanges(1, grant("token-0001"))...), 0, "", false},
		{"500 twice is enough", exchanges(2, refuse(500, "INTERNAL_SERVER_ERROR")), 500, "INTERNAL_SERVER_ERROR", true},
		{"HTML twice", exchanges(2, html(200)), 200, "", true},
		{"no token in it", exchanges(2, reply(200, `{"token_type":"Bearer"}`)), 200, "", true},
		{"reset, then a token", append(exchanges(1, reset), exchanges(1, grant("token-0001"))...), 0, "", false},
		{"reset twice: the calls' repeats don't multiply the exchange's", exchanges(2, reset), 0, "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			steps := tc.steps
			if !tc.fails {
				steps = append(steps, step{reqList, ok(noLabels)})
			}
			c, _ := dialAPI(t, serve(t, steps...), apiKey)
			err := c.read(t.Context())
			var e *Error
			switch {
			case (err != nil) != tc.fails:
				t.Fatalf("got %v", err)
			case tc.status == 0:
			case !errors.As(err, &e) || e.Status != tc.status || e.Code != tc.code:
				t.Errorf("got %#v", e)
			}
			if MayHaveTakenEffect(err) {
				t.Error("a call without a token is in doubt")
			}
		})
	}
}

func TestExchangeThatNeverLeftIsNotCounted(t *testing.T) {
	t.Parallel()
	s := serve(t, append(exchanges(5, grantFor("token-0001", 1)), step{reqList, ok(noLabels)})...)
	refused := 20
	broken := roundTrip(func(r *http.Request) (*http.Response, error) {
		if refused > 0 {
			refused--
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
		}
		return s.Client().Transport.RoundTrip(r)
	})
	c, clock := dialAPI(t, s, apiCache(t.TempDir()), func(cfg *CallerConfig) { cfg.Transport, cfg.MaxRetries, cfg.MaxWait = broken, 19, 0 })
	if err := c.read(t.Context()); !errors.Is(err, syscall.ECONNREFUSED) || !NeverSent(err) {
		t.Fatalf("got %v", err)
	}
	for range 5 { // all five are still to be had
		if _, err := token(t, c); err != nil {
			t.Fatal(err)
		}
		clock.move(time.Second)
	}
	c.tokens.cache.write(t.Context(), &Credentials{AccessToken: "token-0001", IssuedAt: clock.Now(), ExpiresAt: clock.Now().Add(time.Hour)})
	if err := c.read(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestSixthExchangeWaits(t *testing.T) {
	t.Parallel()
	// A minute between them: the first leaves the window 11 minutes after the fifth.
	five := func(t *testing.T, c *api, clock *fakeClock) {
		t.Helper()
		for range 5 {
			if _, err := token(t, c); err != nil {
				t.Fatal(err)
			}
			clock.move(time.Minute)
		}
	}
	short := grantFor("token-0001", 60)
	t.Run("as long as may be waited", func(t *testing.T) {
		t.Parallel()
		c, clock := dialAPI(t, serve(t, exchanges(6, short)...), apiKey, func(cfg *CallerConfig) { cfg.MaxWait = 10 * time.Minute })
		five(t, c, clock)
		if _, err := token(t, c); err != nil || clock.slept() != 10*time.Minute {
			t.Errorf("slept %s: %v", clock.slept(), err)
		}
	})
	t.Run("not for longer", func(t *testing.T) {
		t.Parallel()
		c, clock := dialAPI(t, serve(t, exchanges(5, short)...), apiKey, func(cfg *CallerConfig) { cfg.MaxWait = 10*time.Minute - 1 })
		five(t, c, clock)
		_, err := token(t, c)
		var limit *RateLimitError
		if !errors.As(err, &limit) || limit.Limit != "token exchange" || !limit.Until.Equal(testStart.Add(15*time.Minute)) || limit.Wait != 10*time.Minute || clock.slept() != 0 {
			t.Errorf("slept %s: got %#v", clock.slept(), limit)
		}
		if err := c.read(t.Context()); !errors.As(err, &limit) || MayHaveTakenEffect(err) || !strings.Contains(err.Error(), "2026-10-05T12:15:00Z") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("shared by the keys of an address", func(t *testing.T) {
		t.Parallel()
		dir, s := t.TempDir(), serve(t, exchanges(5, short)...)
		c, clock := dialAPI(t, s, apiCache(dir))
		five(t, c, clock)
		other, _ := dialAPI(t, s, apiCache(dir), apiClock(clock), func(cfg *CallerConfig) { cfg.APIKey = "another-key-of-this-address" })
		var limit *RateLimitError
		if _, err := token(t, other); !errors.As(err, &limit) {
			t.Errorf("got %v", err)
		}
		elsewhere, _ := dialAPI(t, serve(t, exchanges(1, short)...), apiCache(dir), apiClock(clock))
		if _, err := token(t, elsewhere); err != nil {
			t.Errorf("another address: %v", err)
		}
	})
	t.Run("times of a clock that was wrong don't count", func(t *testing.T) {
		t.Parallel()
		dir, s := t.TempDir(), serve(t, exchanges(6, short)...)
		c, clock := dialAPI(t, s, apiCache(dir))
		five(t, c, clock)
		clock.move(-time.Hour)
		again, _ := dialAPI(t, s, apiCache(dir), apiClock(clock), func(cfg *CallerConfig) { cfg.APIKey = "another-key-of-this-address" })
		if _, err := token(t, again); err != nil {
			t.Error(err)
		}
	})
}

func TestExchangeRateLimit(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		steps   []step
		maxWait time.Duration
		slept   time.Duration
		until   time.Duration // of the RateLimitError; 0 for none
	}{
		{"Retry-After is waited for", append(exchanges(1, limited("Retry-After", "90")), exchanges(1, grant("token-0001"))...), 2 * time.Minute, 90 * time.Second, 0},
		{"longer than may be waited", exchanges(1, limited("Retry-After", "121")), 2 * time.Minute, 0, 121 * time.Second},
		{"nothing may be waited", exchanges(1, limited("Retry-After", "1")), 0, 0, time.Second},
		{"without Retry-After", append(exchanges(1, limited()), exchanges(1, grant("token-0001"))...), 2 * time.Minute, time.Second, 0},
		{"a 429 that never ends", exchanges(3, limited("Retry-After", "60")), 2 * time.Minute, 2 * time.Minute, 3 * time.Minute},
		{"a 429 that never ends and the journal's wait", exchanges(6, limited("Retry-After", "60")), 15 * time.Minute, 15 * time.Minute, 16 * time.Minute},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, clock := dialAPI(t, serve(t, tc.steps...), apiKey, func(cfg *CallerConfig) { cfg.MaxWait = tc.maxWait })
			_, err := token(t, c)
			var limit *RateLimitError
			switch {
			case tc.until == 0 && err != nil:
				t.Error(err)
			case tc.until != 0 && (!errors.As(err, &limit) || limit.Limit != "token exchange" || !limit.Until.Equal(testStart.Add(tc.until)) || limit.MaxWait != tc.maxWait):
				t.Errorf("got %v", err)
			}
			if clock.slept() != tc.slept {
				t.Errorf("slept %s, want %s", clock.slept(), tc.slept)
			}
		})
	}
}

func TestExchange_RefusesWhatIsNoToken(t *testing.T) {
	t.Parallel()
	for name, token := range map[string]string{
		"a line break": "tok\nen", "a blank": "to ken", "not ASCII": "tökén", "too long": strings.Repeat("t", maxToken+1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			s.Config.Handler = http.HandlerFunc(grant(token))
			c, _ := dialAPI(t, s, apiKey)
			if _, err := c.token(t.Context()); err == nil || !strings.Contains(err.Error(), "access_token has a form") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
