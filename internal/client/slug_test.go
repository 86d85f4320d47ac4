package client

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"
)

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

// The slug is found before the place is taken, with the one call that may go.
func TestReserve_FindsSlugFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		answers := []answer{limited("Retry-After", "1"), ok(theBoard)}
		c, err := New(Config{
			BaseURL: "https://api.example", AccessToken: givenTok,
			Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				next := answers[0]
				answers = answers[1:]
				return inMemory(http.HandlerFunc(next))(r)
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Slug(t.Context()); !IsRateLimitError(err) {
			t.Fatalf("got %v", err)
		}
		_ = c.Clock().Sleep(t.Context(), 2*time.Second) // from now on one call goes ahead of the others
		_, _, release, err := c.Reserve(t.Context(), BucketConsole, BucketBilling)
		release()
		if err != nil || len(answers) != 0 {
			t.Errorf("%d answers are left, %v", len(answers), err)
		}
	})
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

func TestCacheKeepsSecretsAndModes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "cache")
	c, _ := dial(t, serve(t, step{reqExchange, grant("token-0001")}, step{reqDashboard, ok(theBoard)}), withCache(dir), withoutSlug)
	if _, err := c.Slug(t.Context()); err != nil {
		t.Fatal(err)
	}
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if entry.IsDir() {
			want = 0o700
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s has mode %o", entry.Name(), info.Mode().Perm())
		}
		if entry.IsDir() {
			return nil
		}
		files++
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, secret := range []string{testKey, "token-0001", testSlug} {
			if bytes.Contains(raw, []byte(secret)) || strings.Contains(path, secret) {
				t.Errorf("%s shows %s", entry.Name(), secret)
			}
		}
		return nil
	})
	if err != nil || files < 2 {
		t.Errorf("%d files: %v", files, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
