package acceptance

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The program lists its commands. An argument that is none is an error, and no start of a provider.
func TestCommands(t *testing.T) {
	t.Parallel()
	binary := binaryOf(t)
	for _, tc := range []struct {
		args []string
		code int
	}{
		{nil, 1}, // not by a CLI
		{[]string{"-h"}, 0},
		{[]string{"help"}, 0},
		{[]string{"exprot"}, 1},
	} {
		cmd := exec.Command(binary, tc.args...)
		out, _ := cmd.CombinedOutput()
		assert.Equal(t, tc.code, cmd.ProcessState.ExitCode(), "%v: exit code", tc.args)
		if tc.args == nil {
			assert.Contains(t, string(out), "run it with -h", "a bare call")
			continue
		}
		for _, command := range []string{"check", "review", "export", "coverage", "simulate"} {
			assert.Contains(t, string(out), command, "%v: is not listed", tc.args)
		}
	}
	for _, command := range []string{"check", "review", "export", "coverage", "simulate"} {
		out, err := exec.Command(binary, command, "-h").Output()
		require.NoError(t, err, "%s -h:\n%s", command, out)
		assert.True(t, strings.HasPrefix(string(out), "Usage: terraform"), "%s -h: %v\n%s", command, err, out)
		assert.Contains(t, string(out), "\nExit status: 0", "%s -h", command)
	}
}

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
	bare := exec.Command(binary, "check")
	bare.Env = shell(nil)
	said, _ := bare.CombinedOutput()
	assert.Equal(t, 1, bare.ProcessState.ExitCode(), "exit status\n%s", said)
	assert.Contains(t, string(said), "RESELLER_BASE_URL", "exit status %d", bare.ProcessState.ExitCode())
}
