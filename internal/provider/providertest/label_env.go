package providertest

import (
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	RouteMembers = "GET /console/:slug/reseller/private-labels/:tenantId/members"
	RouteAdd     = "POST /console/:slug/reseller/private-labels/:tenantId/users"
	RouteRemove  = "DELETE /console/:slug/reseller/private-labels/:tenantId/users/:userId"
	RouteInvite  = "POST /console/:slug/reseller/private-labels/:tenantId/users/:userId/invite"

	BobEmail = "bob@acme.example"
)

// LabelEnv is a test environment with one verified private label.
type LabelEnv struct {
	*TestEnv
	Label string // its ID
}

func NewLabelEnv(t *testing.T) *LabelEnv {
	t.Helper()
	return NewLabelEnvOf(t, simulator.Assumptions{})
}

func NewLabelEnvOf(t *testing.T, assumptions simulator.Assumptions) *LabelEnv {
	t.Helper()
	w := NewTestEnvAssuming(t, assumptions)
	id, err := w.Sim.AddConsoleLabel(AcmeHost, "ada@acme.example")
	if err != nil {
		t.Fatal(err)
	}
	w.VerifyDNS(AcmeHost)
	w.Sim.ResetJournal()
	return &LabelEnv{TestEnv: w, Label: id}
}

// Mails counts the emails to a user.
func (w *LabelEnv) Mails(to string) int {
	n := 0
	for _, mail := range w.Sim.Outbox() {
		if strings.EqualFold(mail.To, to) {
			n++
		}
	}
	return n
}
