package main

import (
	"slices"
	"testing"
)

func TestOptions_Defaults(t *testing.T) {
	t.Parallel()
	full, short, set := options{}, options{check: true}, options{check: true, labels: 50}
	for _, o := range []*options{&full, &short, &set} {
		o.setDefaults()
	}
	if full.labels != 1000 || short.labels >= full.labels || short.rounds >= full.rounds || short.runs >= full.runs {
		t.Errorf("full %+v, short %+v", full, short)
	}
	if set.labels != 50 || set.rounds != short.rounds {
		t.Errorf("a flag gave %+v", set)
	}
}

func TestParts_Wanted(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		options options
		want    []string
	}{
		"all":     {options{}, []string{"calls", "full", "exchanges", "windows", "floor", "start", "others", "uploads"}},
		"short":   {options{check: true}, []string{"calls", "full", "exchanges", "windows", "floor", "start"}},
		"one":     {options{only: "floor"}, []string{"floor"}},
		"scaling": {options{check: true, scaling: true}, []string{"calls", "full", "exchanges", "windows", "floor", "start", "scaling"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, p := range parts {
				if p.wanted(tc.options) {
					got = append(got, p.name)
				}
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}
