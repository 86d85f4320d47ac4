package main

import (
	"testing"
	"time"
)

func TestComparison_Keeps(t *testing.T) {
	t.Parallel()
	const budget = 2.0
	for name, tc := range map[string]struct {
		own, floor []time.Duration
		ratio      float64
		want       bool
	}{
		"below":                       {[]time.Duration{150, 160, 170}, []time.Duration{100, 100, 100}, 1.5, true},
		"exact":                       {[]time.Duration{200, 200, 200}, []time.Duration{100, 100, 100}, 2, true},
		"above within noise":          {[]time.Duration{220, 220, 220}, []time.Duration{100, 100, 100}, 2.2, true},
		"above":                       {[]time.Duration{240, 240, 240}, []time.Duration{100, 100, 100}, 2.4, false},
		"one slow round":              {[]time.Duration{150, 900, 160}, []time.Duration{100, 100, 100}, 1.5, true},
		"most rounds slow":            {[]time.Duration{150, 900, 900}, []time.Duration{100, 100, 100}, 1.5, true},
		"one fast round of the floor": {[]time.Duration{200, 200, 200}, []time.Duration{50, 100, 100}, 2, true},
		"one fast round of both":      {[]time.Duration{150, 300, 300}, []time.Duration{50, 100, 100}, 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := comparison{own: tc.own, floor: tc.floor}
			if got := c.ratio(); got != tc.ratio {
				t.Errorf("the ratio is %v, want %v", got, tc.ratio)
			}
			if got := c.keeps(budget); got != tc.want {
				t.Errorf("keeps the budget: %v, want %v", got, tc.want)
			}
		})
	}
}

// A resource type without a budget would fail each comparison, a budget without
// a resource type would hold nothing.
func TestFloorBudgets_MatchFixtures(t *testing.T) {
	t.Parallel()
	for _, fix := range fixtures {
		if floorBudgets[fix.resource] < 1 {
			t.Errorf("%s has the budget %v", fix.resource, floorBudgets[fix.resource])
		}
	}
	if len(floorBudgets) != len(fixtures) {
		t.Errorf("%d budgets for %d fixtures", len(floorBudgets), len(fixtures))
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		values []int64
		want   int64
	}{
		"one":  {[]int64{3}, 3},
		"odd":  {[]int64{9, 1, 5}, 5},
		"even": {[]int64{9, 1, 5, 7}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := median(tc.values); got != tc.want {
				t.Errorf("got %d, want %d", got, tc.want)
			}
		})
	}
}
