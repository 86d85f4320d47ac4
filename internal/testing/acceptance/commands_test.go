package acceptance

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A check of the binary meets the simulator over HTTP, and reports the same from its transcript.
func TestCommands_Check(t *testing.T) {
	t.Parallel()
	binary := binaryOf(t)
	file := filepath.Join(t.TempDir(), "transcript.json")
	met := exec.Command(binary, "check", "-out", file)
	met.Env = shell(simulate(t, "-seed", "3"), "NO_PROXY=127.0.0.1")
	report, err := met.Output()
	require.NoError(t, err, "%s", report)
	played := exec.Command(binary, "check", "-replay", file)
	played.Env = shell(nil)
	again, err := played.Output()
	require.NoError(t, err, "%s\n%s", again, report)
	assert.Equal(t, report, again)
}
