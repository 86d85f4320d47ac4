// Command pages finishes the pages of the generated documentation. Each gets its subcategory in the registry, and the API
// fields of the attributes move into one table at its end: the schema's descriptions name them as "API: `field`.", for
// editors that show a description alone.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if err := rewrite(os.Args[1:]...); err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
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
			filed, err := withSubcategory(string(before), strings.TrimSuffix(filepath.Base(page), ".md"))
			if err != nil {
				return err
			}
			after := []byte(withTable(filed))
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

// subcategories of the registry's navigation, by the names of the pages.
var subcategories = map[string][]string{
	"Portals": {
		"private_label", "private_labels", "branding", "domain_verification", "dashboard", "attach_domain", "contrast_ratio", "relative_record_name",
		"dns_instructions",
	},
	"Catalog":   {"package", "packages", "addon", "addons", "assignment", "quota", "usage", "points", "points_ledger"},
	"People":    {"member", "members", "people", "resend_invite", "api_keys", "api_key_id", "access_token"},
	"Documents": {"document", "document_signing", "minted_document", "sent_documents", "signatures", "templates"},
}

const noSubcategory = "\nsubcategory: \"\"\n"

// withSubcategory returns a page with its subcategory. Guides and the index have no line for one.
func withSubcategory(page, name string) (string, error) {
	if !strings.Contains(page, noSubcategory) {
		return page, nil
	}
	for subcategory, names := range subcategories {
		if slices.Contains(names, name) {
			return strings.Replace(page, noSubcategory, fmt.Sprintf("\nsubcategory: %q\n", subcategory), 1), nil
		}
	}
	return "", fmt.Errorf("the page %s has no subcategory", name)
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
		if heading := nested.FindStringSubmatch(line); heading != nil {
			prefix = heading[1] + "."
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
