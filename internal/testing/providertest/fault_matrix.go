package providertest

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// Faults are the faults of a call; each is tried once and permanently.
func Faults() map[string]simulator.Fault {
	return map[string]simulator.Fault{
		"500 before":     {Kind: simulator.FaultServerError},
		"500 after":      {Kind: simulator.FaultServerError, After: true},
		"reset before":   {Kind: simulator.FaultReset},
		"reset after":    {Kind: simulator.FaultReset, After: true},
		"time-out":       {Kind: simulator.FaultTimeout},
		"time-out after": {Kind: simulator.FaultTimeout, After: true},
		"429":            {Kind: simulator.FaultRateLimit},
		"401":            {Kind: simulator.FaultUnauthorized},
		"HTML":           {Kind: simulator.FaultHTML},
		"HTML after":     {Kind: simulator.FaultHTML, After: true},
		"truncated":      {Kind: simulator.FaultTruncated, After: true},
	}
}

func (w *TestEnv) WantUntainted(c Workspace) {
	w.T.Helper()
	for address, i := range c.State() {
		assert.NotEqual(w.T, "tainted", i.Status, "%s is tainted", address)
	}
}

// WantCodeOf asserts that the error of a permanent fault contains the API's code, if the fault has one.
func (r Result) WantCodeOf(t *testing.T, fault simulator.Fault) {
	t.Helper()
	codes := map[simulator.FaultKind]string{
		simulator.FaultServerError:  "INTERNAL_SERVER_ERROR",
		simulator.FaultUnauthorized: "UNAUTHORIZED",
		simulator.FaultRateLimit:    "rate limit is exhausted",
	}
	if code, ok := codes[fault.Kind]; ok && r.Code != 0 {
		r.WantText(t, code)
	}
}

// Proof is a way in which the read that shows a write goes wrong.
type Proof struct {
	fault *simulator.Fault // of the read
	lost  bool             // the response to the write is lost, too
	stop  bool             // the run is canceled while the write is under way
}

// Proofs are those ways by name.
func Proofs() map[string]Proof {
	fails := &simulator.Fault{Kind: simulator.FaultServerError, Times: -1}
	limited := &simulator.Fault{Kind: simulator.FaultRateLimit, Times: -1, RetryAfter: 50 * time.Minute}
	stale := &simulator.Fault{Kind: simulator.FaultStale, Times: 1}
	return map[string]Proof{
		"fails":                   {fault: fails},
		"fails after a loss":      {fault: fails, lost: true},
		"rate limit":              {fault: limited},
		"rate limit after a loss": {fault: limited, lost: true},
		"stale":                   {fault: stale},
		"stale after a loss":      {fault: stale, lost: true},
		"Ctrl-C":                  {stop: true},
		"Ctrl-C after a loss":     {lost: true, stop: true},
		"Ctrl-C, fails":           {fault: fails, stop: true},
	}
}

// Inject sets the faults for a write and the read of it.
func (p Proof) Inject(sim *simulator.Simulator, interrupt func(), write, read string) {
	if p.fault != nil {
		fault := *p.fault
		fault.Route, fault.Since = read, write
		sim.Inject(fault)
	}
	if p.lost || p.stop {
		fault := simulator.Fault{Route: write, After: true}
		if p.lost {
			fault.Kind = simulator.FaultServerError
		}
		if p.stop {
			fault.Hook = interrupt
		}
		sim.Inject(fault)
	}
}

// denial is a sentence that says what did not happen.
var denial = regexp.MustCompile(`Nothing was changed|Nothing was created|No seat was used|The state was not changed|stays in state|It stays live| was not (?:removed|detached|deactivated|changed|added|assigned|attached|suspended|deprovisioned|provisioned|created)`)

// OfRead reports whether something is wrong with the read.
func (p Proof) OfRead() bool { return p.fault != nil }

// IsOvercome reports whether a second read shows the effect.
func (p Proof) IsOvercome() bool {
	return p.fault != nil && p.fault.Kind == simulator.FaultStale && !p.stop
}

// WantTruth asserts on an apply whose write took effect: it succeeds, or says what may be in effect, and denies nothing.
func (p Proof) WantTruth(t *testing.T, r Result, inEffect bool) {
	t.Helper()
	// What a report lists is in effect, and a later step may be denied.
	listed := regexp.MustCompile(`Written: |Restored: |Before that, this apply `).MatchString(r.Out)
	out := strings.ReplaceAll(r.Out, "and that the private label was not deprovisioned", "")
	if said := denial.FindString(out); inEffect && said != "" && !listed {
		t.Errorf("the write is in effect, and the apply says %q:\n%s", said, r.Out)
	}
}
