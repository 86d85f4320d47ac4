package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"
)

func TestTokenIsLazy(t *testing.T) {
	t.Parallel()
	s := serve(t, step{reqExchange, grant("token-0001")}, step{reqList, ok(noLabels)}, step{reqList, ok(noLabels)})
	c, _ := dialAPI(t, s, apiKey)
	if c.Calls() != 0 {
		t.Fatalf("%d calls before the first that was asked for", c.Calls())
	}
	for range 2 {
		if err := c.read(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]any{"grant_type": "client_credentials", "api_key": testKey}
	for name, value := range mustJSON(t, s.body(0)) {
		if want[name] != value {
			t.Errorf("the exchange sends %s = %v", name, value)
		}
	}
	if s.token(0) != "" || s.token(1) != "token-0001" {
		t.Errorf("the calls carried %q", s.auth)
	}
	if c.Calls() != 3 {
		t.Errorf("%d calls, want 3", c.Calls())
	}
}

func TestConcurrentCallersShareOneExchange(t *testing.T) {
	t.Parallel()
	var exchanges atomic.Int64
	arrived, goOn := make(chan struct{}), make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == exchangePath {
			exchanges.Add(1)
			close(arrived)
			<-goOn
			grant("token-0001")(w, r)
			return
		}
		ok(noLabels)(w, r)
	})
	s := serve(t)
	for name, dir := range map[string]string{"one client": "", "two clients of one folder": t.TempDir()} {
		exchanges.Store(0)
		arrived, goOn = make(chan struct{}), make(chan struct{})
		overMemory := func(cfg *CallerConfig) { cfg.Transport = inMemory(h) }
		a, _ := dialAPI(t, s, apiCache(dir), overMemory)
		b := a
		if dir != "" {
			b, _ = dialAPI(t, s, apiCache(dir), overMemory)
		}
		var group errgroup.Group
		for i := range 50 {
			group.Go(func() error {
				c := a
				if i%2 == 1 {
					c = b
				}
				return c.read(t.Context())
			})
		}
		<-arrived
		close(goOn)
		if err := group.Wait(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if exchanges.Load() != 1 {
			t.Errorf("%s: %d exchanges", name, exchanges.Load())
		}
	}
}

func TestTokenIsRenewedBeforeItsEnd(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		seconds int
		keeps   time.Duration // the last moment of the first token
	}{
		{"an hour", 3600, 55 * time.Minute},
		{"ten minutes", 600, 5 * time.Minute},
		{"shorter than ten minutes: half its life", 60, 30 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t,
				step{reqExchange, grantFor("token-0001", tc.seconds)}, step{reqList, ok(noLabels)},
				step{reqList, ok(noLabels)},
				step{reqExchange, grant("token-0002")}, step{reqList, ok(noLabels)})
			c, clock := dialAPI(t, s, apiCache(t.TempDir()))
			for _, d := range []time.Duration{0, tc.keeps - time.Second, time.Second} {
				clock.move(d)
				if err := c.read(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if s.token(4) != "token-0002" {
				t.Errorf("the last call carried %q", s.token(4))
			}
		})
	}
}

func TestRefusedTokenIsRenewedOnce(t *testing.T) {
	t.Parallel()
	unauthorized := refuse(http.StatusUnauthorized, "UNAUTHORIZED")
	for _, tc := range []struct {
		name  string
		steps []step
		code  string
	}{
		{"then the call goes through", []step{
			{reqExchange, grant("token-0001")},
			{reqList, unauthorized},
			{reqExchange, grant("token-0002")},
			{reqList, ok(noLabels)},
		}, ""},
		{"a second refusal is the error", []step{
			{reqExchange, grant("token-0001")},
			{reqList, unauthorized},
			{reqExchange, grant("token-0002")},
			{reqList, unauthorized},
		}, "UNAUTHORIZED"},
		{"a refused exchange is the error", []step{
			{reqExchange, grant("token-0001")},
			{reqList, unauthorized},
			{reqExchange, reply(http.StatusUnauthorized, `{"error":"invalid_client"}`)},
		}, CodeInvalidClient},
		{"403 keeps the token", []step{
			{reqExchange, grant("token-0001")}, {reqList, refuse(http.StatusForbidden, "INSUFFICIENT_SCOPE")},
		}, "INSUFFICIENT_SCOPE"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, _ := dialAPI(t, serve(t, tc.steps...), apiCache(t.TempDir()))
			if err := c.read(t.Context()); tc.code == "" && err != nil || tc.code != "" && !IsCode(err, tc.code) {
				t.Errorf("got %v, want %q", err, tc.code)
			}
		})
	}
}

func TestParallelRefusalsShareOneExchange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var exchanged, refused atomic.Int64
		all := make(chan struct{})
		c := inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == exchangePath:
				grant(fmt.Sprintf("token-%04d", exchanged.Add(1)))(w, r)
			case r.Header.Get("Authorization") == "Bearer token-0001":
				if refused.Add(1) == 10 {
					close(all)
				}
				<-all // they carry the same token
				refuse(http.StatusUnauthorized, "UNAUTHORIZED")(w, r)
			default:
				ok(noLabels)(w, r)
			}
		}), time.Minute, apiKey)
		var group errgroup.Group
		for range 10 {
			group.Go(func() error { return c.read(t.Context()) })
		}
		if err := group.Wait(); err != nil || exchanged.Load() != 2 || refused.Load() != 10 {
			t.Errorf("%d exchanges, %d refusals: %v", exchanged.Load(), refused.Load(), err)
		}
	})
}

func TestForbiddenNeverEvicts(t *testing.T) {
	t.Parallel()
	s := serve(t,
		step{reqExchange, grant("token-0001")}, step{reqList, refuse(http.StatusForbidden, "FORBIDDEN")},
		step{reqList, ok(noLabels)})
	dir := t.TempDir()
	c, clock := dialAPI(t, s, apiCache(dir))
	if err := c.read(t.Context()); !IsCode(err, "FORBIDDEN") {
		t.Fatal(err)
	}
	again, _ := dialAPI(t, s, apiCache(dir), apiClock(clock))
	if err := again.read(t.Context()); err != nil || s.token(2) != "token-0001" {
		t.Errorf("carried %q: %v", s.token(2), err)
	}
}

func TestTokenRenewedByAnotherProcessIsUsed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clock := newClock()
	unauthorized := refuse(http.StatusUnauthorized, "UNAUTHORIZED")
	s := serve(t,
		step{reqExchange, grant("token-0001")}, step{reqList, ok(noLabels)},
		step{reqList, unauthorized}, step{reqExchange, grant("token-0002")}, step{reqList, ok(noLabels)}, // the other
		step{reqList, unauthorized}, step{reqList, ok(noLabels)}) // this one, without an exchange
	one, _ := dialAPI(t, s, apiCache(dir), apiClock(clock))
	other, _ := dialAPI(t, s, apiCache(dir), apiClock(clock))
	for i, c := range []*api{one, other, one} {
		if err := c.read(t.Context()); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
	}
	if s.token(6) != "token-0002" {
		t.Errorf("carried %q", s.token(6))
	}
}

func TestCallerWhoLeavesDoesNotFailTheExchange(t *testing.T) {
	t.Parallel()
	arrived, goOn := make(chan struct{}), make(chan struct{})
	s := serve(t, step{reqExchange, func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-goOn
		grant("token-0001")(w, r)
	}}, step{reqList, ok(noLabels)})
	c, _ := dialAPI(t, s, apiKey)
	first, leave := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { _ = c.read(first) })
	<-arrived
	waiting, leaveToo := context.WithCancel(t.Context())
	leaveToo()
	if err := c.read(waiting); !errors.Is(err, context.Canceled) {
		t.Errorf("a waiter who left got %v", err)
	}
	leave()
	close(goOn)
	wg.Wait()
	if err := c.read(t.Context()); err != nil {
		t.Error(err) // with the token of the exchange that went on
	}
}
