//go:build !linux && !darwin && !windows

package simulatordata

import (
	"fmt"
	"runtime"
)

func system() string {
	return runtime.GOOS
}

// processOf returns an error: without a start time, the data of an ended command could be confused with that of a
// new command whose CLI has the same process number.
func processOf(int) (process, error) {
	return process{}, fmt.Errorf("start times of processes are not available on %s, so ephemeral = true is not supported there; set path instead", runtime.GOOS)
}
