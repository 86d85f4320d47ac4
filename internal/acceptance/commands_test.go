package acceptance

import (
	"os/exec"
	"strings"
	"testing"
)

// The program lists its commands. An argument that is none is an error, and no start of a provider.
func TestCommands(t *testing.T) {
	t.Parallel()
	_, binary := mirrorOf(t, testVersion)
	for _, tc := range []struct {
		args []string
		code int
	}{
		{[]string{"-h"}, 0},
		{[]string{"help"}, 0},
		{[]string{"exprot"}, 1},
	} {
		cmd := exec.Command(binary, tc.args...)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != tc.code {
			t.Errorf("%v: exit code %d, want %d", tc.args, code, tc.code)
		}
		for _, command := range []string{"review", "export", "simulate"} {
			if !strings.Contains(string(out), command) {
				t.Errorf("%v: %s is not listed:\n%s", tc.args, command, out)
			}
		}
	}
}
