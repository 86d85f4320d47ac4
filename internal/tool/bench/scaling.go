package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
)

// scalePoint is what a plan without changes costs at one size.
type scalePoint struct {
	labels, calls int
	cli, plugin   float64 // CPU seconds
	without       float64 // CPU seconds of the CLI for as many `terraform_data`
	peak          float64 // bytes, of the plugin
}

// measureScaling runs the same plan over growing numbers of private labels.
func measureScaling(ctx context.Context, h *harness, t *table, o options) error {
	t.head("A plan without changes at several sizes", "settled private labels", "API calls", "CPU, CLI and plugin", "CPU of the plugin",
		"CPU of the CLI over as many `terraform_data`", "peak memory of the plugin", "budget")
	var points []scalePoint
	for _, n := range []int{10, 100, 1000, 2000} {
		p, err := measureAt(ctx, h, n)
		if err != nil {
			return err
		}
		points = append(points, p)
		t.row(fmt.Sprint(n), fmt.Sprint(p.calls), seconds(p.cli+p.plugin), seconds(p.plugin), seconds(p.without), megabytes(p.peak),
			t.budget(fmt.Sprintf("%d call", budgetCalls), p.calls <= budgetCalls))
	}
	if o.plot == "" {
		return nil
	}
	return os.WriteFile(o.plot, []byte(plotOf(points)), 0o600)
}

func measureAt(ctx context.Context, h *harness, n int) (p scalePoint, err error) {
	s, err := newService()
	if err != nil {
		return p, err
	}
	defer s.close()
	f, err := s.declare(ctx, h, fmt.Sprintf("scaling-%d", n), fixtures[0], n)
	if err != nil {
		return p, err
	}
	ours, err := f.emptyPlan(ctx)
	if err != nil {
		return p, err
	}
	data, err := h.folder(fmt.Sprintf("scaling-data-%d", n), "", fmt.Sprintf("resource \"terraform_data\" \"x\" {\n  count = %d\n}\n", n))
	if err != nil {
		return p, err
	}
	if _, err := data.apply(ctx); err != nil {
		return p, err
	}
	without, err := data.emptyPlan(ctx)
	return scalePoint{
		n, len(s.sim.Journal()), ours.cli.Seconds(), ours.plugin.CPU.Seconds(), without.cli.Seconds(), float64(ours.plugin.Peak),
	}, err
}

// panel is one measure of the plot.
type panel struct {
	title  string
	color  string
	format string // of a value
	value  func(scalePoint) float64
}

var panels = []panel{
	{"API calls", "#0b5d3b", "%.0f", func(p scalePoint) float64 { return float64(p.calls) }},
	{"CPU seconds, CLI and plugin", "#14418b", "%.1f", func(p scalePoint) float64 { return p.cli + p.plugin }},
	{"CPU seconds, plugin", "#5b2a86", "%.2f", func(p scalePoint) float64 { return p.plugin }},
	{"Peak memory of the plugin, MB", "#8a4f00", "%.0f", func(p scalePoint) float64 { return p.peak / 1e6 }},
}

const (
	panelWidth, panelHeight = 280, 200
	margin                  = 36
)

// plotOf draws one panel for each measure, over private labels. Both scales are
// logarithmic: a cost that grows with the labels is a straight line, a constant
// cost is level.
func plotOf(points []scalePoint) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">`+"\n",
		len(panels)*panelWidth, panelHeight)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", len(panels)*panelWidth, panelHeight)
	for i, p := range panels {
		fmt.Fprintf(&b, `<g transform="translate(%d 0)">`+"\n", i*panelWidth)
		p.draw(&b, points)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (p panel) draw(b *strings.Builder, points []scalePoint) {
	fmt.Fprintf(b, `<text x="%d" y="18" font-weight="bold" fill="#222">%s</text>`+"\n", margin, p.title)
	most := 1.0
	for _, point := range points {
		most = max(most, p.value(point))
	}
	x := func(point scalePoint) float64 {
		share := math.Log10(float64(point.labels)) - 1
		return margin + share/(math.Log10(5000)-1)*(panelWidth-2*margin)
	}
	y := func(point scalePoint) float64 {
		const least = 0.1
		share := math.Log10(max(least, p.value(point))/least) / math.Log10(max(10, most)/least)
		return panelHeight - margin - share*(panelHeight-3*margin)
	}
	fmt.Fprintf(b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#999"/>`+"\n", margin, panelHeight-margin, panelWidth-margin/2, panelHeight-margin)
	var line strings.Builder
	for _, point := range points {
		fmt.Fprintf(&line, "%.1f,%.1f ", x(point), y(point))
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`, x(point), y(point), p.color)
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" fill="#222">`+p.format+"</text>\n", x(point), y(point)-8, p.value(point))
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle" fill="#555">%d</text>`+"\n", x(point), panelHeight-margin/2, point.labels)
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", strings.TrimSpace(line.String()), p.color)
}
