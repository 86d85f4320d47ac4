package main

import (
	"slices"
	"time"
)

// Budgets of API calls are exact: one call more is a failure.
const (
	budgetCalls     = 1 // of a plan without changes over settled private labels
	budgetExchanges = 1 // of any number of plans within the life of a token
)

// Budgets of the rate limit windows that a mix waits for: the present figures.
const (
	budgetWindowsAddons  = 0  // a plan over 100 private labels with add-ons
	budgetWindowsMembers = 1  // the same with 3 members each
	budgetWindowsImport  = 10 // an import of 300 private labels
	budgetWindowsCreate  = 4  // the creation of 35 private labels
)

// Budgets of the plugin's own cost.
const (
	budgetStart     = 100 * time.Millisecond // from start to schema
	budgetTimeSize  = 1.42                   // of the binary of hashicorp/time; 0.08 of it is hclwrite, which writes an export
	budgetFloorSize = 1.76                   // of the binary of the floor; 1.42 of hashicorp/time is about 1.77
)

// floorBudgets are the plugin's CPU time in a plan without changes over 1,000 objects, as a multiple of the floor's:
// the present figures, rounded up. Over fewer objects the ratio is smaller, since the start counts for more. To tighten
// a budget, lower its figure.
var floorBudgets = map[string]float64{
	"reseller_private_label": 1.2, // the design's budget
	"reseller_member":        1.2, // the design's budget
	"reseller_assignment":    1.4, // the design requires 2
	"reseller_package":       2.0, // the design's budget
	"reseller_branding":      1.4, // the design requires 2
}

// noise is the share by which a ratio may exceed its budget. Other processes
// on the machine make the same work take more CPU time: they empty caches and
// share cores.
const noise = 0.15

// comparison holds the CPU times of two plugins that took turns.
type comparison struct{ own, floor []time.Duration }

// ofMedians is the ratio of the typical round.
func (c comparison) ofMedians() float64 {
	return float64(median(c.own)) / float64(median(c.floor))
}

// ofMinimums is the ratio of the least disturbed rounds.
func (c comparison) ofMinimums() float64 {
	return float64(slices.Min(c.own)) / float64(slices.Min(c.floor))
}

// ratio is the smaller of the two. Noise moves one of them; more work in the
// plugin moves both.
func (c comparison) ratio() float64 { return min(c.ofMedians(), c.ofMinimums()) }

func (c comparison) keeps(budget float64) bool { return c.ratio() <= budget*(1+noise) }

// median returns the middle value, the lower one of two.
func median[T ~int64 | ~float64](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}
