package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestComparison_Keeps(t *testing.T) {
	t.Parallel()
	const budget = 2.0
	for name, tc := range map[string]struct {
		ours, floor []float64
		ratio       float64
		want        bool
	}{
		"below":                       {[]float64{150, 160, 170}, []float64{100, 100, 100}, 1.5, true},
		"exact":                       {[]float64{200, 200, 200}, []float64{100, 100, 100}, 2, true},
		"above within noise":          {[]float64{220, 220, 220}, []float64{100, 100, 100}, 2.2, true},
		"above":                       {[]float64{240, 240, 240}, []float64{100, 100, 100}, 2.4, false},
		"one slow round":              {[]float64{150, 900, 160}, []float64{100, 100, 100}, 1.5, true},
		"most rounds slow":            {[]float64{150, 900, 900}, []float64{100, 100, 100}, 1.5, true},
		"one fast round of the floor": {[]float64{200, 200, 200}, []float64{50, 100, 100}, 2, true},
		"one fast round of both":      {[]float64{150, 300, 300}, []float64{50, 100, 100}, 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := comparison{ours: tc.ours, floor: tc.floor}
			assert.Equal(t, tc.ratio, c.ratio(), "the ratio")
			assert.Equal(t, tc.want, c.keeps(budget), "keeps the budget")
		})
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		values []float64
		want   float64
	}{
		"one":  {[]float64{3}, 3},
		"odd":  {[]float64{9, 1, 5}, 5},
		"even": {[]float64{9, 1, 5, 7}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tc.want, median(tc.values))
		})
	}
}
