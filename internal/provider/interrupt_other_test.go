//go:build !unix

package provider_test

import (
	"errors"
	"os/exec"
	"testing"
)

func ownProcessGroup(t *testing.T, _ *exec.Cmd) {
	t.Helper()
	t.Skip("a Ctrl-C cannot be sent to the processes of another console")
}

func interruptGroup(int) error { return errors.ErrUnsupported }
