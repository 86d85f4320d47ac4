package simulator

import (
	html "html/template"
	"math"
	"strconv"
	"strings"
)

// swatch is one colour of a label, as it was sent.
type swatch struct {
	Field, Color string
	Style        html.CSS
}

// swatches of the colours that a label has.
func swatches(colors map[string]string) []swatch {
	var out []swatch
	for _, field := range colorNames {
		if color := colorOf(colors, field); color != "" {
			out = append(out, swatch{field, color, declare("background", color)})
		}
	}
	return out
}

// colorOf is empty for none, and for what is no colour in a file that somebody
// edited.
func colorOf(colors map[string]string, field string) string {
	if color := colors[field]; hexColor.MatchString(color) {
		return color
	}
	return ""
}

// cardStyle sets the card's CSS variables from a label's colours; what the
// label lacks, the style sheet has. Text on a colour is the label's own where it
// can be read.
func cardStyle(colors map[string]string) html.CSS {
	var out strings.Builder
	set := func(name, background, foreground string) {
		if background == "" {
			return
		}
		out.WriteString(string(declare("--"+name, background)))
		out.WriteString(string(declare("--on-"+name, readable(foreground, background))))
	}
	primary, onPrimary := colorOf(colors, "colorPrimary"), colorOf(colors, "colorPrimaryForeground")
	set("primary", primary, onPrimary)
	set("accent", colorOf(colors, "colorAccent"), colorOf(colors, "colorAccentForeground"))
	if bar := colorOf(colors, "colorAppBarBackground"); bar != "" {
		set("bar", bar, "")
	} else {
		set("bar", primary, onPrimary)
	}
	set("footer", colorOf(colors, "colorFooterBackground"), "")
	return html.CSS(out.String()) //nolint:gosec // names of ours and colours that match hexColor
}

// declare a CSS property that has a colour, which matches hexColor.
func declare(property, color string) html.CSS {
	return html.CSS(property + ":" + color + ";") //nolint:gosec // as above
}

// leastContrast of text that everybody can read (WCAG 2, AA).
const leastContrast = 4.5

// readable is the foreground wanted, or else black or white, whichever can be
// read better. One of the two always can.
func readable(wanted, background string) string {
	if wanted != "" && contrast(wanted, background) >= leastContrast {
		return wanted
	}
	const black, white = "#000000", "#ffffff"
	if contrast(white, background) >= contrast(black, background) {
		return white
	}
	return black
}

// contrast ratio of WCAG 2, from 1 to 21.
func contrast(a, b string) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// luminance of a colour that matches hexColor, from 0 to 1 (WCAG 2).
func luminance(color string) float64 {
	digits := color[1:]
	if len(digits) == 3 {
		digits = strings.Repeat(digits[:1], 2) + strings.Repeat(digits[1:2], 2) + strings.Repeat(digits[2:], 2)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		part, _ := strconv.ParseUint(digits[2*i:2*i+2], 16, 8) // hexColor matched
		sum += weight * linear(float64(part)/255)
	}
	return sum
}

func linear(part float64) float64 {
	if part <= 0.04045 {
		return part / 12.92
	}
	return math.Pow((part+0.055)/1.055, 2.4)
}
