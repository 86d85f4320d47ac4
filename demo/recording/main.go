// Command recording runs the demo and writes what it prints as an SVG that plays like a terminal: each line appears when it
// was printed, but no pause is longer than a second and a half.
package main

import (
	"bufio"
	"context"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

const (
	columns = 116
	rows    = 34
	charX   = 7.8
	lineY   = 17
	margin  = 14

	maxPause = 1500 * time.Millisecond
	perLine  = 120 * time.Millisecond // for lines that are printed at once
	rest     = 6 * time.Second        // before it begins again
)

// line is a line of output, and when it appears.
type line struct {
	text string
	at   time.Duration
}

func main() {
	out := flag.String("out", "docs/images/demo.svg", "the file to write")
	flag.Parse()
	if err := record(*out); err != nil {
		fmt.Fprintln(os.Stderr, "recording:", err)
		os.Exit(1)
	}
}

func record(out string) error {
	cmd := exec.CommandContext(context.Background(), "demo/run.sh")
	cmd.Stderr = os.Stderr
	printed, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := listen(printed, time.Now)
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("demo/run.sh: %w", err)
	}
	return os.WriteFile(out, []byte(draw(lines)), 0o644)
}

// listen reads lines as they are printed.
func listen(printed io.Reader, now func() time.Time) []line {
	lines := []line{{text: "$ make demo"}}
	last := now()
	for scanner := bufio.NewScanner(printed); scanner.Scan(); {
		if strings.Contains(scanner.Text(), "seconds after the build") {
			continue // those of the machine that recorded it
		}
		text := []rune(strings.ReplaceAll(scanner.Text(), "\t", "  "))
		if len(text) > columns {
			text = append(text[:columns-1], '…')
		}
		pause := min(max(now().Sub(last), perLine), maxPause)
		last = now()
		lines = append(lines, line{string(text), lines[len(lines)-1].at + pause})
	}
	return lines
}

// draw returns the SVG. Its lines move up one by one when the terminal is full.
func draw(lines []line) string {
	var out strings.Builder
	total := (lines[len(lines)-1].at + rest).Seconds()
	width, height := columns*charX+2*margin, rows*lineY+2*margin
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d"`, width, height, width, height)
	out.WriteString(` role="img" aria-label="make demo in a terminal">` + "\n")
	out.WriteString("<style>\n")
	out.WriteString("text { font: 13px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d5dae2; white-space: pre }\n")
	out.WriteString(".heading { fill: #ffffff; font-weight: bold } .command { fill: #9ece6a }\n")
	for i, l := range lines {
		fmt.Fprintf(&out, "@keyframes l%d { 0%%, %.3f%% { opacity: 0 } %.3f%%, 100%% { opacity: 1 } }\n", i, 100*l.at.Seconds()/total, 100*l.at.Seconds()/total+0.01)
	}
	out.WriteString("@keyframes scroll { 0% { transform: translateY(0) }\n")
	for i := rows; i < len(lines); i++ {
		at := 100 * lines[i].at.Seconds() / total
		fmt.Fprintf(&out, "%.3f%% { transform: translateY(%dpx) } %.3f%% { transform: translateY(%dpx) }\n", at, -(i-rows)*lineY, at+0.01, -(i-rows+1)*lineY)
	}
	end := max(0, len(lines)-rows) * lineY
	fmt.Fprintf(&out, "100%% { transform: translateY(%dpx) } }\n", -end)
	fmt.Fprintf(&out, "#lines { animation: scroll %.2fs step-end infinite }\n", total)
	out.WriteString("@media (prefers-reduced-motion: reduce) {\n  text { animation: none !important }\n")
	fmt.Fprintf(&out, "  #lines { animation: none; transform: translateY(%dpx) }\n}\n", -end)
	out.WriteString("</style>\n")
	fmt.Fprintf(&out, `<rect width="%.0f" height="%d" rx="8" fill="#1a1b26"/>`+"\n", width, height)
	fmt.Fprintf(&out, `<clipPath id="screen"><rect x="0" y="%d" width="%.0f" height="%d"/></clipPath>`+"\n", margin, width, rows*lineY)
	out.WriteString(`<g clip-path="url(#screen)"><g id="lines">` + "\n")
	for i, l := range lines {
		if l.text == "" {
			continue
		}
		class := ""
		switch trimmed := strings.TrimSpace(l.text); {
		case strings.HasPrefix(trimmed, "$ "):
			class = ` class="command"`
		case l.text[0] >= '1' && l.text[0] <= '9':
			class = ` class="heading"`
		}
		fmt.Fprintf(&out, `<text x="%d" y="%d"%s style="animation: l%d %.2fs linear infinite">`, margin, margin+13+i*lineY, class, i, total)
		_ = xml.EscapeText(&out, []byte(l.text))
		out.WriteString("</text>\n")
	}
	out.WriteString("</g></g>\n</svg>\n")
	return out.String()
}
