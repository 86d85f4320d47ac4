package listing

import (
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// widthOf is the width of a terminal, or that of all other outputs.
func widthOf(out io.Writer) int {
	var info windows.ConsoleScreenBufferInfo
	if file, ok := out.(*os.File); ok && windows.GetConsoleScreenBufferInfo(windows.Handle(file.Fd()), &info) == nil {
		return max(int(info.Window.Right-info.Window.Left)+1, narrowestTTY)
	}
	return textWidth
}
