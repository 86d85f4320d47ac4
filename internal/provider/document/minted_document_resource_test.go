package document_test

import (
	"image/color"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestMintedDocument_Lifecycle(t *testing.T) {
	t.Parallel()
	for _, family := range []string{"signing-api", "signing"} {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			w.Family = family
			c := w.CliToMint()
			c.Config(w.Config(providertest.FullMint))
			c.Planned().WantWarning(t, document.TopicMinting.Summary, `Asset "Acme terms 2026"`, "stored on IPFS, where everyone can read them")
			c.Apply().WantOK(t, "1 added")
			books := w.Sim.Minted()
			require.Len(t, books, 1, "assets")
			got, state := books[0], c.State()[providertest.MintedTerms].Attributes
			if got.Standard != "ARC3" || got.UnitName != "TERMS" || got.AssetName != "Acme terms 2026" || got.SHA256 != providertest.Hashed(providertest.OnePage("Terms")) || got.ImageSHA256 != providertest.Hashed(providertest.Drawn(t, 2, 2, color.White)) {
				t.Errorf("books %+v", got)
			}
			if state["id"] != strconv.FormatInt(got.AssetID, 10) || state["asset_id"] != float64(got.AssetID) || state["transaction_id"] != got.TransactionID ||
				state["pdf_ipfs_url"] != got.PDFURL || state["image_ipfs_url"] != got.ImageURL || state["file_sha256"] != got.SHA256 {
				t.Errorf("state %v, books %+v", state, got)
			}
			text, _ := state["metadata_json"].(string)
			assert.Contains(t, text, `"creator_email":"ada@acme.example"`, "metadata %v", state["metadata_json"])
			assert.True(t, strings.HasPrefix(text, `{"decimals":0,`), "metadata %v", state["metadata_json"])
			w.Sim.ResetJournal()
			c.WantEmptyPlan()
			c.Destroy().WantOK(t, document.TopicLeaving.Summary, `asset "Acme terms 2026"`, "stays on the blockchain", "1 destroyed")
			w.WantNoCalls()
		})
	}
}

// Fields that a response does not have are null.
func TestMintedDocument_ARC69(t *testing.T) {
	t.Parallel()
	w := &providertest.SigningEnv{LabelEnv: &providertest.LabelEnv{TestEnv: providertest.NewTestEnvAssuming(t, simulator.Forms{"arc69": "short"})}}
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.Config(w.Config(providertest.MinimalMint))
	c.Plan().WantText(t, "Its files are not stored on IPFS")
	c.Apply().WantOK(t)
	state := c.State()[providertest.MintedTerms].Attributes
	for _, name := range []string{"pdf_ipfs_url", "image_ipfs_url", "metadata_json"} {
		assert.Nil(t, state[name], name)
	}
	require.NotNil(t, state["id"], "state %v", state)
	assert.NotNil(t, state["asset_id"], "state %v", state)
	c.WantEmptyPlan()
}

func TestMintedDocument_Blocked(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	c.File("cover.png", string(providertest.Drawn(t, 2, 2, color.White)))
	c.File("moved.png", string(providertest.Drawn(t, 2, 2, color.White)))
	c.File("other.png", string(providertest.Drawn(t, 2, 2, color.Black)))
	c.File("moved.pdf", string(providertest.OnePage("Terms")))
	c.File("other.pdf", string(providertest.OnePage("Other terms")))
	c.Config(w.Config(providertest.FullMint))
	c.Apply().WantOK(t)
	w.Sim.ResetJournal()

	c.Config(w.Config(strings.NewReplacer("/terms.pdf", "/moved.pdf", "/cover.png", "/moved.png", "ada@acme.example", "ADA@acme.example").Replace(providertest.FullMint)))
	c.WantEmptyPlan()
	for name, tc := range map[string]struct{ old, with, want string }{
		"file":            {"/terms.pdf", "/other.pdf", `of the asset "Acme terms 2026" is not the file that was sent`},
		"thumbnail":       {"/cover.png", "/other.png", `of the asset "Acme terms 2026" is not the file that was sent`},
		"no thumbnail":    {"image_path    = \"${abspath(path.module)}/cover.png\"\n", "", `image_path of the asset`},
		"unit":            {`"TERMS"`, `"TERM"`, "unit_name of the asset"},
		"name":            {`"Acme terms 2026"`, `"Acme terms 2027"`, "asset_name of the asset"},
		"standard":        {`"ARC3"`, `"ARC69"`, "nft_standard of"},
		"IPFS":            {`store_on_ipfs = true`, `store_on_ipfs = false`, "from true to false"},
		"description":     {`"The terms."`, `"Terms."`, "description of"},
		"no description":  {`description   = "The terms."`, ``, `to nothing`},
		"pages":           {`pages         = 1`, `pages = 2`, "from 1 to 2"},
		"words":           {`word_count    = 3`, `word_count = 4`, "word_count of"},
		"language":        {`"en"`, `"de"`, "language of"},
		"creator":         {`"Ada Lovelace"`, `"Ada"`, "creator of"},
		"creator's mail":  {`"ada@acme.example"`, `"eve@acme.example"`, "creator_email of"},
		"day of creation": {`"2026-03-14"`, `"2026-03-15"`, "creation_date of"},
	} {
		c.Config(w.Config(providertest.Replaced(t, providertest.FullMint, tc.old, tc.with)))
		r := c.Plan()
		r.WantError(t, tc.want, "cannot be changed or deleted", "add another resource")
		assert.NotContains(t, r.Out, "must be replaced", "%s: a replacement", name)
	}
	c.Config(w.Config(providertest.FullMint))
	c.Apply("-replace="+providertest.MintedTerms).WantError(t, `The asset "Acme terms 2026" cannot be replaced`)
	c.Taint(providertest.MintedTerms, true)
	c.Apply().WantError(t, "cannot be replaced", "terraform untaint")
	c.Apply("-refresh=false").WantError(t, "cannot be replaced")
	c.Taint(providertest.MintedTerms, false)
	c.WantEmptyPlan()
	w.WantNoCalls()
	assert.Len(t, w.Sim.Minted(), 1, "assets")
}

func TestMintedDocument_Unknown(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	unknown := func(name, ipfs string) string {
		return w.Config(strings.NewReplacer(`"Acme terms 2026"`, "terraform_data.name.output", "= false", "= terraform_data.ipfs.output").Replace(providertest.MinimalMint) +
			"resource \"terraform_data\" \"name\" {\n  input = \"" + name + "\"\n}\nresource \"terraform_data\" \"ipfs\" {\n  input = " + ipfs + "\n}\n")
	}
	c.Config(unknown(strings.Repeat("x", 33), "false"))
	c.Planned().WantWarning(t, document.TopicMinting.Summary, "name known after apply", "stored on IPFS")
	c.Apply().WantError(t, "at most 32")
	w.WantNoCalls()
	c.Config(unknown("Acme terms 2026", "false"))
	c.Apply().WantOK(t)
	c.WantEmptyPlan()
}
