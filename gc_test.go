package main

import (
	"runtime/debug"
	"testing"
)

func TestTuneGC(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	for name, tc := range map[string]struct {
		env  map[string]string
		want int
	}{
		"nothing set":    {nil, gcPercent},
		"GOGC set":       {map[string]string{"GOGC": "50"}, 100},
		"GOMEMLIMIT set": {map[string]string{"GOMEMLIMIT": "1GiB"}, 100},
	} {
		debug.SetGCPercent(100)
		tuneGC(func(name string) string { return tc.env[name] })
		if got := debug.SetGCPercent(100); got != tc.want {
			t.Errorf("%s: %d percent, want %d", name, got, tc.want)
		}
	}
}
