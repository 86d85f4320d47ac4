package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const megabyte = 1 << 20

// measureUploads measures an apply that sends two logos of 1 MB for each of 50
// private labels.
func measureUploads(ctx context.Context, h *harness, t *table, _ options) error {
	const n = 50
	s, err := newService(simulator.Options{Fast: true}, n)
	if err != nil {
		return err
	}
	defer s.close()
	t.head(fmt.Sprintf("An apply of the branding of %d private labels", n), "", "API calls", "sent", "wall", "peak memory of the plugin")
	for _, step := range []struct {
		name, dir string
		logos     bool
	}{{"colors", "colors", false}, {"colors and two logos of 1 MB each", "logos", true}} {
		f := s.folder(h, "uploads-"+step.dir)
		if err := f.write("main.tf", requirements+brandings(s.sim.Labels(), step.logos)); err != nil {
			return err
		}
		for i := range 2 * n {
			if err := f.write(fmt.Sprintf("logo-%d.png", i), string(logoOf(i, megabyte))); err != nil {
				return err
			}
		}
		if _, err := f.run(ctx, "init", "-no-color", "-input=false"); err != nil {
			return err
		}
		s.sim.ResetJournal()
		c, err := f.run(ctx, "apply", "-no-color", "-input=false", "-auto-approve")
		if err != nil {
			return err
		}
		sent := "–"
		if step.logos {
			sent = megabytes(2 * n * megabyte)
		}
		t.row(step.name, fmt.Sprint(s.calls().total), sent, seconds(c.wall), megabytes(c.plugin.Peak))
	}
	return nil
}

func brandings(labels []simulator.LabelView, logos bool) string {
	var text strings.Builder
	for i, l := range labels {
		fmt.Fprintf(&text, "resource \"reseller_branding\" \"b%d\" {\n  domain = %q\n  color_primary = \"#0a4\"\n", i, l.Host)
		if logos {
			fmt.Fprintf(&text, "  logo_path = \"logo-%d.png\"\n  banner_logo_path = \"logo-%d.png\"\n", 2*i, 2*i+1)
		}
		text.WriteString("}\n")
	}
	return text.String()
}

// logoOf returns a small PNG whose private chunk fills it up to size bytes.
func logoOf(seed, size int) []byte {
	var buf bytes.Buffer
	img := image.NewGray(image.Rect(0, 0, 16, 16))
	img.Pix[0] = uint8(seed)
	_ = png.Encode(&buf, img) // a write to memory does not fail
	const end, frame = 12, 12 // of a chunk: length, type and checksum
	plain := buf.Bytes()
	chunk := append([]byte("paDd"), make([]byte, size-len(plain)-frame)...)
	out := append([]byte{}, plain[:len(plain)-end]...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(chunk)-4))
	out = append(out, chunk...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(chunk))
	return append(out, plain[len(plain)-end:]...)
}
