package provider

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOperationsDir(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		set   settings
		cache string
		data  string // TF_DATA_DIR
		want  string
	}{
		"default":             {cache: "/cache", want: "/cache/operations"},
		"no cache directory":  {want: here + "/.terraform/operations"},
		"only data directory": {data: "/data", want: "/data/operations"},
		"data directory":      {cache: "/cache", data: "/data", want: "/cache/operations"},
		"relative":            {cache: "cache", data: "data", want: here + "/cache/operations"},
		"set":                 {set: settings{operationsDir: "/set"}, cache: "/cache", data: "/data", want: "/set"},
		"set, relative":       {set: settings{operationsDir: "set"}, want: here + "/set"},
	} {
		got := operationsDir(tc.set, tc.cache, func(string) string { return tc.data })
		if want := filepath.FromSlash(tc.want); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
