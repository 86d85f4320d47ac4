package diagnostic

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
)

// Each further object of one event is one line. A repeated request begins another walk.
func TestTold_Shorten(t *testing.T) {
	t.Parallel()
	var told Told
	walk := 1
	say := func(request, detail string) string {
		d := &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityError, Summary: "Protected", Detail: detail}
		told.Shorten(walk, request, []*tfprotov6.Diagnostic{d})
		return d.Detail
	}
	const remedy = "\n\nAdd a moved block."
	assert.Equal(t, "GOLD is protected."+remedy, say("plan gold", "GOLD is protected."+remedy))
	assert.Equal(t, "BIG is protected.", say("plan big", "BIG is protected."+remedy))
	assert.Equal(t, "BOLD is protected.\n\nImport BOLD.", say("plan bold", "BOLD is protected.\n\nImport BOLD."), "another explanation")
	const rejected = "\n\nAPI error HOST_TAKEN (HTTP 400): This host name is taken.\n\nChoose another host name."
	assert.Equal(t, "A was not provisioned."+rejected, say("apply a", "A was not provisioned."+rejected))
	assert.Equal(t, "B was not provisioned. API error HOST_TAKEN (HTTP 400).", say("apply b", "B was not provisioned."+rejected))
	assert.Equal(t, "One line.", say("plan one", "One line."))
	assert.Equal(t, "BIG is protected."+remedy, say("plan big", "BIG is protected."+remedy), "another walk")
	assert.Equal(t, "GOLD is protected.", say("plan gold", "GOLD is protected."+remedy))
	walk++
	assert.Equal(t, "GOLD is protected."+remedy, say("plan gold", "GOLD is protected."+remedy), "after an apply")

	warning := &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityWarning, Summary: "Protected", Detail: "A warning." + remedy}
	told.Shorten(walk, "plan other", []*tfprotov6.Diagnostic{warning})
	assert.Equal(t, "A warning."+remedy, warning.Detail)
}
