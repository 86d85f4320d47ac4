//go:build unix

package transport

import (
	"io/fs"
	"os"
	"syscall"
)

// safeOpen makes opening a symbolic link fail, and opening a pipe not block.
const safeOpen = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// isOwn reports whether a file belongs to the user of this process.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
