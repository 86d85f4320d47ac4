package document_test

import (
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const renamedSummary = session.SummaryRenamed

// A key of for_each that is renamed is a rename, too. Email addresses in another case and an empty list are the same
// content; a title in another case is not.
func TestDocument_RenamedKey(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	keyed := func(key string, replaced ...string) string {
		block := strings.NewReplacer(replaced...).Replace(providertest.MinimalDocument)
		return w.Config(strings.Replace(block, "domain ", "for_each = toset([\""+key+"\"])\n  domain ", 1))
	}
	c.Config(keyed("a"))
	c.Apply().WantOK(t)
	for _, replaced := range [][]string{{}, {"bob@", "BOB@"}, {"title ", "viewers = []\n  title "}, {"sign.acme", "Sign.acme"}} {
		c.Config(keyed("b", replaced...))
		c.Plan().WantError(t, renamedSummary)
	}
	c.Config(keyed("b", `"Terms"`, `"TERMS"`))
	c.Apply().WantOK(t, "1 added, 0 changed, 1 destroyed")
	assert.Len(t, w.Sim.Documents(), 2)
}

// Mints that differ in the thumbnail only are not a rename.
func TestMintedDocument_OtherThumbnail(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := w.CliToMint()
	c.Config(w.Config(providertest.FullMint))
	c.Apply().WantOK(t)
	other := strings.Replace(providertest.FullMint, `"terms" {`, `"other" {`, 1)
	c.Config(w.Config(other))
	c.Plan().WantError(t, renamedSummary)
	c.File("other.png", string(providertest.Drawn(t, 2, 2, color.Black)))
	c.Config(w.Config(strings.Replace(other, "/cover.png", "/other.png", 1)))
	c.Apply().WantOK(t, "1 added, 0 changed, 1 destroyed")
}
