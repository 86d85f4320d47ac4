package provider_test

import (
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	routeMembers = "GET /console/:slug/reseller/private-labels/:tenantId/members"
	routeAdd     = "POST /console/:slug/reseller/private-labels/:tenantId/users"
	routeRemove  = "DELETE /console/:slug/reseller/private-labels/:tenantId/users/:userId"
	routeInvite  = "POST /console/:slug/reseller/private-labels/:tenantId/users/:userId/invite"

	bobEmail = "bob@acme.example"
)

// labelled is a world with one settled label.
type labelled struct {
	*world
	label string // its id
}

func newLabelled(t *testing.T) *labelled {
	t.Helper()
	return newLabelledOf(t, simulator.Assumptions{})
}

func newLabelledOf(t *testing.T, assumptions simulator.Assumptions) *labelled {
	t.Helper()
	w := newWorldOf(t, assumptions)
	id, err := w.sim.AddConsoleLabel(acmeHost, "ada@acme.example")
	if err != nil {
		t.Fatal(err)
	}
	w.settle(acmeHost)
	w.sim.ResetJournal()
	return &labelled{world: w, label: id}
}

// mails counts the e-mails to somebody.
func (w *labelled) mails(to string) int {
	n := 0
	for _, mail := range w.sim.Outbox() {
		if strings.EqualFold(mail.To, to) {
			n++
		}
	}
	return n
}
