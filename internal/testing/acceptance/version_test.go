package acceptance

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The linker's flag equals that of GNUmakefile and .goreleaser.yml: for a variable with another name, the linker would
// ignore it silently.
func TestVersionOfBinary(t *testing.T) {
	t.Parallel()
	providertest.Once(t)
	const want = "1.2.3"
	mirror := providertest.MirrorOf(t, want)
	for _, arg := range []string{"version", "-version", "--version"} {
		out, err := exec.Command(mirror.Binary, arg).CombinedOutput()
		require.NoError(t, err, "%s:\n%s", arg, out)
		assert.True(t, strings.HasPrefix(string(out), "terraform-provider-reseller "+want+" ("), "%s: %q", arg, out)
		assert.Equal(t, 1, strings.Count(string(out), "\n"), "%s: %q", arg, out)
	}

	t.Run("in the User-Agent", func(t *testing.T) {
		t.Parallel()
		c := mirror.CLI(t)
		c.Config("provider \"reseller\" {\n  simulator = { path = \"box.json\" }\n}\n\ndata \"reseller_dashboard\" \"this\" {}\n")
		c.Plan().WantOK(t)
		assert.Contains(t, c.Read("box.json"), `"agent":"terraform-provider-reseller/`+want+`"`, "the simulator's journal lacks")
	})
}
