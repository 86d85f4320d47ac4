package provider

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOperationsDirs(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	require.NoError(t, err)
	for name, tc := range map[string]struct {
		set   settings
		cache string
		data  string // TF_DATA_DIR
		want  []string
	}{
		"default":            {cache: "/cache", want: []string{"/cache/operations", here + "/.terraform/operations"}},
		"no cache directory": {want: []string{here + "/.terraform/operations"}},
		"data directory":     {cache: "/cache", data: "/data", want: []string{"/cache/operations", "/data/operations"}},
		"relative":           {cache: "cache", data: "data", want: []string{here + "/cache/operations", here + "/data/operations"}},
		"set":                {set: settings{operationsDir: "/set"}, cache: "/cache", data: "/data", want: []string{"/set"}},
		"set, relative":      {set: settings{operationsDir: "set"}, want: []string{here + "/set"}},
	} {
		got := operationsDirs(tc.set, tc.cache, func(string) string { return tc.data })
		for i := range tc.want {
			tc.want[i] = filepath.FromSlash(tc.want[i])
		}
		assert.Equal(t, tc.want, got, name)
	}
}
