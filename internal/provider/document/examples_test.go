package document_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The test creates the files of the examples. RESELLER_WRITE_EXAMPLES=1 writes them.
func TestExamplePDFs(t *testing.T) {
	t.Parallel()
	want := providertest.OnePage("The terms of Acme Sign")
	for _, folder := range []string{"resources/reseller_document", "resources/reseller_document_signing", "resources/reseller_minted_document", "data-sources/reseller_document", "signing"} {
		file := filepath.Join("..", "..", "..", "examples", folder, "terms.pdf")
		if os.Getenv("RESELLER_WRITE_EXAMPLES") != "" {
			require.NoError(t, os.WriteFile(file, want, 0o600))
		}
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, want, got, "%s is not what OnePage makes", file)
	}
}
