package document_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The examples have one PDF, which is whole.
func TestExamplePDFs(t *testing.T) {
	t.Parallel()
	var first []byte
	for _, folder := range []string{"signing", "resources/reseller_document", "resources/reseller_document_signing", "resources/reseller_minted_document", "data-sources/reseller_document"} {
		got, err := os.ReadFile(filepath.Join("..", "..", "..", "examples", folder, "terms.pdf"))
		require.NoError(t, err)
		if first == nil {
			first = got
		}
		assert.Regexp(t, `(?s)^%PDF-1\.4\n.*\nstartxref\n\d+\n%%EOF\n$`, string(got), folder)
		assert.Equal(t, first, got, folder)
	}
}
