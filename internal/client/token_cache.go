package client

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// cacheDir is the folder that processes share. When it cannot be used, what is
// kept there stays in memory: a cache is never an error.
type cacheDir struct {
	path string // empty: memory only

	mu     sync.Mutex
	broken bool
}

func newCacheDir(path string) *cacheDir { return &cacheDir{path: path} }

// usable makes the folder; false when there is none to be used.
func (d *cacheDir) usable(ctx context.Context) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.path == "" || d.broken {
		return false
	}
	if err := os.MkdirAll(d.path, 0o700); err != nil {
		d.broken = true
		tflog.Warn(ctx, "the token cache cannot be used; tokens stay in memory", map[string]any{"error": err.Error()})
		return false
	}
	return true
}

func (d *cacheDir) giveUp(ctx context.Context, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.broken {
		return
	}
	d.broken = true
	tflog.Warn(ctx, "the token cache cannot be used; tokens stay in memory", map[string]any{"error": err.Error()})
}

// lockRetry is how often a lock that another process holds is tried.
const lockRetry = 20 * time.Millisecond

// lock is held across read, exchange and write. It only fails with the context.
func (d *cacheDir) lock(ctx context.Context, name string) (unlock func(), err error) {
	none := func() {}
	if !d.usable(ctx) {
		return none, nil
	}
	l := flock.New(filepath.Join(d.path, name+".lock"), flock.SetPermissions(0o600))
	if _, err := l.TryLockContext(ctx, lockRetry); err != nil {
		if ctx.Err() != nil {
			return none, ctx.Err()
		}
		d.giveUp(ctx, err)
		return none, nil
	}
	return func() { _ = l.Unlock() }, nil
}

func (d *cacheDir) read(ctx context.Context, name string) []byte {
	if !d.usable(ctx) {
		return nil
	}
	raw, err := os.ReadFile(filepath.Join(d.path, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tflog.Warn(ctx, "the token cache cannot be read", map[string]any{"error": err.Error()})
	}
	return raw
}

// write replaces the file whole, so that a reader never sees half of it.
func (d *cacheDir) write(ctx context.Context, name string, raw []byte) {
	if !d.usable(ctx) {
		return
	}
	if err := replaceFile(d.path, name, raw); err != nil {
		d.giveUp(ctx, err)
	}
}

func replaceFile(dir, name string, raw []byte) error {
	tmp, err := os.CreateTemp(dir, name+".*.tmp") // mode 0600
	if err != nil {
		return err
	}
	_, err = tmp.Write(raw)
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return err
}

// tokenCache keeps one key's token, encrypted with the key itself: whoever can
// read the file gains nothing without the key.
type tokenCache struct {
	dir    *cacheDir
	name   string
	secret string
}

func (c *tokenCache) file() string { return c.name + ".token" }

func (c *tokenCache) lock(ctx context.Context) (func(), error) { return c.dir.lock(ctx, c.name) }

// read returns nil for no token, and for one that cannot be read.
func (c *tokenCache) read(ctx context.Context) *credentials {
	raw := c.dir.read(ctx, c.file())
	if len(raw) == 0 {
		return nil
	}
	plain, err := open(c.secret, raw)
	var creds credentials
	if err == nil {
		err = json.Unmarshal(plain, &creds)
	}
	if err != nil {
		tflog.Warn(ctx, "the cached token cannot be read; the key is exchanged anew", map[string]any{"error": err.Error()})
		return nil
	}
	return &creds
}

func (c *tokenCache) write(ctx context.Context, creds *credentials) {
	plain, err := json.Marshal(creds)
	if err != nil {
		c.dir.giveUp(ctx, err)
		return
	}
	sealed, err := seal(c.secret, plain)
	if err != nil {
		c.dir.giveUp(ctx, err)
		return
	}
	c.dir.write(ctx, c.file(), sealed)
}

const (
	sealVersion = "reseller-token-1"
	saltSize    = 16
)

// seal is AES-256-GCM under a key derived from the secret with HKDF: salt,
// nonce, ciphertext.
func seal(secret string, plain []byte) ([]byte, error) {
	salt := make([]byte, saltSize)
	if _, err := rand.Read(salt); err != nil {
		return nil, err
	}
	aead, err := cipherFor(secret, salt)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, aead.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return aead.Seal(slices.Concat(salt, nonce), nonce, plain, []byte(sealVersion)), nil
}

func open(secret string, sealed []byte) ([]byte, error) {
	if len(sealed) < saltSize {
		return nil, errors.New("too short")
	}
	aead, err := cipherFor(secret, sealed[:saltSize])
	if err != nil {
		return nil, err
	}
	rest := sealed[saltSize:]
	if len(rest) < aead.NonceSize() {
		return nil, errors.New("too short")
	}
	return aead.Open(nil, rest[:aead.NonceSize()], rest[aead.NonceSize():], []byte(sealVersion))
}

func cipherFor(secret string, salt []byte) (cipher.AEAD, error) {
	const keySize = 32
	key, err := hkdf.Key(sha256.New, []byte(secret), salt, sealVersion, keySize)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// fingerprint names a file without telling what it is for.
func fingerprint(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
