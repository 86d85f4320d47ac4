// Package command has what main needs to serve the provider: the process's logs and memory, the version, and the
// simulator that the provider uses without an account.
package command

import (
	"io"
	"log" //nolint:depguard // only to drop what libraries print with it
	"os"
	"runtime/debug"
	"strings"
)

// SetUp sets up the logs and the memory of a process that serves the provider.
func SetUp() error {
	tuneGC(os.Getenv, debug.SetGCPercent)
	return quietSDK(os.Environ(), os.Setenv)
}

// gcPercent lets the heap grow ninefold between collections. A plan over a thousand resources makes much garbage over a
// small heap; at 400, collecting it still takes a tenth of the CPU. The peak over 1,000 private labels is near 80 MB.
const gcPercent = 800

// tuneGC leaves a collector alone that the user tuned.
func tuneGC(getenv func(string) string, setPercent func(int) int) {
	if getenv("GOGC") == "" && getenv("GOMEMLIMIT") == "" {
		setPercent(gcPercent)
	}
}

// QuietLibraries drops what libraries print with the standard logger, which would reach the CLI's log unchanged.
// net/http prints what a server sends after a response, including secrets that it repeats, and prints headers if
// GODEBUG requests them.
func QuietLibraries() {
	log.SetOutput(io.Discard)
}

// sdkLogs are the loggers of the plugin SDK, which default to TRACE. The SDK then writes a line of JSON for every step,
// and the CLI parses the line and drops it, which takes most of the time of a plan over a thousand resources.
var sdkLogs = []string{"TF_LOG_SDK", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_SDK_PROTO"}

// notOfProvider are variables that do not request a log of the provider: the CLI's own, and the path of a log that
// another variable requests.
var notOfProvider = []string{"TF_LOG_CORE", "TF_LOG_PATH", "TF_LOG_PATH_MASK"}

// quietSDK turns the SDK's loggers off unless a TF_LOG* variable asks for logs.
func quietSDK(environ []string, setenv func(key, value string) error) error {
	if logsWanted(environ) {
		return nil
	}
	for _, name := range sdkLogs {
		if err := setenv(name, "OFF"); err != nil {
			return err
		}
	}
	return nil
}

func logsWanted(environ []string) bool {
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		asks := strings.HasPrefix(name, "TF_LOG") || strings.HasPrefix(name, "TF_ACC_LOG")
		for _, other := range notOfProvider {
			asks = asks && name != other
		}
		if asks && value != "" && !strings.EqualFold(value, "OFF") {
			return true
		}
	}
	return false
}
