package providertest

import (
	"fmt"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const Verification = "reseller_domain_verification.acme"

func (w *LabelEnv) Verification(extra string) string {
	return w.Config(fmt.Sprintf("resource \"reseller_domain_verification\" \"acme\" {\n  private_label_id = %q\n%s\n}\n", w.Label, extra))
}

// Waiting is a test environment with a private label whose DNS record becomes correct after a time on the simulator's
// clock; 0 is never.
func Waiting(t *testing.T, dns time.Duration) *LabelEnv {
	t.Helper()
	w := NewTestEnvOptions(t, simulator.Options{DNSDelay: dns})
	id, err := w.Sim.AddConsoleLabel(AcmeHost, "ada@acme.example")
	if err != nil {
		t.Fatal(err)
	}
	return &LabelEnv{TestEnv: w, Label: id}
}
