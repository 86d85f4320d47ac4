package provider_test

import (
	"image/color"
	"strconv"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func (w *signed) cliToMint() *cli {
	c := w.cliWith(onePage("Terms"))
	c.file("cover.png", string(drawn(w.t, 2, 2, color.White)))
	return c
}

func TestMintedDocument_Lifecycle(t *testing.T) {
	t.Parallel()
	for _, family := range []string{"signing-api", "signing"} {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			w := newSigned(t)
			w.family = family
			c := w.cliToMint()
			c.config(w.config(fullMint))
			c.planned().wantWarning(t, "Minting is public and permanent", `Asset "Acme terms 2026"`, "stored on IPFS, where everyone can read them")
			c.apply().wantOK(t, "1 added")
			books := w.sim.Minted()
			if len(books) != 1 {
				t.Fatalf("%d assets", len(books))
			}
			got, state := books[0], c.state()[mintedTerms].Attributes
			if got.Standard != "ARC3" || got.UnitName != "TERMS" || got.AssetName != "Acme terms 2026" || got.SHA256 != hashed(onePage("Terms")) || got.ImageSHA256 != hashed(drawn(t, 2, 2, color.White)) {
				t.Errorf("books %+v", got)
			}
			if state["id"] != strconv.FormatInt(got.AssetID, 10) || state["asset_id"] != float64(got.AssetID) || state["transaction_id"] != got.TransactionID ||
				state["pdf_ipfs_url"] != got.PDFURL || state["image_ipfs_url"] != got.ImageURL || state["file_sha256"] != got.SHA256 {
				t.Errorf("state %v, books %+v", state, got)
			}
			if text, _ := state["metadata_json"].(string); !strings.Contains(text, `"creator_email":"ada@acme.example"`) || !strings.HasPrefix(text, `{"decimals":0,`) {
				t.Errorf("metadata %v", state["metadata_json"])
			}
			w.sim.ResetJournal()
			c.wantEmptyPlan()
			c.destroy().wantOK(t, "Signing resources are only removed from state", `asset "Acme terms 2026"`, "stays on the blockchain", "1 destroyed")
			w.wantNoCalls()
		})
	}
}

// What an answer does not tell is null.
func TestMintedDocument_ARC69(t *testing.T) {
	t.Parallel()
	w := &signed{labelled: &labelled{world: newWorldOf(t, simulator.Assumptions{Signing: simulator.SigningAssumptions{MintARC69HasNoDetail: true}})}}
	c := w.cliToMint()
	c.config(w.config(minimalMint))
	c.plan().wantText(t, "Its files are not stored on IPFS")
	c.apply().wantOK(t)
	state := c.state()[mintedTerms].Attributes
	for _, name := range []string{"pdf_ipfs_url", "image_ipfs_url", "metadata_json"} {
		if state[name] != nil {
			t.Errorf("%s is %v", name, state[name])
		}
	}
	if state["id"] == nil || state["asset_id"] == nil {
		t.Errorf("state %v", state)
	}
	c.wantEmptyPlan()
}

func TestMintedDocument_Blocked(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliToMint()
	c.file("moved.png", string(drawn(t, 2, 2, color.White)))
	c.file("other.png", string(drawn(t, 2, 2, color.Black)))
	c.file("moved.pdf", string(onePage("Terms")))
	c.file("other.pdf", string(onePage("Other terms")))
	c.config(w.config(fullMint))
	c.apply().wantOK(t)
	w.sim.ResetJournal()

	c.config(w.config(strings.NewReplacer("/terms.pdf", "/moved.pdf", "/cover.png", "/moved.png", "ada@acme.example", "ADA@acme.example").Replace(fullMint)))
	c.wantEmptyPlan()
	for name, tc := range map[string]struct{ old, with, want string }{
		"file":            {"/terms.pdf", "/other.pdf", `The file of the asset "Acme terms 2026" changed`},
		"thumbnail":       {"/cover.png", "/other.png", `The file of the asset "Acme terms 2026" changed`},
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
		c.config(w.config(replaced(t, fullMint, tc.old, tc.with)))
		r := c.plan()
		r.wantError(t, tc.want, "on the blockchain for ever", "declare another resource")
		if strings.Contains(r.out, "must be replaced") {
			t.Errorf("%s: a replacement: %s", name, r.out)
		}
	}
	c.config(w.config(fullMint))
	c.apply("-replace="+mintedTerms).wantError(t, `The asset "Acme terms 2026" cannot be replaced`)
	c.ok("taint", "-no-color", mintedTerms)
	c.apply().wantError(t, "is in state already", "terraform untaint")
	c.apply("-refresh=false").wantError(t, "is in state already")
	c.ok("untaint", "-no-color", mintedTerms)
	c.wantEmptyPlan()
	w.wantNoCalls()
	if len(w.sim.Minted()) != 1 {
		t.Errorf("%d assets", len(w.sim.Minted()))
	}
}

func TestMintedDocument_Unknown(t *testing.T) {
	t.Parallel()
	w := newSigned(t)
	c := w.cliToMint()
	unknown := func(name, ipfs string) string {
		return w.config(strings.NewReplacer(`"Acme terms 2026"`, "terraform_data.name.output", "= false", "= terraform_data.ipfs.output").Replace(minimalMint) +
			"resource \"terraform_data\" \"name\" {\n  input = \"" + name + "\"\n}\nresource \"terraform_data\" \"ipfs\" {\n  input = " + ipfs + "\n}\n")
	}
	c.config(unknown(strings.Repeat("x", 33), "false"))
	c.planned().wantWarning(t, "Minting is public and permanent", "name known after apply", "stored on IPFS")
	c.apply().wantError(t, "at most 32")
	w.wantNoCalls()
	c.config(unknown("Acme terms 2026", "false"))
	c.apply().wantOK(t)
	c.wantEmptyPlan()
}
