package main

import (
	"fmt"
	"math"
	"regexp"
	"strings"
)

var countForm = regexp.MustCompile(`count( +)= \d+`)

// replaceCount sets how many labels a configuration declares.
func replaceCount(config string, n int) string {
	return countForm.ReplaceAllString(config, fmt.Sprintf("count$1= %d", n))
}

// panel is one measure of the plot.
type panel struct {
	title string
	color string
	value func(grown) float64
	label func(grown) string
}

var panels = []panel{
	{"Calls", "#0b5d3b", func(p grown) float64 { return float64(p.calls) }, func(p grown) string { return fmt.Sprint(p.calls) }},
	{"CPU seconds, CLI and provider", "#14418b", func(p grown) float64 { return p.cpu }, func(p grown) string { return fmt.Sprintf("%.1f", p.cpu) }},
	{"Of that, the provider's", "#5b2a86", func(p grown) float64 { return p.own }, func(p grown) string { return fmt.Sprintf("%.2f", p.own) }},
	{"Peak memory of the provider, MB", "#8a4f00", func(p grown) float64 { return p.peak / 1e6 }, func(p grown) string { return fmt.Sprintf("%.0f", p.peak/1e6) }},
}

const (
	panelWidth, panelHeight = 280, 200
	margin                  = 36
)

// plotOf draws one panel a measure, labels and measure on logarithmic scales, so
// that a cost that grows with the labels is a straight line and one that does
// not is level.
func plotOf(points []grown) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">`+"\n", len(panels)*panelWidth, panelHeight)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", len(panels)*panelWidth, panelHeight)
	for i, p := range panels {
		fmt.Fprintf(&b, `<g transform="translate(%d 0)">`+"\n", i*panelWidth)
		p.draw(&b, points)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (p panel) draw(b *strings.Builder, points []grown) {
	fmt.Fprintf(b, `<text x="%d" y="18" font-weight="bold" fill="#222">%s</text>`+"\n", margin, p.title)
	most := 1.0
	for _, point := range points {
		most = max(most, p.value(point))
	}
	x := func(point grown) float64 {
		share := math.Log10(float64(point.labels)) - 1
		return margin + share/(math.Log10(5000)-1)*(panelWidth-2*margin)
	}
	y := func(point grown) float64 {
		const least = 0.1
		share := math.Log10(max(least, p.value(point))/least) / math.Log10(max(10, most)/least)
		return panelHeight - margin - share*(panelHeight-3*margin)
	}
	fmt.Fprintf(b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#999"/>`+"\n", margin, panelHeight-margin, panelWidth-margin/2, panelHeight-margin)
	var line strings.Builder
	for _, point := range points {
		fmt.Fprintf(&line, "%.1f,%.1f ", x(point), y(point))
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/><text x="%.1f" y="%.1f" text-anchor="middle" fill="#222">%s</text>`+"\n", x(point), y(point), p.color, x(point), y(point)-8, p.label(point))
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle" fill="#555">%d</text>`+"\n", x(point), panelHeight-margin/2, point.labels)
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", strings.TrimSpace(line.String()), p.color)
}
