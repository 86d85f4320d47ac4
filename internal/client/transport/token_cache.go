package transport

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

// cacheDir is a directory that processes share. If it cannot be used, its data stays in memory, without an error.
type cacheDir struct {
	path      string        // "": memory only
	lockWait  time.Duration // for other processes
	lockRetry time.Duration // between two attempts to lock
	fallback  string        // consequence of not using the directory, for the log

	mu     sync.Mutex
	ready  bool // created and checked
	broken bool // no longer used
}

func newCacheDir(path string) *cacheDir {
	return &cacheDir{
		path: path, lockWait: lockWaitFor(defaultRequestTimeout), lockRetry: lockRetry,
		fallback: "tokens are kept in memory",
	}
}

// usable creates the directory. It returns false if the directory cannot be used.
func (d *cacheDir) usable(ctx context.Context) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.path == "" || d.broken {
		return false
	}
	if d.ready {
		return true
	}
	if err := MakePrivateDir(d.path); err != nil {
		d.breakWith(ctx, err)
		return false
	}
	d.ready = true
	return true
}

func (d *cacheDir) giveUp(ctx context.Context, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.breakWith(ctx, err)
}

// breakWith stops the use of the directory. The caller holds the mutex.
func (d *cacheDir) breakWith(ctx context.Context, err error) {
	if d.broken {
		return
	}
	d.broken = true
	tflog.Warn(ctx, "the token cache cannot be used; "+d.fallback, map[string]any{"error": err.Error()})
}

const (
	// lockRetry is the interval between attempts to take a lock of another process.
	lockRetry = 20 * time.Millisecond
	// lockGrace is added to the time that a holder may need for its calls.
	lockGrace = 30 * time.Second
)

// lockWaitFor returns the maximum wait for another process: it holds the lock during one call, which it retries once.
func lockWaitFor(requestTimeout time.Duration) time.Duration { return 2*requestTimeout + lockGrace }

// lock takes a lock that is held across read, exchange and write. It returns an error only if the context ends: if the
// lock cannot be taken in time, memory is used.
func (d *cacheDir) lock(ctx context.Context, name string) (unlock func(), err error) {
	none := func() {}
	if !d.usable(ctx) {
		return none, nil
	}
	path := filepath.Join(d.path, name+".lock")
	l := flock.New(path, flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|safeOpen))
	waiting, cancel := context.WithTimeout(ctx, d.lockWait)
	defer cancel()
	_, err = l.TryLockContext(waiting, d.lockRetry)
	switch {
	case ctx.Err() != nil:
		_ = l.Unlock()
		return none, ctx.Err()
	case waiting.Err() != nil:
		err = fmt.Errorf("another process has held %s for %s", path, d.lockWait)
	case err == nil:
		err = checkPrivateFile(path, l) // a pipe can be locked, too
	}
	if err != nil {
		_ = l.Unlock()
		d.giveUp(ctx, err)
		return none, nil
	}
	return func() { _ = l.Unlock() }, nil
}

func (d *cacheDir) read(ctx context.Context, name string) []byte {
	if !d.usable(ctx) {
		return nil
	}
	raw, err := readPrivate(filepath.Join(d.path, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tflog.Warn(ctx, "a file of the token cache cannot be used and will be replaced", map[string]any{"error": err.Error()})
	}
	return raw
}

// write replaces a file atomically, so that no reader sees a partial file.
func (d *cacheDir) write(ctx context.Context, name string, raw []byte) {
	if !d.usable(ctx) {
		return
	}
	if err := replaceFile(filepath.Join(d.path, name), raw); err != nil {
		d.giveUp(ctx, err)
	}
}

// tokenCache stores the token of one API key, encrypted with the key: without the key the file is useless.
type tokenCache struct {
	dir    *cacheDir
	name   string
	secret string
}

func (c *tokenCache) file() string { return c.name + ".token" }

func (c *tokenCache) lock(ctx context.Context) (func(), error) { return c.dir.lock(ctx, c.name) }

// lockSlug lets one process at a time read the slug from the API. Take it before the other lock, never while that is
// held.
func (c *tokenCache) lockSlug(ctx context.Context) (func(), error) {
	return c.dir.lock(ctx, c.name+"-slug")
}

// read returns nil if there is no token or it cannot be read.
func (c *tokenCache) read(ctx context.Context) *Credentials {
	raw := c.dir.read(ctx, c.file())
	if len(raw) == 0 {
		return nil
	}
	plain, err := open(c.secret, raw)
	var creds Credentials
	if err == nil {
		err = json.Unmarshal(plain, &creds)
	}
	if err != nil {
		tflog.Warn(ctx, "the cached token cannot be read; the API key is exchanged again", map[string]any{"error": err.Error()})
		return nil
	}
	return &creds
}

func (c *tokenCache) write(ctx context.Context, creds *Credentials) {
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

// seal encrypts with AES-256-GCM, with a key derived from the secret by HKDF. It returns salt, nonce and ciphertext.
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

// fingerprint returns a file name that does not disclose parts.
func fingerprint(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
