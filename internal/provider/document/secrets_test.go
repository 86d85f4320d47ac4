package document_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// A write-only secret is sent, and is in neither the plan nor the state. A later change of it is not seen.
func TestWriteOnly_CLI(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.11.0", "write-only arguments")
	w := providertest.NewSigningEnv(t)
	c := w.CliWith(providertest.OnePage("Terms"))
	c.Env = append(c.Env, "TF_VAR_code=71928374")
	document := providertest.Replaced(t, providertest.MinimalDocument, "title ", "passcode_wo = var.code\ntitle ") + "variable \"code\" {\n  ephemeral = true\n}\n"
	c.Config(w.Config(document))
	c.Ok("plan", "-out=saved")
	assert.NotContains(t, c.Raw("show", "-json", "saved"), "71928374", "the plan has the passcode")
	c.Apply().WantOK(t, "1 added")
	assert.Contains(t, w.LastBody(providertest.RouteUpload), `"passcode":`)
	id := w.Sim.Documents()[0].ID
	signed := document + providertest.SigningOf(id, w.AnnotationOf(0, 0), w.Signature(), "doc_password_wo = var.code")
	c.Config(w.Config(signed))
	c.Apply().WantOK(t, "1 added") // the simulator rejects another password
	assert.NotContains(t, c.Read("terraform.tfstate"), "71928374", "the state has the passcode")
	c.WantEmptyPlan()
	c.Env = append(c.Env, "TF_VAR_code=81928374")
	c.WantEmptyPlan()
	c.Config(w.Config(providertest.Replaced(t, signed, "doc_password_wo = var.code", "doc_password = \"71928374\"")))
	c.Plan().WantError(t, session.SummaryImmutable, "doc_password", id)
}

// A secret in state leaves it when its write-only twin has the same value: nothing is sent. Any other value is a change.
func TestWriteOnly_LeavesState(t *testing.T) {
	t.Parallel()
	w := providertest.NewSigningEnv(t)
	c := coretest.NewWithFile(t, w.TestEnv, "terms.pdf", providertest.OnePage("Terms"))
	config := func(attribute, value string) {
		c.Config(w.Config(providertest.Replaced(t, providertest.MinimalDocument, "title ", fmt.Sprintf("%s = %q\ntitle ", attribute, value))))
	}
	config("passcode", "71928374")
	c.Apply().WantOK(t)
	w.Sim.ResetJournal()
	config("passcode_wo", "81928374")
	r := c.Plan()
	r.WantError(t, `passcode of the document "Terms" cannot change`)
	assert.NotContains(t, r.Out, "1928374")
	config("passcode_wo", "71928374")
	c.Apply().WantOK(t, "1 changed")
	assert.Nil(t, c.State()[providertest.Terms].Attributes["passcode"], "the state")
	c.WantEmptyPlan()
	w.WantNoCalls()
}
