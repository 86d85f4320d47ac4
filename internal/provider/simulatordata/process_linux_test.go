package simulatordata

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestProcessOf(t *testing.T) {
	t.Parallel()
	self, err := processOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := processOf(os.Getpid()); again != self || self.start == "" || self.system == "" {
		t.Errorf("%+v and %+v", self, again)
	}
	if read, ok := processOfDir(self.dirName()); !ok || read != self {
		t.Errorf("%s is read as %+v", self.dirName(), read)
	}
	child := exec.Command("cat")
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	pid := child.Process.Pid
	alive, err := processOf(pid)
	if err != nil || ended(alive, processOf) {
		t.Errorf("a running process: %+v, %v", alive, err)
	}
	if reused := (process{alive.system, pid, "1"}); !ended(reused, processOf) {
		t.Error("another process with this number is treated as it")
	}
	_ = stdin.Close()
	_, _ = stdout.Read(make([]byte, 1)) // until it ended, or is about to
	_ = child.Wait()
	if _, err := processOf(pid); !errors.Is(err, errEnded) || !ended(alive, processOf) {
		t.Errorf("an ended process: %v", err)
	}
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
