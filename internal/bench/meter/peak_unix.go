//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakOf returns the largest resident memory of an ended process, in bytes.
func peakOf(state *os.ProcessState) int64 {
	rusage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // in bytes there, in kilobytes elsewhere
		return int64(rusage.Maxrss) //nolint:unconvert // an int32 on some systems
	}
	return int64(rusage.Maxrss) * 1024 //nolint:unconvert // as above
}
