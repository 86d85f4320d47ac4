package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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
	assert.Equal(t, want, out.String())
	assert.Equal(t, 1, tab.exceeded, "budgets are counted as exceeded")
}

func TestUnits(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"1.25 s":  seconds(1.25),
		"1.31x":   times(1.306),
		"22.3 MB": megabytes(22_300_000),
		"–":       megabytes(0),
	} {
		assert.Equal(t, want, got)
	}
}

func TestPlot_HasAllPoints(t *testing.T) {
	t.Parallel()
	svg := plotOf([]scalePoint{
		{labels: 10, calls: 1, cli: 1, plugin: 0.1, peak: 30e6},
		{labels: 5000, calls: 1, cli: 20, plugin: 4, peak: 130e6},
	})
	for _, text := range []string{">API calls<", ">10<", ">5000<", ">1.1<", ">24.0<", ">4.00<", ">130<", "<polyline", "</svg>"} {
		assert.Contains(t, svg, text, "the plot does not")
	}
	assert.Equal(t, 2*len(panels), strings.Count(svg, "<circle"), "points")
}
