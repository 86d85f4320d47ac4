package client

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// The slug is read before the place is reserved, with the only call that may be sent.
func TestReserve_FindsSlugFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := transporttest.Expect(t, `
			GET /console/dashboard -> limited + Retry-After: 1
			GET /console/dashboard -> 200 {dashboard}
		`)
		c, _ := dial(t, s, withoutSlug, withClock(transport.RealClock{}), func(cfg *Config) { cfg.MaxWait, cfg.MaxRetries = 0, 0 })
		_, err := c.Slug(t.Context())
		require.True(t, transport.IsRateLimitError(err), err)
		_ = c.Clock().Sleep(t.Context(), 2*time.Second) // from now on one call is sent ahead of the others
		place, err := c.Reserve(t.Context(), BucketConsole, BucketBilling)
		require.NoError(t, err, "calls %v", s.Calls())
		place.Release()
		assert.Len(t, s.Calls(), 2)
	})
}

func TestAccessToken_ReturnsExpiryAndScopes(t *testing.T) {
	t.Parallel()
	c, _ := dial(t, transporttest.Expect(t, "POST {exchange} -> grant token-0001"), withKey)
	creds, err := c.AccessToken(t.Context())
	if err != nil || creds.AccessToken != "token-0001" || !creds.ExpiresAt.Equal(transporttest.Start.Add(time.Hour)) || creds.Scope != "reseller:read reseller:provision" {
		t.Errorf("got %+v, %v", creds, err)
	}
	given, _ := dial(t, transporttest.Expect(t, ""))
	creds, err = given.AccessToken(t.Context())
	if err != nil || creds.AccessToken != transporttest.GivenToken || !creds.ExpiresAt.IsZero() || creds.Scope != "" {
		t.Errorf("got %+v, %v", creds, err)
	}
}

func TestToken_MalformedIsRenewedOnce(t *testing.T) {
	t.Parallel() // §5.5: flat endpoints return 400
	s := transporttest.Expect(t, `
		POST {exchange} -> grant token-0001
		GET /console/dashboard -> 400 JSON_WEB_TOKEN_ERROR
		POST {exchange} -> grant token-0002
		GET /console/dashboard -> 200 {dashboard}
	`)
	c, _ := dial(t, s, withKey)
	_, err := c.Dashboard(t.Context())
	assert.NoError(t, err)
}

func TestToken_ConfiguredIsNeverRenewed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cache")
	s := transporttest.Expect(t, `
		GET /console/dashboard -> 200 {dashboard}
		GET {labels} -> 401 UNAUTHORIZED
	`)
	c, _ := dial(t, s, withoutSlug, func(cfg *Config) { cfg.APIKey, cfg.TokenCacheDir = transporttest.Key, dir })
	err := list(c)(t.Context())
	assert.True(t, transport.IsCode(err, CodeUnauthorized), err)
	assert.Equal(t, transporttest.GivenToken, s.Token(1), "carried")
	_, err = os.Stat(dir)
	assert.ErrorIs(t, err, os.ErrNotExist, "a given token touches the cache")
}

func TestSlug_StoredWithToken(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, `
		POST {exchange} -> grant token-0001
		GET /console/dashboard -> 200 {dashboard}
		GET {labels} -> 200 {no labels}
		GET {labels} -> 200 {no labels} # another process
		POST {exchange} -> grant token-0002 # an hour later
		GET {labels} -> 200 {no labels}
		GET {labels} -> 401 UNAUTHORIZED # revoked
		POST {exchange} -> grant token-0003
		GET {labels} -> 200 {no labels}
		GET {labels} -> 200 {no labels}
	`)
	dir, clock := t.TempDir(), transporttest.NewClock()
	for _, d := range []time.Duration{0, 0, time.Hour, 0, 0} {
		clock.Move(d)
		c, _ := dial(t, s, withCache(dir), withClock(clock), withoutSlug)
		require.NoError(t, list(c)(t.Context()))
	}
}

func TestSlug_RefreshesOutdatedOnce(t *testing.T) {
	t.Parallel()
	dir, clock := t.TempDir(), transporttest.NewClock()
	s := transporttest.Expect(t, `
		moved: GET /console/dashboard -> 200 {"isReseller":true,"slug":"new.example"}
		forbidden: GET /console/new.example/reseller/private-labels -> 403 FORBIDDEN
		POST {exchange} -> grant token-0001; GET /console/dashboard -> 200 {dashboard}
		GET {labels} -> 403 FORBIDDEN; moved; GET /console/new.example/reseller/private-labels -> 200 {no labels}; forbidden
		forbidden; moved; forbidden
	`)
	first, _ := dial(t, s, withCache(dir), withClock(clock), withoutSlug)
	slug, err := first.Slug(t.Context())
	require.NoError(t, err, slug)
	require.Equal(t, transporttest.Slug, slug)
	second, _ := dial(t, s, withCache(dir), withClock(clock), withoutSlug)
	require.NoError(t, list(second)(t.Context()))
	if err := list(second)(t.Context()); !transport.IsCode(err, CodeForbidden) {
		t.Fatal(err) // already read again
	}
	third, _ := dial(t, s, withCache(dir), withClock(clock), withoutSlug)
	for range 2 {
		if err := list(third)(t.Context()); !transport.IsCode(err, CodeForbidden) {
			t.Fatal(err) // the new slug is stored, and did not change
		}
	}
}

func TestSlug(t *testing.T) {
	t.Parallel()
	t.Run("as configured it is never looked up", func(t *testing.T) {
		t.Parallel()
		c, _ := dial(t, transporttest.Expect(t, "GET {labels} -> 403 FORBIDDEN"))
		err := list(c)(t.Context())
		assert.True(t, transport.IsCode(err, CodeForbidden), err)
	})
	t.Run("a key of no reseller", func(t *testing.T) {
		t.Parallel()
		c, _ := dial(t, transporttest.Expect(t, `GET /console/dashboard -> 200 {"isReseller":false,"slug":null}`), withoutSlug)
		err := failure(c.ProvisionPrivateLabel(t.Context(), provisionRequest()))
		assert.ErrorContains(t, err, "slug")
		assert.False(t, transport.MayHaveTakenEffect(err), err)
	})
	t.Run("a dashboard that fails", func(t *testing.T) {
		t.Parallel()
		c, _ := dial(t, transporttest.Expect(t, "GET /console/dashboard -> 403 INSUFFICIENT_SCOPE"), withoutSlug)
		err := list(c)(t.Context())
		assert.True(t, transport.IsCode(err, CodeInsufficientScope), err)
	})
	t.Run("concurrent callers share one call", func(t *testing.T) {
		t.Parallel()
		c, _ := dial(t, transporttest.Expect(t, "GET /console/dashboard -> 200 {dashboard}"), withoutSlug)
		var group errgroup.Group
		for range 20 {
			group.Go(func() error {
				_, err := c.Slug(t.Context())
				return err
			})
		}
		assert.NoError(t, group.Wait())
	})
	t.Run("it is escaped into the path", func(t *testing.T) {
		t.Parallel()
		c, _ := dial(t, transporttest.Expect(t, "GET /console/a%2Fb%3F/reseller/private-labels -> 200 {no labels}"), func(cfg *Config) { cfg.Slug = "a/b?" })
		assert.NoError(t, list(c)(t.Context()))
	})
}

func TestCall_Headers(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, `POST {label}/suspend -> 200 {"tenantId":"{id}","status":"Suspended"}`)
	c, _ := dial(t, s)
	require.NoError(t, failure(c.SuspendPrivateLabel(t.Context(), transporttest.ID, "unpaid")))
	for name, want := range map[string]string{
		"Authorization": "Bearer " + transporttest.GivenToken, "Content-Type": "application/json",
		"Accept": "application/json", "User-Agent": "test/1",
	} {
		assert.Equal(t, want, s.Request(0).Header.Get(name), name)
	}
}

func TestTokenCache_EncryptsPrivately(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "cache")
	c, _ := dial(t, transporttest.Expect(t, `
		POST {exchange} -> grant token-0001
		GET /console/dashboard -> 200 {dashboard}
	`), withCache(dir), withoutSlug)
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
		for _, secret := range []string{transporttest.Key, "token-0001", transporttest.Slug} {
			if bytes.Contains(raw, []byte(secret)) || strings.Contains(path, secret) {
				t.Errorf("%s shows %s", entry.Name(), secret)
			}
		}
		return nil
	})
	require.NoError(t, err, "%d files", files)
	assert.GreaterOrEqual(t, files, 2)
	left, _ := filepath.Glob(filepath.Join(dir, "*.tmp"))
	assert.Empty(t, left, "left behind")
}
