package simulatordata

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProcessOf(t *testing.T) {
	t.Parallel()
	self, err := processOf(os.Getpid())
	require.NoError(t, err)
	if again, _ := processOf(os.Getpid()); again != self || self.start == "" || self.system == "" {
		t.Errorf("%+v and %+v", self, again)
	}
	if read, ok := processOfDir(self.dirName()); !ok || read != self {
		t.Errorf("%s is read as %+v", self.dirName(), read)
	}
	child := exec.Command("cat")
	stdin, err := child.StdinPipe()
	require.NoError(t, err)
	stdout, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	pid := child.Process.Pid
	alive, err := processOf(pid)
	require.NoError(t, err, "a running process: %+v", alive)
	assert.False(t, ended(alive, processOf), "a running process: %+v, %v", alive, err)
	assert.True(t, ended((process{alive.system, pid, "1"}), processOf), "another process with this number is treated as it")
	_ = stdin.Close()
	_, _ = stdout.Read(make([]byte, 1)) // until it ended, or is about to
	_ = child.Wait()
	_, err = processOf(pid)
	assert.ErrorIs(t, err, errEnded, "an ended process")
	assert.True(t, ended(alive, processOf), "an ended process: %v", err)
}

func TestProcessOfStat(t *testing.T) {
	t.Parallel()
	const rest = " 1 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 1000 1 184 0"
	for name, tc := range map[string]struct{ stat, start, err string }{
		"plain":                   {"42 (terraform) S" + rest, "987654", ""},
		"name with a parenthesis": {"42 (a) R 1 (b) S" + rest, "987654", ""},
		"zombie":                  {"42 (terraform) Z" + rest, "", errEnded.Error()},
		"dead":                    {"42 (terraform) X" + rest, "", errEnded.Error()},
		"cut":                     {"42 (terraform) S 1 42", "", "not understood"},
		"empty":                   {"", "", "not understood"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := processOfStat(42, []byte(tc.stat))
			if got.start != tc.start || (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}
