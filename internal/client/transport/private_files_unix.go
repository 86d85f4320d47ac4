//go:build unix

package transport

import (
	"io/fs"
	"os"
	"syscall"
)

// safeOpen refuses a symbolic link in a file's place, and does not wait for the
// other end of a pipe.
const safeOpen = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// isOwn reports whether a file belongs to the user who runs this process.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
