package transport

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	// lockRetry is the interval between attempts to take a lock of another process.
	lockRetry = 20 * time.Millisecond
	// lockGrace is added to the time that a holder may need for its calls.
	lockGrace = 30 * time.Second
)

// cacheDir is a directory that processes share. If it cannot be used, its data stays in memory, without an error.
type cacheDir struct {
	path     string        // "": memory only
	lockWait time.Duration // for other processes
	once     sync.Once     // creates and checks it
	broken   atomic.Bool   // no longer used
}

// newCacheDir returns a directory whose locks other processes hold during one call, which they retry once.
func newCacheDir(path string, requestTimeout time.Duration) *cacheDir {
	return &cacheDir{path: path, lockWait: 2*requestTimeout + lockGrace}
}

// usable creates the directory. It returns false if the directory cannot be used.
func (d *cacheDir) usable(ctx context.Context) bool {
	d.once.Do(func() {
		if d.path == "" {
			d.broken.Store(true)
		} else if err := MakePrivateDir(d.path); err != nil {
			d.giveUp(ctx, err)
		}
	})
	return !d.broken.Load()
}

func (d *cacheDir) giveUp(ctx context.Context, err error) {
	if !d.broken.Swap(true) {
		tflog.Warn(ctx, "the token cache cannot be used; tokens are kept in memory", map[string]any{"error": err.Error()})
	}
}

// lock takes a lock that is held across read, exchange and write. It returns an error only if the context ends: if the
// lock cannot be taken in time, memory is used.
func (d *cacheDir) lock(ctx context.Context, name string) (unlock func(), err error) {
	if !d.usable(ctx) {
		return func() {}, nil
	}
	unlock, err = lockFile(ctx, filepath.Join(d.path, name+".lock"), d.lockWait)
	if err != nil && ctx.Err() == nil {
		d.giveUp(ctx, err)
		return func() {}, nil
	}
	return unlock, err
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

func (d *cacheDir) write(ctx context.Context, name string, raw []byte) {
	if !d.usable(ctx) {
		return
	}
	if err := replaceFile(filepath.Join(d.path, name), raw); err != nil {
		d.giveUp(ctx, err)
	}
}

// lockFile locks a file, which it creates if there is none. It waits for another process at most as long as given.
func lockFile(ctx context.Context, path string, wait time.Duration) (unlock func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	l := flock.New(path, flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|safeOpen))
	_, err = l.TryLockContext(waiting, lockRetry)
	switch {
	case err == nil:
		err = checkPrivateFile(path, l) // a pipe can be locked, too
	case ctx.Err() != nil:
		err = ctx.Err()
	case waiting.Err() != nil:
		err = fmt.Errorf("another process has held %s for %s", path, wait)
	}
	if err != nil {
		_ = l.Unlock()
		return nil, err
	}
	return func() { _ = l.Unlock() }, nil
}

// fingerprint returns a file name that does not disclose parts.
func fingerprint(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// modesMatter: Windows has no permission bits; the user's own directories are private there by inheritance.
const modesMatter = runtime.GOOS != "windows"

// MakePrivateDir creates a directory with mode 0700. An existing one is not changed. It is rejected if it belongs to
// another user or others can write to it, since they could remove or replace files.
func MakePrivateDir(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	return checkPrivateDir(path)
}

// checkPrivateDir returns nil for a directory that only this user can write to.
func checkPrivateDir(path string) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("the directory %s is a symbolic link", path)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", path)
	case !isOwn(info):
		return fmt.Errorf("the directory %s belongs to another user", path)
	case modesMatter && info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("the directory %s has mode %04o: other users may write to it", path, info.Mode().Perm())
	default:
		return nil
	}
}

// maxPrivateFile is the maximum number of bytes that are read: a token has a few kilobytes at most.
const maxPrivateFile = 1 << 20

// readPrivate reads a file that only this user can read or write.
func readPrivate(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|safeOpen, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	if err := checkPrivateFile(path, f); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, maxPrivateFile))
}

// checkPrivateFile returns nil for an open regular file of this user that others can neither read nor write.
func checkPrivateFile(path string, f interface{ Stat() (fs.FileInfo, error) }) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case !isOwn(info):
		return fmt.Errorf("%s belongs to another user", path)
	case modesMatter && info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s has mode %04o instead of 0600", path, info.Mode().Perm())
	default:
		return nil
	}
}

// replaceFile replaces a file atomically, so that no reader sees a partial file. The caller holds the file's lock. A
// partial file of a killed process is removed.
func replaceFile(path string, raw []byte) error {
	part := path + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tmp, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // exclusive: no link is followed
	if err != nil {
		return err
	}
	_, err = tmp.Write(raw)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		_ = os.Remove(part) // the first error is reported
	}
	return err
}
