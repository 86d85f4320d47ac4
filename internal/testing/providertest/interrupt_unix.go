//go:build unix

package providertest

import (
	"os/exec"
	"syscall"
	"testing"
)

// OwnProcessGroup makes a command the leader of a process group.
func OwnProcessGroup(_ *testing.T, cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// InterruptGroup does to a process group what Ctrl-C does in a terminal.
func InterruptGroup(leader int) error { return syscall.Kill(-leader, syscall.SIGINT) }
