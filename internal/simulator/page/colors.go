package page

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Colors of a private label by the API's field name (§4.6), #rgb or #rrggbb.
type Colors map[string]string

var colorFields = []string{
	"colorPrimary", "colorPrimaryForeground", "colorAccent", "colorAccentForeground", "colorAppBarBackground", "colorFooterBackground",
}

var hexColor = regexp.MustCompile(`^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$`)

// Swatch is one color as sent.
type Swatch struct {
	Field, Color string
	Style        string // declarations of CSS
}

// Swatches of the colors that are set.
func (c Colors) Swatches() []Swatch {
	var out []Swatch
	for _, field := range colorFields {
		if color := c.get(field); color != "" {
			out = append(out, Swatch{field, color, declare("background", color)})
		}
	}
	return out
}

// get returns "" for none, and for a value of an edited file that is not a color.
func (c Colors) get(field string) string {
	if color := c[field]; hexColor.MatchString(color) {
		return color
	}
	return ""
}

// CardStyle sets the card's CSS variables; the style sheet has defaults. The text on a color has the configured color
// only if that is readable.
func (c Colors) CardStyle() string {
	var out strings.Builder
	set := func(name, background, foreground string) {
		if background == "" {
			return
		}
		out.WriteString(declare("--"+name, background))
		out.WriteString(declare("--on-"+name, readable(foreground, background)))
	}
	primary := c.get("colorPrimary")
	onPrimary := c.get("colorPrimaryForeground")
	set("primary", primary, onPrimary)
	set("accent", c.get("colorAccent"), c.get("colorAccentForeground"))
	if bar := c.get("colorAppBarBackground"); bar != "" {
		set("bar", bar, "")
	} else {
		set("bar", primary, onPrimary)
	}
	set("footer", c.get("colorFooterBackground"), "")
	return out.String()
}

// declare a CSS property with a color that matches hexColor.
func declare(property, color string) string {
	return property + ":" + color + ";"
}

// minContrast of readable text (WCAG 2, AA).
const minContrast = 4.5

// readable returns the wanted foreground, or else black or white, whichever has the higher contrast. One of the two
// always suffices.
func readable(wanted, background string) string {
	if wanted != "" && contrast(wanted, background) >= minContrast {
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
	la := luminance(a)
	lb := luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// luminance of a color that matches hexColor, from 0 to 1 (WCAG 2).
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
