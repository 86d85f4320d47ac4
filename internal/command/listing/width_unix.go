//go:build unix

package listing

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// widthOf is the width of a terminal, or that of all other outputs.
func widthOf(out io.Writer) int {
	if file, ok := out.(*os.File); ok {
		if size, err := unix.IoctlGetWinsize(int(file.Fd()), unix.TIOCGWINSZ); err == nil && size.Col > 0 {
			return max(int(size.Col), narrowestTTY)
		}
	}
	return textWidth
}
