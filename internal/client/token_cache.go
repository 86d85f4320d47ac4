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
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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
	ready  bool // made and looked at
	broken bool // not to be used any more
}

func newCacheDir(path string) *cacheDir { return &cacheDir{path: path} }

// usable makes the folder; false when there is none to be used.
func (d *cacheDir) usable(ctx context.Context) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.path == "" || d.broken {
		return false
	}
	if d.ready {
		return true
	}
	if err := makePrivate(d.path); err != nil {
		d.breakWith(ctx, err)
		return false
	}
	d.ready = true
	return true
}

// makePrivate makes the folder with mode 0700. One that was there is left as it
// is, but not used where others may write: they could take files away.
func makePrivate(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if modesMatter && info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("the folder %s has mode %04o: others may write in it", path, info.Mode().Perm())
	}
	return nil
}

// modesMatter: Windows has no permission bits; the user's own folders are
// private there by inheritance.
const modesMatter = runtime.GOOS != "windows"

func (d *cacheDir) giveUp(ctx context.Context, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.breakWith(ctx, err)
}

// breakWith is called with the mutex held.
func (d *cacheDir) breakWith(ctx context.Context, err error) {
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
	raw, err := readPrivate(filepath.Join(d.path, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tflog.Warn(ctx, "a file of the token cache cannot be used; it is written anew", map[string]any{"error": err.Error()})
	}
	return raw
}

// maxCacheFile bounds what is read: a token has some kilobytes at most.
const maxCacheFile = 1 << 20

// readPrivate reads a file that nobody else may read or write.
func readPrivate(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case modesMatter && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("%s has mode %04o instead of 0600", path, info.Mode().Perm())
	}
	return io.ReadAll(io.LimitReader(f, maxCacheFile))
}

// write replaces the file whole, so that a reader never sees half of it.
func (d *cacheDir) write(ctx context.Context, name string, raw []byte) {
	if !d.usable(ctx) {
		return
	}
	if err := replaceFile(filepath.Join(d.path, name), raw); err != nil {
		d.giveUp(ctx, err)
	}
}

// replaceFile is called under the file's lock. What a killed process left of an
// earlier try goes with it.
func replaceFile(path string, raw []byte) error {
	part := path + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tmp, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = tmp.Write(raw)
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		_ = os.Remove(part) // the first error is the one that tells
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

// lockSlug lets one process at a time ask for the slug. It is taken before the
// other lock, never inside.
func (c *tokenCache) lockSlug(ctx context.Context) (func(), error) {
	return c.dir.lock(ctx, c.name+"-slug")
}

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
