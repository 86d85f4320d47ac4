//go:build !unix

package providertest

import (
	"errors"
	"os/exec"
	"testing"
)

// OwnProcessGroup skips the test.
func OwnProcessGroup(t *testing.T, _ *exec.Cmd) {
	t.Helper()
	t.Skip("a Ctrl-C cannot be sent to the processes of another console")
}

// InterruptGroup is not possible here.
func InterruptGroup(int) error { return errors.ErrUnsupported }
