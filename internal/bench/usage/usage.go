// Package usage passes the usage of plugin processes from the meter, which runs them, to the bench.
package usage

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// The environment variables that the bench sets for the meter.
const (
	PluginVariable = "RESELLER_BENCH_PLUGIN" // the plugin to run
	DirVariable    = "RESELLER_BENCH_USAGE"  // the directory to report to, of one command
)

// Process is the usage of one process, or of several together.
type Process struct {
	CPU  time.Duration `json:"cpu"`  // user and system, of all
	Peak int64         `json:"peak"` // resident memory in bytes, of the largest process; 0 if the system does not report it
}

// Begin announces a process. If an announced report is never finished, the usage of its process is lost.
func Begin(dir string, pid int) error {
	return os.WriteFile(reportOf(dir, pid), nil, 0o600)
}

// Finish reports the usage of the process.
func Finish(dir string, pid int, p Process) error {
	raw, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return os.WriteFile(reportOf(dir, pid), raw, 0o600)
}

func reportOf(dir string, pid int) string { return filepath.Join(dir, strconv.Itoa(pid)+".json") }

// ErrUnfinished is returned for a process that was killed before its meter
// reported.
var ErrUnfinished = errors.New("a plugin was killed, so its usage is not known")

// Read sums up all reports of a directory.
func Read(dir string) (Process, error) {
	var total Process
	reports, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return total, err
	}
	for _, path := range reports {
		raw, err := os.ReadFile(path)
		if err != nil {
			return total, err
		}
		if len(raw) == 0 {
			return total, fmt.Errorf("%s: %w", path, ErrUnfinished)
		}
		var p Process
		if err := json.Unmarshal(raw, &p); err != nil {
			return total, fmt.Errorf("%s: %w", path, err)
		}
		total.CPU += p.CPU
		total.Peak = max(total.Peak, p.Peak)
	}
	return total, nil
}
