package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
)

// measureUploads measures an apply that sends two logos of 1 MB for each of 50 private labels, and one that sends none.
func measureUploads(ctx context.Context, h *harness, t *table, _ options) error {
	const n = 50
	t.head(fmt.Sprintf("An apply of the branding of %d private labels", n), "", "API calls", "peak memory of the plugin")
	for _, withLogos := range []bool{false, true} {
		calls, c, err := applyBrandings(ctx, h, n, withLogos)
		if err != nil {
			return err
		}
		t.row(map[bool]string{false: "colors", true: "colors and two logos of 1 MB each"}[withLogos], fmt.Sprint(calls), megabytes(float64(c.plugin.Peak)))
	}
	return nil
}

func applyBrandings(ctx context.Context, h *harness, n int, withLogos bool) (calls int, c cost, err error) {
	s, err := newService()
	if err != nil {
		return 0, c, err
	}
	defer s.close()
	brandings, err := seedBrandings(s.sim, n)
	if err != nil {
		return 0, c, err
	}
	for i, o := range brandings {
		if withLogos {
			o.config["logo_path"] = fmt.Sprintf("logo-%d.png", 2*i)
			o.config["banner_logo_path"] = fmt.Sprintf("logo-%d.png", 2*i+1)
		}
	}
	f, err := s.folder(h, fmt.Sprintf("uploads-%t", withLogos), brandings)
	if err != nil {
		return 0, c, err
	}
	for i := range 2 * n {
		if err := f.write(fmt.Sprintf("logo-%d.png", i), megabyteLogo()); err != nil {
			return 0, c, err
		}
	}
	c, err = f.apply(ctx)
	return len(s.sim.Journal()), c, err
}

// megabyteLogo returns a PNG of noise, which does not compress.
func megabyteLogo() string {
	img := image.NewNRGBA(image.Rect(0, 0, 500, 500))
	for i := range img.Pix {
		img.Pix[i] = uint8(rand.Uint32())
	}
	var out bytes.Buffer
	_ = png.Encode(&out, img) // a write to memory does not fail
	return out.String()
}
