package acceptance

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The tests of examples/testing pass: with a mocked provider, with and without values of its own, and in the simulator with a
// module that sets up what exists. A mocked provider also removes what it made up.
func TestExamples_Testing(t *testing.T) {
	t.Parallel()
	least := "1.7.0"
	if providertest.IsTofu(t) {
		least = "1.9.0" // 1.8 validates the configuration of a mocked provider, which has none
	}
	providertest.NeedsCLI(t, least, "mock_provider")
	c := providertest.InstalledCLI(t)
	require.NoError(t, os.CopyFS(c.Dir, os.DirFS("examples/testing")))
	c.File("bare.tftest.hcl", "mock_provider \"reseller\" {}\n\nrun \"bare\" {\n  assert {\n    condition     = output.dns_record != null\n    error_message = \"no output\"\n  }\n}\n")
	c.Init()
	c.Run("test", "-no-color").WantOK(t, "4 passed, 0 failed")
}
