package main

import (
	"strings"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func TestCallsByBucket_CountsEachLimit(t *testing.T) {
	t.Parallel()
	const label = "/console/:slug/reseller/private-labels/:tenantId"
	console, billing, limited := callsByBucket([]simulator.Call{
		{Route: routeExchange, Status: 200},
		{Route: "GET " + label, Status: 200},
		{Route: "GET " + label + "/members", Status: 200},
		{Route: "GET " + label + "/package", Status: 404},
		{Route: "POST " + label + "/package/addons", Status: 200},
		{Route: "GET " + label + "/points", Status: 200},
		{Route: "POST /console/:slug/reseller/billing/packages/search", Status: 200},
		{Route: "GET " + label, Status: 429},
	})
	if console != 2 || billing != 4 || limited != 1 {
		t.Errorf("%d console, %d billing, %d limited", console, billing, limited)
	}
}

func TestWindows_RoundsToMinutes(t *testing.T) {
	t.Parallel()
	for waited, want := range map[time.Duration]int{0: 0, 2 * time.Second: 0, 59 * time.Second: 1, 182 * time.Second: 3} {
		if got := windows(waited); got != want {
			t.Errorf("%s: %d windows, want %d", waited, got, want)
		}
	}
}

// More calls than a window has wait at most for the next one.
func TestMeasureMix_KeepsItsBudget(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	own := &table{w: &out}
	one := mix{name: "mix", labels: 40, budget: 1, prepare: importLabels(true), act: planAll}
	if err := measureMix(t.Context(), t.TempDir(), own, one); err != nil {
		t.Fatal(err)
	}
	if own.exceeded > 0 || !strings.Contains(out.String(), "| mix | ") {
		t.Errorf("%s", out.String())
	}
}
