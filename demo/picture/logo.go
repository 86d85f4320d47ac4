package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
)

// emblem returns the ink of a point in a square from -1 to 1: 1 is the first color, 2 the second, 0 is clear.
type emblem func(x, y float64) int

func wave(x, y float64) int {
	switch {
	case math.Hypot(x, y) > 0.9:
		return 0
	case y > 0.25+0.18*math.Sin(5*x):
		return 1
	case y > -0.2+0.18*math.Sin(5*x+1):
		return 2
	default:
		return 1
	}
}

func leaf(x, y float64) int {
	if math.Hypot(x-0.55, y-0.55) > 1.3 || math.Hypot(x+0.55, y+0.55) > 1.3 {
		return 0
	}
	if math.Abs(x+y) < 0.07 {
		return 1
	}
	return 2
}

func wing(x, y float64) int {
	across := math.Abs(x)
	if across > 0.9 {
		return 0
	}
	for _, tip := range []float64{-0.75, -0.2, 0.35} {
		if down := y - tip - 0.55*across; down > 0 && down < 0.36*(1-across*0.7) {
			return 1
		}
	}
	return 0
}

func sun(x, y float64) int {
	r, angle := math.Hypot(x, y), math.Atan2(y, x)
	switch {
	case r < 0.48:
		return 2
	case r > 0.6 && r < 0.92 && math.Cos(10*angle) > 0:
		return 2
	default:
		return 0
	}
}

func petals(x, y float64) int {
	r, angle := math.Hypot(x, y), math.Atan2(y, x)
	switch {
	case r < 0.2:
		return 0
	case r < 0.35+0.55*math.Abs(math.Cos(2.5*angle)):
		return 1
	default:
		return 0
	}
}

func columns(x, y float64) int {
	for i, top := range []float64{-0.1, -0.8, -0.45} {
		if left := -0.9 + 0.63*float64(i); x > left && x < left+0.52 && y > top && y < 0.85 {
			return 2
		}
	}
	return 0
}

func rings(x, y float64) int {
	switch r := math.Hypot(x, y); {
	case r < 0.3, r > 0.72 && r < 0.92:
		return 1
	case r > 0.42 && r < 0.62:
		return 2
	default:
		return 0
	}
}

func bowl(x, y float64) int {
	switch {
	case y > 0 && math.Hypot(x, y) < 0.85:
		return 1
	case y < -0.15 && y > -0.8 && math.Abs(math.Abs(x+0.1*math.Sin(9*y))-0.3) < 0.09:
		return 1
	default:
		return 0
	}
}

const (
	logoSize = 90 // pixels: the height in which the API stores a logo (§4.7)
	samples  = 4  // of a pixel, each way
)

// logo draws a client's emblem in its colors, as a PNG.
func (c *client) logo() ([]byte, error) {
	inks := [3]color.NRGBA{}
	for i, text := range []string{c.primary, c.accent} {
		if _, err := fmt.Sscanf(strings.ToLower(text), "#%02x%02x%02x", &inks[i+1].R, &inks[i+1].G, &inks[i+1].B); err != nil {
			return nil, fmt.Errorf("%s is not a color: %w", text, err)
		}
	}
	img := image.NewNRGBA(image.Rect(0, 0, logoSize, logoSize))
	for px := range logoSize {
		for py := range logoSize {
			img.SetNRGBA(px, py, c.pixel(px, py, inks))
		}
	}
	var buf bytes.Buffer
	err := png.Encode(&buf, img)
	return buf.Bytes(), err
}

// pixel has the ink of most of its samples, and an opacity of the share of samples with ink.
func (c *client) pixel(px, py int, inks [3]color.NRGBA) color.NRGBA {
	at := func(p, sample int) float64 {
		return 2*(float64(p)+(float64(sample)+0.5)/samples)/logoSize - 1
	}
	var hits [3]int
	for sx := range samples {
		for sy := range samples {
			hits[c.emblem(at(px, sx), at(py, sy))]++
		}
	}
	out := inks[1]
	if hits[2] > hits[1] {
		out = inks[2]
	}
	out.A = uint8(255 * (hits[1] + hits[2]) / (samples * samples))
	return out
}

// mail is the email address of a user at a client.
func mail(first, host string) string {
	_, domain, _ := strings.Cut(host, ".")
	return strings.ToLower(first) + "@" + domain
}
