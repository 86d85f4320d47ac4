package main

import "slices"

// Budgets of API calls are exact: one call more is a failure. TestCalls has the others.
const (
	budgetCalls     = 1 // of a plan without changes over settled private labels
	budgetExchanges = 1 // of any number of plans within the life of a token
)

// Budgets of the plugin's own cost.
const (
	budgetStart     = 0.1  // seconds from start to schema
	budgetTimeSize  = 1.50 // of the binary of hashicorp/time; 0.09 of it is hclwrite with go-cty, which writes an export
	budgetFloorSize = 1.87 // of the binary of the floor, which is the same limit: hashicorp/time's is 1.245 of the floor's
)

// noise is the share by which a ratio may exceed its budget. Other processes
// on the machine make the same work take more CPU time: they empty caches and
// share cores.
const noise = 0.15

// comparison holds the CPU times of two plugins that took turns.
type comparison struct{ ours, floor []float64 }

// ofMedians is the ratio of the typical round.
func (c comparison) ofMedians() float64 {
	return median(c.ours) / median(c.floor)
}

// ofMinimums is the ratio of the least disturbed rounds.
func (c comparison) ofMinimums() float64 {
	return slices.Min(c.ours) / slices.Min(c.floor)
}

// ratio is the smaller of the two. Noise moves one of them; more work in the
// plugin moves both.
func (c comparison) ratio() float64 {
	return min(c.ofMedians(), c.ofMinimums())
}

func (c comparison) keeps(budget float64) bool {
	return c.ratio() <= budget*(1+noise)
}

// median returns the middle value, the lower one of two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}
