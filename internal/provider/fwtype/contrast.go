package fwtype

import (
	"encoding/hex"
	"math"
	"strings"
)

// MinContrast is what WCAG 2 asks of ordinary text (level AA).
const MinContrast = 4.5

// ContrastRatio of two colors after WCAG 2: from 1 (the same) to 21 (black on
// white).
func ContrastRatio(a, b Color) float64 {
	x := luminance(a)
	y := luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance is the relative luminance after WCAG 2.
func luminance(c Color) float64 {
	rgb, err := hex.DecodeString(strings.TrimPrefix(c.Normal(), "#"))
	if err != nil || len(rgb) != 3 {
		return 0 // validators have rejected it
	}
	return 0.2126*linear(rgb[0]) + 0.7152*linear(rgb[1]) + 0.0722*linear(rgb[2])
}

func linear(channel byte) float64 {
	c := float64(channel) / math.MaxUint8
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}
