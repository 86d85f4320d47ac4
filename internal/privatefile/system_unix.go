//go:build unix

package privatefile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// SafeOpen makes opening a symbolic link fail, and opening a pipe not block.
const SafeOpen = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// IsOwn reports whether a file belongs to the user of this process.
func IsOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// SyncDir flushes changes of a directory to disk. Some file systems do not support it.
func SyncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
