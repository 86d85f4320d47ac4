package providertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
	return NewLabelEnvOf(t, simulator.Forms{})
}

func NewLabelEnvOf(t *testing.T, assumptions simulator.Forms) *LabelEnv {
	t.Helper()
	w := newLabelEnv(t, simulator.Options{Forms: assumptions})
	w.VerifyDNS(AcmeHost)
	w.Sim.ResetJournal()
	return w
}

// newLabelEnv has a private label that is not verified.
func newLabelEnv(t *testing.T, options simulator.Options) *LabelEnv {
	t.Helper()
	w := NewTestEnvOptions(t, options)
	id, err := w.Sim.AddConsoleLabel(AcmeHost, "ada@acme.example")
	require.NoError(t, err)
	return &LabelEnv{TestEnv: w, Label: id}
}

// Mails counts the emails to a user.
func (w *LabelEnv) Mails(to string) int {
	return Count(w.Sim.Outbox(), func(mail simulator.Email) bool { return strings.EqualFold(mail.To, to) })
}

// Count is the number of the rows that are meant.
func Count[T any](rows []T, isMeant func(T) bool) (n int) {
	for _, row := range rows {
		if isMeant(row) {
			n++
		}
	}
	return n
}

// LabelID is the ID of a private label of the simulator.
func (w *TestEnv) LabelID(host string) string {
	w.T.Helper()
	return Find(w.T, w.Sim.Labels(), func(l simulator.LabelView) bool { return l.Host == host }).ID
}

// Find returns the row that is meant; there must be one.
func Find[T any](t *testing.T, rows []T, isMeant func(T) bool) T {
	t.Helper()
	i := slices.IndexFunc(rows, isMeant)
	require.GreaterOrEqual(t, i, 0, "not in %+v", rows)
	return rows[i]
}

const Verification = "reseller_domain_verification.acme"

func (w *LabelEnv) Verification(extra string) string {
	return w.Config(fmt.Sprintf("resource \"reseller_domain_verification\" \"acme\" {\n  private_label_id = %q\n%s\n}\n", w.Label, extra))
}

// Waiting is a test environment with a private label whose DNS record becomes correct after a time on the simulator's
// clock; 0 is never.
func Waiting(t *testing.T, dns time.Duration) *LabelEnv {
	t.Helper()
	return newLabelEnv(t, simulator.Options{DNSDelay: dns})
}
