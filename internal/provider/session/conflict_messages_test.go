package session_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Whichever side is planned second, the error names the type that removes an object before the one that keeps it.
func TestConflictDiagnostic_NamesWhoRemoves(t *testing.T) {
	t.Parallel()
	remover := register.Claim{Role: register.Removes, By: "reseller_member"}
	keeper := register.Claim{Role: register.Keeps, By: "reseller_members"}
	for name, detail := range map[string]string{
		"keeper second":  session.ConflictDiagnostic(register.Kept, keeper, remover, "the member bob").Detail(),
		"remover second": session.ConflictDiagnostic(register.Kept, remover, keeper, "the member bob").Detail(),
	} {
		assert.Contains(t, detail, "This plan removes the member bob (reseller_member), which a reseller_members keeps.", name)
	}
}
