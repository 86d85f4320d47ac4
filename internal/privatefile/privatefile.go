// Package privatefile reads, replaces and locks files that no other user can read or write, in directories that processes
// share.
package privatefile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/gofrs/flock"
)

// lockRetry is the interval between attempts to take a lock of another process.
const lockRetry = 20 * time.Millisecond

// Lock locks a file, which it creates if there is none. It waits for another process at most as long as given.
func Lock(ctx context.Context, path string, wait time.Duration) (unlock func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	l := flock.New(path, flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|SafeOpen))
	_, err = l.TryLockContext(waiting, lockRetry)
	switch {
	case err == nil:
		err = check(path, l) // a pipe can be locked, too
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

// modesMatter: Windows has no permission bits; the user's own directories are private there by inheritance.
const modesMatter = runtime.GOOS != "windows"

// MakeDir creates a directory with mode 0700. An existing one is not changed. It is rejected if it belongs to
// another user or others can write to it, since they could remove or replace files.
func MakeDir(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	return CheckDir(path)
}

// CheckDir returns nil for a directory that only this user can write to.
func CheckDir(path string) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("the directory %s is a symbolic link", path)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", path)
	case !IsOwn(info):
		return fmt.Errorf("the directory %s belongs to another user", path)
	case modesMatter && info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("the directory %s has mode %04o: other users may write to it", path, info.Mode().Perm())
	default:
		return nil
	}
}

// maxSize is the maximum number of bytes that are read: a token has a few kilobytes at most.
const maxSize = 1 << 20

// Read reads a file that only this user can read or write.
func Read(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|SafeOpen, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	if err := check(path, f); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, maxSize))
}

// check returns nil for an open regular file of this user that others can neither read nor write.
func check(path string, f interface{ Stat() (fs.FileInfo, error) }) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case !IsOwn(info):
		return fmt.Errorf("%s belongs to another user", path)
	case modesMatter && info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s has mode %04o instead of 0600", path, info.Mode().Perm())
	default:
		return nil
	}
}

// ReadRegular returns the content of a file that a user names: a regular one, of at most so many bytes. A device or a pipe may
// never end.
func ReadRegular(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	case info.Size() > most:
		return nil, fmt.Errorf("%s has more than %d MB", path, most>>20)
	}
	return os.ReadFile(path)
}

// Replace replaces a file atomically, so that no reader sees a partial file. The caller holds the file's lock. A
// partial file of a killed process is removed.
func Replace(path string, raw []byte) error {
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

// Name returns a file name that does not disclose parts.
func Name(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
