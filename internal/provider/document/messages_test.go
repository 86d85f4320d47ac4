package document

import (
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// A long message of the API does not cut the import blocks, which are valid configuration with any ID.
func TestOperation_UnknownOutcomeText(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	for name, tc := range map[string]struct {
		ids    []string
		blocks int
	}{
		"plain IDs":    {[]string{"d1", "d2", "d3", "d4", "d5"}, 5},
		"hostile IDs":  {[]string{`${file("/etc/passwd")}`, `%{ if true }`, `a"b\c`, "$${x}", "é"}, 5},
		"long IDs":     {[]string{strings.Repeat("a", 128), strings.Repeat("b", 128), strings.Repeat("c", 128), strings.Repeat("d", 128), strings.Repeat("e", 128)}, 5},
		"escaped IDs":  {[]string{strings.Repeat("\ue000", 128), strings.Repeat("\ue001", 128), strings.Repeat("\ue002", 128), "d4", "d5"}, 3},
		"no candidate": {nil, 1},
	} {
		unknown := &signing.UnknownUploadError{UnknownOutcomeError: &transport.UnknownOutcomeError{
			Op: "upload the document", Subject: `"Terms"`, Reason: signing.ReasonUpload, Seen: "The response was lost.",
			Err: &transport.Error{Status: http.StatusInternalServerError, Code: "X", Message: strings.Repeat("y ", 500)},
		}}
		for _, id := range tc.ids {
			unknown.Candidates = append(unknown.Candidates, signing.Candidate{ID: id, SentAt: at})
		}
		d := (&documentModel{Title: types.StringValue("Terms")}).operation().failed(unknown)
		detail := d.Detail()
		if n := utf8.RuneCountInString(detail); n > diagnostic.MaxDetail || d.Summary() != SummaryUploadUnknown || !strings.Contains(detail, "Nothing is in state") {
			t.Errorf("%s: %d characters: %s", name, n, detail)
		}
		var blocks strings.Builder
		for paragraph := range strings.SplitSeq(detail, "\n\n") {
			if strings.HasPrefix(paragraph, "import {") {
				blocks.WriteString(paragraph + "\n")
			}
		}
		parsed, diags := hclsyntax.ParseConfig([]byte(blocks.String()), "import.tf", hcl.InitialPos)
		require.False(t, diags.HasErrors(), "%s: %s: %s", name, diags, blocks.String())
		body, ok := parsed.Body.(*hclsyntax.Body)
		require.True(t, ok, "%s: %d blocks, want %d: %s", name, len(body.Blocks), tc.blocks, detail)
		require.Len(t, body.Blocks, tc.blocks, "%s: blocks: %s", name, detail)
		for _, block := range body.Blocks {
			id, diags := block.Body.Attributes["id"].Expr.Value(nil)
			if diags.HasErrors() || tc.ids != nil && !strings.Contains("\n"+strings.Join(tc.ids, "\n")+"\n", "\n"+id.AsString()+"\n") {
				t.Errorf("%s: %v, %s", name, id, diags)
			}
		}
	}
}
