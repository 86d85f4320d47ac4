package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
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
	c, _ := dial(t, s, withKey)
	if c.Calls() != 0 {
		t.Fatalf("%d calls before the first that was asked for", c.Calls())
	}
	for range 2 {
		if err := list(c)(t.Context()); err != nil {
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

func TestAccessTokenTellsEndAndScopes(t *testing.T) {
	t.Parallel()
	c, _ := dial(t, serve(t, step{reqExchange, grant("token-0001")}), withKey)
	token, end, scopes, err := c.AccessToken(t.Context())
	if err != nil || token != "token-0001" || !end.Equal(testStart.Add(time.Hour)) || strings.Join(scopes, ",") != "reseller:read,reseller:provision" {
		t.Errorf("got %q, %s, %v, %v", token, end, scopes, err)
	}
	given, _ := dial(t, serve(t))
	token, end, scopes, err = given.AccessToken(t.Context())
	if err != nil || token != givenTok || !end.IsZero() || len(scopes) > 0 {
		t.Errorf("got %q, %s, %v, %v", token, end, scopes, err)
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
		overMemory := func(cfg *Config) { cfg.Transport = inMemory(h) }
		a, _ := dial(t, s, withCache(dir), overMemory)
		b := a
		if dir != "" {
			b, _ = dial(t, s, withCache(dir), overMemory)
		}
		var group errgroup.Group
		for i := range 50 {
			group.Go(func() error {
				c := a
				if i%2 == 1 {
					c = b
				}
				return list(c)(t.Context())
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
			c, clock := dial(t, s, withCache(t.TempDir()))
			for _, d := range []time.Duration{0, tc.keeps - time.Second, time.Second} {
				clock.move(d)
				if err := list(c)(t.Context()); err != nil {
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
	unauthorized := refuse(http.StatusUnauthorized, CodeUnauthorized)
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
		}, CodeUnauthorized},
		{"a refused exchange is the error", []step{
			{reqExchange, grant("token-0001")},
			{reqList, unauthorized},
			{reqExchange, reply(http.StatusUnauthorized, `{"error":"invalid_client"}`)},
		}, CodeInvalidClient},
		{"403 keeps the token", []step{
			{reqExchange, grant("token-0001")}, {reqList, refuse(http.StatusForbidden, CodeInsufficientScope)},
		}, CodeInsufficientScope},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, serve(t, tc.steps...), withCache(t.TempDir()))
			if err := list(c)(t.Context()); tc.code == "" && err != nil || tc.code != "" && !IsCode(err, tc.code) {
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
				refuse(http.StatusUnauthorized, CodeUnauthorized)(w, r)
			default:
				ok(noLabels)(w, r)
			}
		}), time.Minute, withKey)
		var group errgroup.Group
		for range 10 {
			group.Go(func() error { return list(c)(t.Context()) })
		}
		if err := group.Wait(); err != nil || exchanged.Load() != 2 || refused.Load() != 10 {
			t.Errorf("%d exchanges, %d refusals: %v", exchanged.Load(), refused.Load(), err)
		}
	})
}

func TestMalformedTokenIsRenewedOnce(t *testing.T) {
	t.Parallel() // §5.5: flat endpoints answer 400
	s := serve(t,
		step{reqExchange, grant("token-0001")}, step{reqDashboard, refuse(http.StatusBadRequest, CodeJSONWebTokenError)},
		step{reqExchange, grant("token-0002")}, step{reqDashboard, ok(theBoard)})
	c, _ := dial(t, s, withKey)
	if _, err := c.Dashboard(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestForbiddenNeverEvicts(t *testing.T) {
	t.Parallel()
	s := serve(t,
		step{reqExchange, grant("token-0001")}, step{reqList, refuse(http.StatusForbidden, CodeForbidden)},
		step{reqList, ok(noLabels)})
	dir := t.TempDir()
	c, clock := dial(t, s, withCache(dir))
	if err := list(c)(t.Context()); !IsCode(err, CodeForbidden) {
		t.Fatal(err)
	}
	again, _ := dial(t, s, withCache(dir), withClock(clock))
	if err := list(again)(t.Context()); err != nil || s.token(2) != "token-0001" {
		t.Errorf("carried %q: %v", s.token(2), err)
	}
}

func TestTokenRenewedByAnotherProcessIsUsed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clock := newClock()
	unauthorized := refuse(http.StatusUnauthorized, CodeUnauthorized)
	s := serve(t,
		step{reqExchange, grant("token-0001")}, step{reqList, ok(noLabels)},
		step{reqList, unauthorized}, step{reqExchange, grant("token-0002")}, step{reqList, ok(noLabels)}, // the other
		step{reqList, unauthorized}, step{reqList, ok(noLabels)}) // this one, without an exchange
	one, _ := dial(t, s, withCache(dir), withClock(clock))
	other, _ := dial(t, s, withCache(dir), withClock(clock))
	for i, c := range []*Client{one, other, one} {
		if err := list(c)(t.Context()); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
	}
	if s.token(6) != "token-0002" {
		t.Errorf("carried %q", s.token(6))
	}
}

func TestGivenTokenIsNeverRenewed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cache")
	s := serve(t, step{reqDashboard, ok(theBoard)}, step{reqList, refuse(http.StatusUnauthorized, CodeUnauthorized)})
	c, _ := dial(t, s, withoutSlug, func(cfg *Config) { cfg.APIKey, cfg.TokenCacheDir = testKey, dir })
	if err := list(c)(t.Context()); !IsCode(err, CodeUnauthorized) {
		t.Error(err)
	}
	if s.token(1) != givenTok {
		t.Errorf("carried %q", s.token(1))
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a given token touches the cache: %v", err)
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
	c, _ := dial(t, s, withKey)
	first, leave := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { _ = list(c)(first) })
	<-arrived
	waiting, leaveToo := context.WithCancel(t.Context())
	leaveToo()
	if err := list(c)(waiting); !errors.Is(err, context.Canceled) {
		t.Errorf("a waiter who left got %v", err)
	}
	leave()
	close(goOn)
	wg.Wait()
	if err := list(c)(t.Context()); err != nil {
		t.Error(err) // with the token of the exchange that went on
	}
}

func TestSlugStaysBesideTheToken(t *testing.T) {
	t.Parallel()
	unauthorized := refuse(http.StatusUnauthorized, CodeUnauthorized)
	s := serve(t,
		step{reqExchange, grant("token-0001")}, step{reqDashboard, ok(theBoard)}, step{reqList, ok(noLabels)},
		step{reqList, ok(noLabels)},                                         // another process
		step{reqExchange, grant("token-0002")}, step{reqList, ok(noLabels)}, // an hour later
		step{reqList, unauthorized}, step{reqExchange, grant("token-0003")}, step{reqList, ok(noLabels)}, // revoked
		step{reqList, ok(noLabels)})
	dir, clock := t.TempDir(), newClock()
	for _, d := range []time.Duration{0, 0, time.Hour, 0, 0} {
		clock.move(d)
		c, _ := dial(t, s, withCache(dir), withClock(clock), withoutSlug)
		if err := list(c)(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOldRememberedSlugIsLookedUpOnce(t *testing.T) {
	t.Parallel()
	const moved = "GET /console/new.example/reseller/private-labels"
	forbidden := refuse(http.StatusForbidden, CodeForbidden)
	newBoard := ok(strings.ReplaceAll(theBoard, testSlug, "new.example"))
	dir, clock := t.TempDir(), newClock()
	s := serve(t,
		step{reqExchange, grant("token-0001")}, step{reqDashboard, ok(theBoard)},
		step{reqList, forbidden}, step{reqDashboard, newBoard}, step{moved, ok(noLabels)}, step{moved, forbidden},
		step{moved, forbidden}, step{reqDashboard, newBoard}, step{moved, forbidden})
	first, _ := dial(t, s, withCache(dir), withClock(clock), withoutSlug)
	if slug, err := first.Slug(t.Context()); err != nil || slug != testSlug {
		t.Fatal(slug, err)
	}
	second, _ := dial(t, s, withCache(dir), withClock(clock), withoutSlug)
	if err := list(second)(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := list(second)(t.Context()); !IsCode(err, CodeForbidden) {
		t.Fatal(err) // looked already
	}
	third, _ := dial(t, s, withCache(dir), withClock(clock), withoutSlug)
	for range 2 {
		if err := list(third)(t.Context()); !IsCode(err, CodeForbidden) {
			t.Fatal(err) // the new slug was remembered, and it did not move
		}
	}
}

func TestSlug(t *testing.T) {
	t.Parallel()
	t.Run("as configured it is never looked up", func(t *testing.T) {
		t.Parallel()
		c, _ := dial(t, serve(t, step{reqList, refuse(http.StatusForbidden, CodeForbidden)}))
		if err := list(c)(t.Context()); !IsCode(err, CodeForbidden) {
			t.Error(err)
		}
	})
	t.Run("a key of no reseller", func(t *testing.T) {
		t.Parallel()
		c, _ := dial(t, serve(t, step{reqDashboard, ok(`{"isReseller":false,"slug":null}`)}), withoutSlug)
		if _, err := c.ProvisionPrivateLabel(t.Context(), provisionRequest()); err == nil || !strings.Contains(err.Error(), "slug") || MayHaveTakenEffect(err) {
			t.Error(err)
		}
	})
	t.Run("a dashboard that fails", func(t *testing.T) {
		t.Parallel()
		c, _ := dial(t, serve(t, step{reqDashboard, refuse(http.StatusForbidden, CodeInsufficientScope)}), withoutSlug)
		if err := list(c)(t.Context()); !IsCode(err, CodeInsufficientScope) {
			t.Error(err)
		}
	})
	t.Run("concurrent callers share one call", func(t *testing.T) {
		t.Parallel()
		c, _ := dial(t, serve(t, step{reqDashboard, ok(theBoard)}), withoutSlug)
		var group errgroup.Group
		for range 20 {
			group.Go(func() error {
				_, err := c.Slug(t.Context())
				return err
			})
		}
		if err := group.Wait(); err != nil {
			t.Error(err)
		}
	})
	t.Run("it is escaped into the path", func(t *testing.T) {
		t.Parallel()
		c, _ := dial(t, serve(t, step{"GET /console/a%2Fb%3F/reseller/private-labels", ok(noLabels)}), func(cfg *Config) { cfg.Slug = "a/b?" })
		if err := list(c)(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestHeadersOfACall(t *testing.T) {
	t.Parallel()
	var got http.Header
	s := serve(t, step{reqSuspend, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		_, _ = io.Copy(io.Discard, r.Body)
		ok(`{"tenantId":"`+testID+`","status":"Suspended"}`)(w, r)
	}})
	c, _ := dial(t, s)
	if _, err := c.SuspendPrivateLabel(t.Context(), testID, "unpaid"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Authorization": "Bearer " + givenTok, "Content-Type": "application/json",
		"Accept": "application/json", "User-Agent": "test/1",
	} {
		if got.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.Get(name), want)
		}
	}
}
