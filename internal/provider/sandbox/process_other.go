//go:build !linux && !darwin && !windows

package sandbox

import (
	"fmt"
	"runtime"
)

func system() string { return runtime.GOOS }

// processOf: without a start time, a sandbox of an ended command could be taken for the one of a new command whose CLI
// got the same process number.
func processOf(int) (process, error) {
	return process{}, fmt.Errorf("start times of processes are not available on %s, so ephemeral = true is not supported there; set path instead", runtime.GOOS)
}
