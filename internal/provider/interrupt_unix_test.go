//go:build unix

package provider_test

import (
	"os/exec"
	"syscall"
	"testing"
)

// ownProcessGroup lets a command lead a process group.
func ownProcessGroup(_ *testing.T, cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// interruptGroup does to a process group what Ctrl-C does in a terminal.
func interruptGroup(leader int) error { return syscall.Kill(-leader, syscall.SIGINT) }
