package contact_test

import (
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// A check answers each question with the form that a simulator has, by the names of the simulator's own table.
func TestCheck_Forms(t *testing.T) {
	t.Parallel()
	const seeds = 16
	seen := map[string]bool{}
	for seed := range uint64(seeds) {
		forms := simulator.RandomForms(seed)
		sim, s := simulated(t, forms)
		s.API.Clock = transporttest.NewClock()
		got := runAt(t, t.Context(), s, "-format", "json")
		r := got.report(t)
		if got.status != 0 {
			t.Errorf("seed %d: %s\n%s", seed, r.Verdict, got.out)
		}
		for _, q := range r.Questions {
			if q.Answer == "" {
				continue
			}
			seen[q.Name] = true
			if want := forms[q.Name]; q.Answer != want {
				t.Errorf("seed %d: %s is %s, and the answer is %s", seed, q.Name, want, q.Answer)
			}
		}
		like, err := simulator.FormsLike(got.transcript)
		for name, form := range like {
			if forms[name] != form {
				t.Errorf("seed %d: a simulator like the transcript has %s of %s, and not %s", seed, form, name, forms[name])
			}
		}
		if err != nil || len(like) < 10 {
			t.Errorf("seed %d: %d forms, %v", seed, len(like), err)
		}
		if again := replay(t, got.transcript, "-format", "json"); again.out != got.out || again.status != got.status {
			t.Errorf("seed %d: another report: %s", seed, again.said)
		}
		_ = sim.Close()
	}
	for _, q := range run(t, newService(), "-format", "json").report(t).Questions {
		if !seen[q.Name] && q.Name != "email-case" { // the seed has no uppercase letters
			t.Errorf("no simulator showed an answer to %s", q.Name)
		}
	}
}
