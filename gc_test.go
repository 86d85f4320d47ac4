package main

import "testing"

func TestTuneGC(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		env  map[string]string
		want int
	}{
		"nothing set":    {nil, gcPercent},
		"GOGC set":       {map[string]string{"GOGC": "50"}, 0},
		"GOMEMLIMIT set": {map[string]string{"GOMEMLIMIT": "1GiB"}, 0},
	} {
		got := 0
		tuneGC(func(name string) string { return tc.env[name] }, func(percent int) int { got = percent; return 0 })
		if got != tc.want {
			t.Errorf("%s: set to %d, want %d", name, got, tc.want)
		}
	}
}
