package main

import (
	"runtime/debug"
	"strings"
)

// sdkLogs are the loggers of the plugin SDK that write JSON for every step,
// which the CLI parses and drops where nobody asked for logs: over half of a
// large plan's time.
var sdkLogs = []string{"TF_LOG_SDK", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_SDK_PROTO"}

// quietSDK turns them off, unless any TF_LOG* variable asks for logs.
func quietSDK(lookup func(string) (string, bool), environ []string, set func(string, string) error) {
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "TF_LOG") && name != "TF_LOG_PATH" && value != "" {
			return
		}
	}
	for _, name := range sdkLogs {
		if _, given := lookup(name); !given {
			_ = set(name, "OFF") // a log too many is no reason to stop
		}
	}
}

// gcPercent trades memory for time: a run is short, and its garbage small.
const gcPercent = 400

func tuneMemory(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}
