// Command logos draws a logo and a banner for each client of the demo: a disc
// and bars in the client's colors.
package main

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
)

// clients and their colors, main and accent.
var clients = map[string][2]color.RGBA{
	"acme":  {{0x0b, 0x5d, 0x3b, 0xff}, {0x8a, 0x4f, 0x00, 0xff}},
	"bolt":  {{0x14, 0x41, 0x8b, 0xff}, {0xa3, 0x26, 0x2a, 0xff}},
	"crane": {{0x5b, 0x2a, 0x86, 0xff}, {0x00, 0x69, 0x5c, 0xff}},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "logos:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: logos FOLDER")
	}
	for client, colors := range clients {
		for kind, size := range map[string]image.Point{"logo": {270, 90}, "banner": {500, 500}} {
			if err := write(filepath.Join(args[0], client+"-"+kind+".png"), draw(size, colors[0], colors[1])); err != nil {
				return err
			}
		}
	}
	return nil
}

// draw draws a disc at the left, and three bars beside it.
func draw(size image.Point, primary, accent color.Color) image.Image {
	img := image.NewRGBA(image.Rectangle{Max: size})
	center, radius := image.Pt(size.Y/2, size.Y/2), size.Y/3
	for x := range size.X {
		for y := range size.Y {
			fromCenter := image.Pt(x, y).Sub(center)
			switch inDisc := fromCenter.X*fromCenter.X+fromCenter.Y*fromCenter.Y <= radius*radius; {
			case inDisc && fromCenter.X+fromCenter.Y > 0:
				img.Set(x, y, accent)
			case inDisc, x > size.Y && y/(size.Y/7)%2 == 1 && x < size.X*9/10:
				img.Set(x, y, primary)
			default:
				img.Set(x, y, color.White)
			}
		}
	}
	return img
}

func write(path string, img image.Image) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(file, img), file.Close())
}
