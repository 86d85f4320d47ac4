package estate

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// Printable writes to a terminal: a control character is shown as its code.
type Printable struct{ io.Writer }

func (p Printable) Write(data []byte) (int, error) {
	_, err := io.WriteString(p.Writer, escaped(string(data), "\n"))
	return len(data), err
}

// Shown is a text of the API on one line.
func Shown(text string) string { return escaped(text, "") }

func escaped(text, but string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) || strings.ContainsRune(but, r) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "\\u%04x", r)
	}
	return b.String()
}
