package acceptance

import (
	"bytes"
	"os/exec"
	"path/filepath"
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
		{nil, 1}, // not by a CLI
		{[]string{"-h"}, 0},
		{[]string{"help"}, 0},
		{[]string{"exprot"}, 1},
	} {
		cmd := exec.Command(binary, tc.args...)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != tc.code {
			t.Errorf("%v: exit code %d, want %d", tc.args, code, tc.code)
		}
		if tc.args == nil {
			if !strings.Contains(string(out), "run it with -h") {
				t.Errorf("a bare call:\n%s", out)
			}
			continue
		}
		for _, command := range []string{"check", "review", "export", "coverage", "simulate"} {
			if !strings.Contains(string(out), command) {
				t.Errorf("%v: %s is not listed:\n%s", tc.args, command, out)
			}
		}
	}
	for _, command := range []string{"check", "review", "export", "coverage", "simulate"} {
		out, err := exec.Command(binary, command, "-h").Output()
		if err != nil || !strings.HasPrefix(string(out), "Usage: terraform") || !strings.Contains(string(out), "\nExit status: 0") {
			t.Errorf("%s -h: %v\n%s", command, err, out)
		}
	}
}

// A check of the binary meets the simulator over HTTP, and reports the same from its transcript.
func TestCommands_Check(t *testing.T) {
	t.Parallel()
	_, binary := mirrorOf(t, testVersion)
	file := filepath.Join(t.TempDir(), "transcript.json")
	met := exec.Command(binary, "check", "-out", file)
	met.Env = shell(simulate(t, "-seed", "3"), "NO_PROXY=127.0.0.1")
	report, err := met.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, report)
	}
	played := exec.Command(binary, "check", "-replay", file)
	played.Env = shell(nil)
	if again, err := played.Output(); err != nil || !bytes.Equal(again, report) {
		t.Errorf("%v\n%s\n%s", err, again, report)
	}
	bare := exec.Command(binary, "check")
	bare.Env = shell(nil)
	if said, _ := bare.CombinedOutput(); bare.ProcessState.ExitCode() != 1 || !strings.Contains(string(said), "RESELLER_BASE_URL") {
		t.Errorf("exit status %d\n%s", bare.ProcessState.ExitCode(), said)
	}
}
