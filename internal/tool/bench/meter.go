package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"time"
)

// The CLI starts this program as its plugin. With the variables below it runs the plugin itself and reports the system's
// usage figures of it. Those of the CLI's process have the CLI and its plugins in one figure, and observing a process
// from outside misses its usage between the last observation and its end.
const (
	pluginVariable = "RESELLER_BENCH_PLUGIN" // the plugin to run
	usageVariable  = "RESELLER_BENCH_USAGE"  // the directory to report to, of one command
)

// usage is that of one process, or of several together.
type usage struct {
	CPU  time.Duration `json:"cpu"`  // user and system, of all
	Peak int64         `json:"peak"` // resident memory in bytes, of the largest process; 0 if the system does not report it
}

// runMetered returns the exit code of the plugin. An empty report is one whose process was killed.
func runMetered(plugin, dir string, args []string) (code int, err error) {
	// Ctrl-C reaches the whole process group. The CLI ends its plugins itself, and the meter ends with its plugin.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	report := filepath.Join(dir, strconv.Itoa(os.Getpid())+".json")
	if err := os.WriteFile(report, nil, 0o600); err != nil {
		return 1, err
	}
	cmd := exec.Command(plugin, args...) //nolint:noctx // the CLI ends the plugin over its own connection
	cmd.Stdin = os.Stdin
	cmd.Stdout = os.Stdout
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		return 1, err
	}
	state := cmd.ProcessState
	raw, err := json.Marshal(usage{CPU: state.UserTime() + state.SystemTime(), Peak: peakOf(state)})
	return state.ExitCode(), errors.Join(err, os.WriteFile(report, raw, 0o600))
}

// peakOf returns the largest resident memory of an ended process, in bytes. Only Unix systems have the field.
func peakOf(state *os.ProcessState) int64 {
	field := reflect.Indirect(reflect.ValueOf(state.SysUsage())).FieldByName("Maxrss")
	if !field.IsValid() {
		return 0
	}
	if runtime.GOOS == "darwin" { // in bytes there, in kilobytes elsewhere
		return field.Int()
	}
	return field.Int() * 1024
}

// errUnfinished is returned for a process that was killed before its meter reported.
var errUnfinished = errors.New("a plugin was killed, so its usage is not known")

// readUsage sums up all reports of a directory.
func readUsage(dir string) (total usage, err error) {
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
			return total, errUnfinished
		}
		var p usage
		if err := json.Unmarshal(raw, &p); err != nil {
			return total, fmt.Errorf("%s: %w", path, err)
		}
		total.CPU += p.CPU
		total.Peak = max(total.Peak, p.Peak)
	}
	return total, nil
}
