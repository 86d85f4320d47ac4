//go:build unix

package provider_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The simulator of a command that was killed is not used by the next one, which removes it.
func TestSimulator_EphemeralKilled(t *testing.T) {
	t.Parallel()
	providertest.NeedsProc(t)
	c, tmp := ephemeralCLI(t)
	up := filepath.Join(c.Dir, "up")
	for _, pipe := range []string{up, filepath.Join(c.Dir, "never")} {
		require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	}
	c.Config(simulated("ephemeral = true") + `
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
	require.NoError(t, cmd.Start())
	_, err := os.ReadFile(up)
	require.NoError(t, err) // waits for the shell
	killed := ephemeralDirs(t, tmp)
	require.Len(t, killed, 1, "simulators")
	assert.Equal(t, providertest.AcmeHost, hostsIn(t, filepath.Join(killed[0], "reseller-simulator.json")), "simulators: %v", killed)

	// While it runs, another command does not remove it.
	other := providertest.InstalledCLI(t, "TMPDIR="+tmp)
	other.Config(simulated("ephemeral = true"))
	other.Plan().WantText(t, "1 to add")
	assert.Len(t, ephemeralDirs(t, tmp), 2, "simulators")

	require.NoError(t, syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL))
	_ = cmd.Wait()
	other.Plan().WantText(t, "1 to add")
	dirs := ephemeralDirs(t, tmp)
	require.Len(t, dirs, 1, "simulators: after %v was killed", killed)
	assert.NotEqual(t, killed[0], dirs[0], "simulators: %v after %v was killed", dirs, killed)
}
