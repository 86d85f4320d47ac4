package transport

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// Names of the cache's files.
const (
	cachedToken = "*.token"
	cachedLock  = "????????????????????????????????.lock"
)

// spoiler changes the directory that a first process left, or names another one for the next processes.
type spoiler struct {
	t       *testing.T
	require *require.Assertions
	dir     string
	wait    time.Duration // for a lock that is held until the test ends; 0: as the product waits
}

func (s *spoiler) file(name string) string {
	s.t.Helper()
	names, err := filepath.Glob(filepath.Join(s.dir, name))
	s.require.NoError(err, "%s: %v", name, names)
	s.require.Len(names, 1, name)
	return names[0]
}

func (s *spoiler) replace(path string, with func(path string) error) {
	s.t.Helper()
	s.require.NoError(os.RemoveAll(path))
	s.require.NoError(with(path))
}

func (s *spoiler) remove(name string) {
	s.t.Helper()
	s.require.NoError(os.Remove(s.file(name)))
}

func (s *spoiler) write(path string, raw []byte) {
	s.t.Helper()
	s.require.NoError(os.WriteFile(path, raw, 0o600))
}

// cacheFault is a fault of the token cache's files.
type cacheFault struct {
	name   string
	spoil  func(*spoiler)
	spoilt bool   // permanently: the next processes make an exchange, too
	says   string // part of the log
}

// spoilCache tests the token cache's reaction to each fault. None is an error and none blocks; if the cache cannot be used,
// each process makes one exchange and writes one log line.
func spoilCache(t *testing.T, faults []cacheFault) {
	t.Helper()
	for _, tc := range faults {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			clock, script := transporttest.NewClock(), tokenScript+"token x2"
			if tc.spoilt {
				script += "; token"
			}
			s := transporttest.Expect(t, script)
			spoilt := &spoiler{t: t, require: require.New(t), dir: filepath.Join(t.TempDir(), "cache")}
			first, _ := dial(t, s, withCache(spoilt.dir), withClock(clock))
			_, err := token(t, first)
			require.NoError(t, err)
			tc.spoil(spoilt)
			for process := range 2 {
				ctx, log := transporttest.Logged(t)
				c, _ := dial(t, s, withCache(spoilt.dir), withClock(clock))
				if spoilt.wait > 0 {
					c.tokens.dir.lockWait = spoilt.wait
				}
				for range 2 { // once in each process
					tok, err := c.token(ctx)
					require.NoError(t, err, "process %d: %q", process, tok)
					assert.Equal(t, "token-0001", tok, "process %d", process)
				}
				if process == 0 && (!strings.Contains(log.String(), tc.says) || strings.Contains(log.String(), `"warn"`) != (tc.says != "")) {
					t.Errorf("the log says %s", log)
				}
				assert.NotContains(t, log.String(), transporttest.Key, "the log shows a secret: %s", log)
				assert.NotContains(t, log.String(), "token-0001", "the log shows a secret: %s", log)
			}
		})
	}
}

// Files with other content, and directories in their place.
func TestTokenCache_Unusable(t *testing.T) {
	t.Parallel()
	directory := func(path string) error { return os.MkdirAll(filepath.Join(path, "sub"), 0o700) }
	sealed := func(s *spoiler, secret, plain string) {
		raw, err := seal(secret, []byte(plain))
		s.require.NoError(err)
		s.write(s.file(cachedToken), raw)
	}
	spoilCache(t, []cacheFault{
		{"corrupt", func(s *spoiler) { s.write(s.file(cachedToken), bytes.Repeat([]byte{7}, 300)) }, false, "the cached token cannot be read"},
		{"truncated", func(s *spoiler) {
			raw, err := os.ReadFile(s.file(cachedToken))
			s.require.NoError(err)
			s.write(s.file(cachedToken), raw[:len(raw)/2])
		}, false, "the cached token cannot be read"},
		{"very short", func(s *spoiler) { s.write(s.file(cachedToken), []byte("x")) }, false, "the cached token cannot be read"},
		{"empty", func(s *spoiler) { s.write(s.file(cachedToken), nil) }, false, ""},
		{"of a foreign key", func(s *spoiler) {
			sealed(s, "another key", `{"access_token":"foreign-token","issued_at":"2026-10-05T12:00:00Z","expires_at":"2036-10-05T12:00:00Z"}`)
		}, false, "the cached token cannot be read"},
		{"sealed, but no token", func(s *spoiler) { sealed(s, transporttest.Key, `[]`) }, false, "the cached token cannot be read"},
		{"a folder in the token's place", func(s *spoiler) { s.replace(s.file(cachedToken), directory) }, true, "the token cache cannot be used"},
		{"a folder in the lock's place", func(s *spoiler) {
			s.replace(s.file(cachedLock), directory)
			s.replace(s.file(cachedToken), directory)
		}, true, "the token cache cannot be used"},
		{"a file in the folder's place", func(s *spoiler) {
			s.replace(s.dir, func(path string) error { return os.WriteFile(path, nil, 0o600) })
		}, true, "the token cache cannot be used"},
	})
}

func TestTokenCache_ReadersAndSlug(t *testing.T) {
	t.Parallel()
	// A token that another process renewed keeps its own slug: only a process with the token of the file writes to it.
	dir, clock := t.TempDir(), transporttest.NewClock()
	s := transporttest.Expect(t, "POST {exchange} -> grant token-0001")
	c, _ := dial(t, s, withCache(dir), withClock(clock))
	_, err := token(t, c)
	require.NoError(t, err)
	newer := &Credentials{AccessToken: "token-0002", IssuedAt: clock.Now(), ExpiresAt: clock.Now().Add(time.Hour)}
	c.tokens.store(t.Context(), newer)
	c.RememberSlug(t.Context(), transporttest.Slug)
	got := c.tokens.stored(t.Context())
	assert.Equal(t, "token-0002", got.AccessToken, "got %+v", got)
}

func FuzzOpen(f *testing.F) {
	sealed, err := seal(transporttest.Key, []byte("plain"))
	require.NoError(f, err)
	for _, seed := range [][]byte{nil, []byte("x"), sealed, sealed[:20], sealed[:len(sealed)-1], make([]byte, 64)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		plain, err := open(transporttest.Key, raw)
		if err == nil && string(plain) != "plain" {
			t.Errorf("opened what was not sealed: %q", plain)
		}
	})
}
