package command

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCurrentVersion(t *testing.T) {
	t.Parallel()
	stamped := func(version string) func() (*debug.BuildInfo, bool) {
		return func() (*debug.BuildInfo, bool) {
			return &debug.BuildInfo{Main: debug.Module{Version: version}}, true
		}
	}
	noBuildInfo := func() (*debug.BuildInfo, bool) { return nil, false }
	for name, tc := range map[string]struct {
		linked string
		read   func() (*debug.BuildInfo, bool)
		want   string
	}{
		"the linker's":              {"1.2.3", noBuildInfo, "1.2.3"},
		"the linker's before Go's":  {"1.2.3", stamped("v0.9.0"), "1.2.3"},
		"an installed module's":     {"", stamped("v0.9.0"), "0.9.0"},
		"a clone's":                 {"", stamped("v0.9.1-0.20260314090000-0123456789ab+dirty"), "0.9.1-0.20260314090000-0123456789ab+dirty"},
		"a build without a version": {"", stamped("(devel)"), "dev"},
		"a test's":                  {"", stamped(""), "dev"},
		"a binary that tells none":  {"", noBuildInfo, "dev"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tc.want, currentVersion(tc.linked, tc.read))
		})
	}
}
