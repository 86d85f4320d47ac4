package providertest

import (
	"sort"

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

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
