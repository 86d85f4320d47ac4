package document

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
)

// hugePDF uses no space on the disk.
func hugePDF(t *testing.T) string {
	t.Helper()
	const size = 10 << 30
	path := filepath.Join(t.TempDir(), "huge.pdf")
	if err := os.WriteFile(path, []byte("%PDF-1.7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	return path
}

// A file that is too large is rejected by its size. Hashing a file of an allowed size ends with the run: reading 10 GB
// takes half a minute.
func TestSentFile_Huge(t *testing.T) {
	t.Parallel()
	huge := hugePDF(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := file.UploadedPDF.Digest(t.Context(), huge); err == nil || !strings.Contains(err.Error(), "accepts less than 10 MB") {
		t.Errorf("uploading: %v", err)
	}
	if _, err := file.MintedPDF.Digest(ended, huge); !errors.Is(err, context.Canceled) {
		t.Errorf("minting: %v", err)
	}
	where, was, sum := types.StringValue(huge), types.StringValue("/was.pdf"), types.StringValue(strings.Repeat("0", 64))
	sent := sentFile{path: &was, sum: &sum}
	diags := operation{name: "the document"}.keepFile(t.Context(), sentFile{SentFile: file.UploadedPDF, path: &where}, sent)
	if len(diags) != 1 || !strings.Contains(diags[0].Detail(), "too large to be sent") {
		t.Errorf("comparing: %v", diags)
	}
	where = types.StringValue(huge)
	if diags := (operation{name: "the asset"}).keepFile(ended, sentFile{SentFile: file.MintedPDF, path: &where}, sent); !diags.HasError() {
		t.Error("comparing does not end with the run")
	}
}
