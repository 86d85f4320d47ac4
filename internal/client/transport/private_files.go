package transport

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
)

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
	return replaceFileWith(path, func(w io.Writer) error {
		_, err := w.Write(raw)
		return err
	})
}

func replaceFileWith(path string, fill func(io.Writer) error) error {
	part := path + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tmp, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // exclusive: no link is followed
	if err != nil {
		return err
	}
	err = fill(tmp)
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		_ = os.Remove(part) // the first error is reported
	}
	return err
}
