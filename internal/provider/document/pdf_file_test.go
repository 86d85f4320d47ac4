package document

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
)

// hugePDF uses no space on the disk.
func hugePDF(t *testing.T) string {
	t.Helper()
	const size = 10 << 30
	path := filepath.Join(t.TempDir(), "huge.pdf")
	require.NoError(t, os.WriteFile(path, []byte("%PDF-1.7\n"), 0o600))
	require.NoError(t, os.Truncate(path, size))
	return path
}

// A file that is too large is rejected by its size. Hashing a file of an allowed size ends with the run: reading 10 GB
// takes half a minute.
func TestSentFile_Huge(t *testing.T) {
	t.Parallel()
	huge := hugePDF(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := file.UploadedPDF.Digest(t.Context(), huge)
	assert.ErrorContains(t, err, "accepts less than 10 MB", "uploading")
	_, err = file.MintedPDF.Digest(ended, huge)
	assert.ErrorIs(t, err, context.Canceled, "minting")
	where, was, sum := types.StringValue(huge), types.StringValue("/was.pdf"), types.StringValue(strings.Repeat("0", 64))
	sent := sentFile{path: &was, sum: &sum}
	diags := operation{name: "the document"}.keepFile(t.Context(), sentFile{SentFile: file.UploadedPDF, path: &where}, sent)
	require.Len(t, diags, 1, "comparing")
	assert.Contains(t, diags[0].Detail(), "too large to be sent", "comparing: %v", diags)
	where = types.StringValue(huge)
	assert.True(t, (operation{name: "the asset"}).keepFile(ended, sentFile{SentFile: file.MintedPDF, path: &where}, sent).HasError(),
		"comparing does not end with the run")
}
