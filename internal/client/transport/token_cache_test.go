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

func cacheFile(t *testing.T, dir, ending string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, ending))
	require.NoError(t, err, "%s: %v", ending, names)
	require.Len(t, names, 1, ending)
	return names[0]
}

// A cache that cannot be used costs one exchange and one log line.
func TestTokenCache_Unusable(t *testing.T) {
	t.Parallel()
	sealedBy := func(t *testing.T, secret string) []byte {
		t.Helper()
		raw, err := seal(secret, []byte(`{"access_token":"foreign-token","issued_at":"2026-10-05T12:00:00Z","expires_at":"2036-10-05T12:00:00Z"}`))
		require.NoError(t, err)
		return raw
	}
	write := func(t *testing.T, path string, raw []byte) {
		t.Helper()
		require.NoError(t, os.WriteFile(path, raw, 0o600))
	}
	for _, tc := range []struct {
		name   string
		spoil  func(t *testing.T, dir string)
		quiet  bool
		spoilt bool // permanently: the next process makes an exchange, too
	}{
		{"corrupt", func(t *testing.T, dir string) {
			t.Helper()
			write(t, cacheFile(t, dir, "*.token"), bytes.Repeat([]byte{7}, 300))
		}, false, false},
		{"truncated", func(t *testing.T, dir string) {
			t.Helper()
			name := cacheFile(t, dir, "*.token")
			raw, _ := os.ReadFile(name)
			write(t, name, raw[:len(raw)/2])
		}, false, false},
		{"very short", func(t *testing.T, dir string) {
			t.Helper()
			write(t, cacheFile(t, dir, "*.token"), []byte("x"))
		}, false, false},
		{"empty", func(t *testing.T, dir string) {
			t.Helper()
			write(t, cacheFile(t, dir, "*.token"), nil)
		}, true, false},
		{"of a foreign key", func(t *testing.T, dir string) {
			t.Helper()
			write(t, cacheFile(t, dir, "*.token"), sealedBy(t, "another key"))
		}, false, false},
		{"sealed, but no token", func(t *testing.T, dir string) {
			t.Helper()
			raw, _ := seal(transporttest.Key, []byte(`[]`))
			write(t, cacheFile(t, dir, "*.token"), raw)
		}, false, false},
		{"a corrupt journal", func(t *testing.T, dir string) {
			t.Helper()
			write(t, cacheFile(t, dir, "exchanges-????????????????????????????????"), []byte("{"))
			_ = os.Remove(cacheFile(t, dir, "*.token"))
		}, true, false},
		{"a folder in the token's place", func(t *testing.T, dir string) {
			t.Helper()
			name := cacheFile(t, dir, "*.token")
			_ = os.Remove(name)
			require.NoError(t, os.MkdirAll(filepath.Join(name, "sub"), 0o700))
		}, false, true},
		{"a folder in the lock's place", func(t *testing.T, dir string) {
			t.Helper()
			for _, name := range []string{cacheFile(t, dir, "????????????????????????????????.lock"), cacheFile(t, dir, "*.token")} {
				_ = os.Remove(name)
				require.NoError(t, os.Mkdir(name, 0o700))
			}
		}, false, true},
		{"a file in the folder's place", func(t *testing.T, dir string) {
			t.Helper()
			_ = os.RemoveAll(dir)
			write(t, dir, nil)
		}, false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir, clock := filepath.Join(t.TempDir(), "cache"), transporttest.NewClock()
			n := 2
			if tc.spoilt {
				n = 3
			}
			s := transporttest.Expect(t, exchanges(n, transporttest.Grant("token-0001"))...)
			first, _ := dial(t, s, withCache(dir), withClock(clock))
			_, err := token(t, first)
			require.NoError(t, err)
			tc.spoil(t, dir)
			for process := range 2 {
				ctx, log := transporttest.Logged(t)
				c, _ := dial(t, s, withCache(dir), withClock(clock))
				for range 2 { // once in each process
					tok, err := c.token(ctx)
					require.NoError(t, err, "process %d: %q", process, tok)
					assert.Equal(t, "token-0001", tok, "process %d", process)
				}
				if process == 0 && strings.Contains(log.String(), `"warn"`) == tc.quiet {
					t.Errorf("the log says %s", log)
				}
				assert.NotContains(t, log.String(), transporttest.Key, "the log shows a secret: %s", log)
				assert.NotContains(t, log.String(), "token-0001", "the log shows a secret: %s", log)
			}
		})
	}
}

func TestTokenCache_ReadersAndSlug(t *testing.T) {
	t.Parallel()
	// A token that another process renewed keeps its own slug: only a process with the token of the file writes to it.
	dir, clock := t.TempDir(), transporttest.NewClock()
	s := transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqExchange, Answer: transporttest.Grant("token-0001")})
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
