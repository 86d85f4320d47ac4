// Command meter runs a plugin and reports its usage. The CLI starts the meter, and the meter starts the plugin with the
// same input, output and environment, waits for its end and reads the system's usage figures.
//
// The usage of the CLI's process has the CLI and its plugins in one figure, and observing a process from outside misses
// its usage between the last observation and its end.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"

	"github.com/privatelabels/terraform-provider-reseller/internal/bench/usage"
)

func main() {
	code, err := run(os.Getenv(usage.PluginVariable), os.Getenv(usage.DirVariable), os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "meter:", err)
	}
	os.Exit(code)
}

// run returns the exit code of the plugin. Without a directory it reports nothing.
func run(plugin, dir string, args []string) (code int, err error) {
	// Ctrl-C reaches the whole process group. The CLI ends its plugins itself, and the meter ends with its plugin.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	pid := os.Getpid()
	if dir != "" {
		if err := usage.Begin(dir, pid); err != nil {
			return 1, err
		}
	}
	cmd := exec.Command(plugin, args...) //nolint:noctx // the CLI ends the plugin over its own connection
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if cmd.ProcessState == nil {
		return 1, err
	}
	if _, exited := errors.AsType[*exec.ExitError](err); exited {
		err = nil // the exit code reports it
	}
	if dir != "" {
		err = errors.Join(err, usage.Finish(dir, pid, usage.Process{
			CPU:  cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
			Peak: peakOf(cmd.ProcessState),
		}))
	}
	return cmd.ProcessState.ExitCode(), err
}
