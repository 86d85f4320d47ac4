//go:build unix

package transport

import (
	"errors"
	"os"
	"syscall"
)

// removesOpenFiles: a file can be removed while its lock is held.
const removesOpenFiles = true

// syncDir flushes changes of a directory to disk. Some file systems do not support it.
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
