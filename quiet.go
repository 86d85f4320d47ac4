package main

import (
	"log/slog"
	"strings"
)

// quietLibraries drops what libraries print by the standard logger, which goes
// to the log of the CLI as it stands: net/http prints what a service sends after
// an answer, with whatever secrets that repeats, and headers where GODEBUG asks
// for them.
func quietLibraries() { slog.SetDefault(slog.New(slog.DiscardHandler)) }

// sdkLogs are the loggers of the plugin SDK, each at TRACE where nothing says
// otherwise: it writes a line of JSON for every step, and the CLI parses the
// line and drops it. Over a thousand resources that is most of a plan's time.
var sdkLogs = []string{"TF_LOG_SDK", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_SDK_PROTO"}

// notOfProvider are variables by which nobody asks for a provider's log: the
// CLI's own, and where to write what another variable asks for.
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
