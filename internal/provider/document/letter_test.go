package document_test

import (
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// What the API documentation does not forbid is a warning at plan, and is sent.
func TestDocument_WarnsOfWhatMayBeRejected(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ old, with, want string }{
		"one signer twice": {`email = "eve@acme.example"`, `email = "BOB@acme.example"`, document.SummarySameSigner},
		"a file name":      {`title       = "Terms"`, "title = \"Terms\"\n  file_name = \"terms.txt\"", file.SummaryFileName},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
			c.Config(w.Config(providertest.Replaced(t, providertest.FullDocument, tc.old, tc.with)))
			c.Plan().WantText(t, "1 to add", tc.want)
		})
	}
	w := providertest.NewSigningEnv(t)
	c := w.CliToMint()
	c.File("cover.gif.x", string(providertest.Drawn(t, 2, 2, color.White)))
	c.Config(w.Config(strings.Replace(providertest.FullMint, "cover.png", "cover.gif.x", 1)))
	c.Plan().WantText(t, "1 to add", file.SummaryFileName, "does not end in .png or .jpg or .jpeg")
}

// The file is sent under its own name, or under file_name. A file that moved keeps the name that was sent.
func TestOneTime_FileName(t *testing.T) {
	t.Parallel()
	for address, block := range map[string]string{providertest.Terms: providertest.MinimalDocument, providertest.MintedTerms: providertest.MinimalMint} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			c := coretest.For(t, w.TestEnv, false)
			c.File("terms.pdf", string(providertest.OnePage("Terms")))
			c.File("moved.pdf", string(providertest.OnePage("Terms")))
			c.Config(w.Config(block))
			c.Apply().WantOK(t)
			assert.Equal(t, "terms.pdf", c.State()[address].Attributes["file_name"])
			c.Config(w.Config(strings.Replace(block, "terms.pdf", "moved.pdf", 1)))
			c.WantEmptyPlan()
			named := strings.Replace(block, "\" {\n", "\" {\n  file_name = \"agreement.pdf\"\n", 1)
			c.Config(w.Config(named))
			c.Plan().WantError(t, "file_name of the", "cannot change")
			c.Config(w.Config(strings.NewReplacer("\"terms\" {", "\"other\" {", "Terms\"", "Terms 2\"", "terms 2026", "terms 2027").Replace(named)))
			c.Apply().WantOK(t, "1 added")
			if address == providertest.Terms && w.Sim.Documents()[1].FileName != "agreement.pdf" {
				t.Errorf("sent %+v", w.Sim.Documents()[1])
			}
		})
	}
}

// An import where a moved block belongs is a rename: the plan imports and destroys one object. An object that is imported
// by a command of its own, and another one with the same content, are none.
func TestOneTime_ImportedElsewhere(t *testing.T) {
	t.Parallel()
	for callName, call := range providertest.OnceCalls() {
		t.Run(callName, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewSigningEnv(t)
			if callName == "sign" {
				w.WithDocument(providertest.MinimalDocument)
			}
			block := call.Block(w)
			c := coretest.For(t, w.TestEnv, callName == "mint")
			c.File("terms.pdf", string(providertest.OnePage("Terms")))
			c.Config(w.Config(block))
			c.Apply().WantOK(t)
			w.Sim.ResetJournal()
			other := strings.TrimSuffix(call.Address, ".terms") + ".other"
			c.Config(w.Config(strings.Replace(block, `"terms" {`, `"other" {`, 1)))
			c.File("import.tf", providertest.Imports{other: call.ID(w)}.Blocks())
			for _, option := range []string{"-refresh=true", "-refresh=false", "-parallelism=1"} {
				c.Plan(option).WantError(t, renamedSummary)
			}
			c.Apply().WantError(t, renamedSummary)
			if callName != "sign" {
				c.File("import.tf", providertest.Imports{other: "42"}.Blocks())
				c.Plan().WantText(t, "1 to import", "1 to destroy", "immutable from then on")
			}
			c.File("import.tf", "")
			c.Import(other, call.ID(w)).WantOK(t)
			c.Apply().WantOK(t, "1 changed, 1 destroyed")
			c.WantEmptyPlan()
			w.WantNoCalls()
		})
	}
}

// The domain of signing, viewing and listing may be any name, and may be omitted. The content of an annotation may be empty.
func TestDocumentSigning_AnyDomain(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	const data = "data \"reseller_document\" \"x\" {\n  doc_id = \"d\"\nDOMAIN}\ndata \"reseller_sent_documents\" \"x\" {\nDOMAIN}\n"
	for _, domain := range []string{"", "  domain = \"My account\"\n"} {
		c.Config(w.Config(strings.Replace(providertest.SigningOf("d-1", "a1", "", ""), "  domain = \"acme.example\"\n", domain, 1) + strings.ReplaceAll(data, "DOMAIN", domain)))
		c.Validate().WantOK(t)
	}
	c.Config(w.Config(strings.Replace(providertest.SigningOf("d-1", "a1", "x", ""), "acme.example", " ", 1)))
	c.Validate().WantError(t, "must not be blank")

	block := providertest.Replaced(t, providertest.MinimalDocument, `type = "Signature", content = "Signature"`, `type = "EditableText", content = ""`)
	id := w.WithDocument(block)
	c.Config(w.Config(strings.Replace(providertest.SigningOf(id, w.AnnotationOf(0, 0), "", ""), "  domain = \"acme.example\"\n", "", 1)))
	c.Apply().WantOK(t, "1 added")
	c.WantEmptyPlan()
}
