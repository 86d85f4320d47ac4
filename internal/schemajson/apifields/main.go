// Command apifields moves the API fields of the attributes into one table at the end of each page of the generated
// documentation. The schema's descriptions name them as "API: `field`.", for editors that show a description alone.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	if err := rewrite(os.Args[1:]...); err != nil {
		fmt.Fprintln(os.Stderr, "apifields:", err)
		os.Exit(1)
	}
}

// rewrite rewrites the pages of the directories.
func rewrite(dirs ...string) error {
	for _, dir := range dirs {
		pages, err := filepath.Glob(filepath.Join(dir, "*.md"))
		if err != nil {
			return err
		}
		for _, page := range pages {
			before, err := os.ReadFile(page)
			if err != nil {
				return err
			}
			after := []byte(withTable(string(before)))
			if bytes.Equal(before, after) {
				continue
			}
			if err := os.WriteFile(page, after, 0o600); err != nil { // which keeps the mode of the page
				return err
			}
		}
	}
	return nil
}

var (
	nested    = regexp.MustCompile("^### Nested Schema for `(.+)`")
	attribute = regexp.MustCompile("^- `([^`]+)` ")
	fields    = regexp.MustCompile(`\. API: (.+?)\.( |$)`)
)

// withTable returns a page with its API fields in a table at the end. Nested attributes have their path.
func withTable(page string) string {
	var text, rows strings.Builder
	prefix := ""
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "## ") {
			prefix = ""
		}
		if of := nested.FindStringSubmatch(line); of != nil {
			prefix = of[1] + "."
		}
		name, field := attribute.FindStringSubmatch(line), fields.FindStringSubmatch(line)
		if name != nil && field != nil {
			line = fields.ReplaceAllString(line, ".$2")
			fmt.Fprintf(&rows, "| `%s%s` | %s |\n", prefix, name[1], field[1])
		}
		text.WriteString(line + "\n")
	}
	if rows.Len() == 0 {
		return page
	}
	return text.String() + "\n## API fields\n\n| attribute | field of the API |\n|---|---|\n" + rows.String()
}
