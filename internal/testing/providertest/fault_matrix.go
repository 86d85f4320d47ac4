package providertest

import (
	"testing"

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

// WantCodeOf asserts that the error of a permanent fault contains the API's code, if the fault has one.
func (r Result) WantCodeOf(t *testing.T, fault simulator.Fault) {
	t.Helper()
	codes := map[simulator.FaultKind]string{
		simulator.FaultServerError:  "INTERNAL_SERVER_ERROR",
		simulator.FaultUnauthorized: "UNAUTHORIZED",
		simulator.FaultRateLimit:    "rate limit is exhausted",
	}
	if code, has := codes[fault.Kind]; has && r.Code != 0 {
		r.WantText(t, code)
	}
}
