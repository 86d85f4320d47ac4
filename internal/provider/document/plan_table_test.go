package document_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

type (
	values = providertest.Values
	env    = *providertest.SigningEnv
)

// planEnv has the settings of the Signing API in its environment.
func planEnv(t *testing.T) env {
	t.Helper()
	w := providertest.NewSigningEnv(t)
	w.Env.Set("RESELLER_SIGNING_URL", simulator.SigningURL)
	w.Env.Set("RESELLER_SIGNING_API_KEY", w.Sim.SigningAPIKey())
	return w
}

// files writes two PDFs and a text.
func files(t *testing.T) (terms, other, text string) {
	t.Helper()
	dir := t.TempDir()
	terms, other, text = filepath.Join(dir, "terms.pdf"), filepath.Join(dir, "other.pdf"), filepath.Join(dir, "notes.pdf")
	for file, content := range map[string][]byte{terms: providertest.OnePage("Terms"), other: providertest.OnePage("Other"), text: []byte("notes")} {
		require.NoError(t, os.WriteFile(file, content, 0o600))
	}
	return terms, other, text
}

func TestDocument_Plans(t *testing.T) {
	t.Parallel()
	terms, other, text := files(t)
	signer := values{
		"email": providertest.BobEmail, "first_name": "Bob", "last_name": "Byte",
		"annotations": []any{values{"type": "Signature", "content": "Signature", "style": values{"x": 1.0, "y": 1.0, "width": 9.0, "height": 9.0, "page": 1.0}}},
	}
	base := values{"domain": providertest.AcmeHost, "owner_email": "ada@acme.example", "title": "Terms", "file_path": terms, "signers": []any{signer}}
	given := func(others values) func(env) values { return coretest.Given[env](base.With(others)) }
	plain := given(nil)
	coretest.PlanTable(t, "reseller_document", planEnv, []coretest.PlanCase[env]{
		{Name: "create", Config: plain},
		{Name: "create without signers", Config: given(values{"signers": nil})},
		{Name: "create with a title known after apply", Config: given(values{"title": tftypes.UnknownValue})},
		{Name: "create with signers known after apply", Config: given(values{"signers": tftypes.UnknownValue})},
		{Name: "file that is no PDF", Config: given(values{"file_path": text})},
		{Name: "file that is missing", Config: given(values{"file_path": text + ".none"})},
		{Name: "signer twice", Config: given(values{"signers": []any{signer, signer.With(values{"email": "BOB@acme.example"})}})},
		{Name: "bad values", Config: given(values{"passcode": "12a", "due_date": "2026-12-31", "title": " "})},
		{Name: "no change", Before: plain, Config: plain},
		{Name: "other title", Before: plain, Config: given(values{"title": "Other"})},
		{Name: "other file", Before: plain, Config: given(values{"file_path": other})},
		{Name: "destroy", Before: plain},
	})
}

func TestDocumentSigning_Plans(t *testing.T) {
	t.Parallel()
	given := func(others values) func(env) values {
		return coretest.Given[env](values{"doc_id": "doc-1", "domain": providertest.AcmeHost, "annotations": values{"a1": "Signature"}}.With(others))
	}
	plain := given(nil)
	coretest.PlanTable(t, "reseller_document_signing", planEnv, []coretest.PlanCase[env]{
		{Name: "create", Config: plain},
		{Name: "create of a document known after apply", Config: given(values{"doc_id": tftypes.UnknownValue})},
		{Name: "no annotations", Config: given(values{"annotations": values{}})},
		{Name: "blank content", Config: given(values{"annotations": values{"a1": " "}})},
	})
}

func TestMintedDocument_Plans(t *testing.T) {
	t.Parallel()
	terms, other, text := files(t)
	base := values{"file_path": terms, "unit_name": "TERMS", "asset_name": "Acme terms 2026", "nft_standard": "ARC69", "store_on_ipfs": false}
	given := func(others values) func(env) values { return coretest.Given[env](base.With(others)) }
	plain := given(nil)
	coretest.PlanTable(t, "reseller_minted_document", planEnv, []coretest.PlanCase[env]{
		{Name: "create", Config: plain},
		{Name: "create with a name known after apply", Config: given(values{"asset_name": tftypes.UnknownValue})},
		{Name: "file that is no PDF", Config: given(values{"file_path": text})},
		{Name: "bad values", Config: given(values{"unit_name": "TOO LONG A NAME", "nft_standard": "ARC1", "pages": -1.0})},
		{Name: "no change", Before: plain, Config: plain},
		{Name: "other name", Before: plain, Config: given(values{"asset_name": "Other"})},
		{Name: "other file", Before: plain, Config: given(values{"file_path": other})},
		{Name: "destroy", Before: plain},
	})
}
