package main

import (
	"strings"
	"testing"
)

func TestTable_PrintsMarkdown(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	tab := &table{w: &out}
	tab.head("Calls", "labels", "budget")
	tab.row("1", tab.budget("1 call", true))
	tab.row("2", tab.budget("1 call", false))
	want := `
### Calls

| labels | budget |
| --- | --- |
| 1 | 1 call: kept |
| 2 | 1 call: **exceeded** |
`
	if out.String() != want {
		t.Errorf("got %s\nwant %s", out.String(), want)
	}
	if tab.exceeded != 1 {
		t.Errorf("%d budgets are counted as exceeded, want 1", tab.exceeded)
	}
}

func TestUnits(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"1.25 s":  seconds(1.25),
		"1.31x":   times(1.306),
		"22.3 MB": megabytes(22_300_000),
		"–":       megabytes(0),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestPlot_HasAllPoints(t *testing.T) {
	t.Parallel()
	svg := plotOf([]scalePoint{
		{labels: 10, calls: 1, cli: 1, plugin: 0.1, peak: 30e6},
		{labels: 5000, calls: 1, cli: 20, plugin: 4, peak: 130e6},
	})
	for _, text := range []string{">API calls<", ">10<", ">5000<", ">1.1<", ">24.0<", ">4.00<", ">130<", "<polyline", "</svg>"} {
		if !strings.Contains(svg, text) {
			t.Errorf("the plot does not have %s", text)
		}
	}
	if n := strings.Count(svg, "<circle"); n != 2*len(panels) {
		t.Errorf("%d points, want %d", n, 2*len(panels))
	}
}
