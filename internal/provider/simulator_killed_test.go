//go:build unix

package provider_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The simulator of a command that was killed is not used by the next one, which removes it.
func TestSimulator_EphemeralKilled(t *testing.T) {
	t.Parallel()
	providertest.NeedsProc(t)
	c, tmp := ephemeralCLI(t)
	up := filepath.Join(c.Dir, "up")
	for _, pipe := range []string{up, filepath.Join(c.Dir, "never")} {
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.Config(inEphemeral + providertest.Label("acme", providertest.AcmeHost, "") + `
resource "terraform_data" "wait" {
  input = reseller_private_label.acme.id
  provisioner "local-exec" {
    command = "echo up > up; cat never"
  }
}
`)
	cmd := exec.Command(providertest.CliBinary(t), "apply", "-no-color", "-input=false", "-auto-approve")
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with its provider and its shell
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(up); err != nil { // waits for the shell
		t.Fatal(err)
	}
	killed := ephemeralDirs(t, tmp)
	if len(killed) != 1 || hostsIn(t, filepath.Join(killed[0], "reseller-simulator.json")) != providertest.AcmeHost {
		t.Errorf("simulators: %v", killed)
	}

	// While it runs, another command does not remove it.
	other := providertest.InstalledCLI(t, "TMPDIR="+tmp)
	other.Config(inEphemeral + providertest.Label("acme", providertest.AcmeHost, ""))
	other.Plan().WantText(t, "1 to add")
	if dirs := ephemeralDirs(t, tmp); len(dirs) != 2 {
		t.Errorf("simulators: %v", dirs)
	}

	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	other.Plan().WantText(t, "1 to add")
	dirs := ephemeralDirs(t, tmp)
	if len(dirs) != 1 || dirs[0] == killed[0] {
		t.Errorf("simulators: %v after %v was killed", dirs, killed)
	}
}
