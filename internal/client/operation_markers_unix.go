//go:build unix

package client

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openCarefully follows no symbolic link, and waits for nobody at a pipe.
const openCarefully = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// removesOpenFiles: a file can be removed while its lock is held.
const removesOpenFiles = true

// ownedByUser tells whether a file belongs to the user of this process.
func ownedByUser(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(stat.Uid) == int64(os.Geteuid())
}

// syncDir makes what was created or removed in a directory last. Some file
// systems have no such call.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	if closeErr := d.Close(); err == nil {
		err = closeErr
	}
	return err
}
