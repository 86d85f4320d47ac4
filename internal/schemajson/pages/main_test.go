package main

import (
	"strings"
	"testing"
)

func TestWithTable(t *testing.T) {
	t.Parallel()
	page := "## Schema\n\n" +
		"- `domain` (String) Host name. API: `config.domain`, `primaryHost`.\n" +
		"- `currency` (String) Currency. API: `currency`. Optional.\n" +
		"- `owner` (Attributes) Owner. API: `owner`. (see [below for nested schema](#nestedatt--owner))\n" +
		"- `url` (String) URL of the API: `https` only.\n\n" +
		"### Nested Schema for `owner`\n\n" +
		"- `record` (String) Record. API: `records[0].a`.\n\n" +
		"## Import\n\n- `id` (String) ID. API: `tenantId`.\n"
	want := "## Schema\n\n" +
		"- `domain` (String) Host name.\n" +
		"- `currency` (String) Currency. Optional.\n" +
		"- `owner` (Attributes) Owner. (see [below for nested schema](#nestedatt--owner))\n" +
		"- `url` (String) URL of the API: `https` only.\n\n" +
		"### Nested Schema for `owner`\n\n" +
		"- `record` (String) Record.\n\n" +
		"## Import\n\n- `id` (String) ID.\n" +
		"\n## API fields\n\n| attribute | field of the API |\n|---|---|\n" +
		"| `domain` | `config.domain`, `primaryHost` |\n| `currency` | `currency` |\n| `owner` | `owner` |\n" +
		"| `owner.record` | `records[0].a` |\n| `id` | `tenantId` |\n"
	if got := withTable(page); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if plain := "# A guide\n\nAPI: nothing.\n"; withTable(plain) != plain {
		t.Errorf("a page without fields has changed: %s", withTable(plain))
	}
}

func TestWithSubcategory(t *testing.T) {
	t.Parallel()
	page := "---\npage_title: \"x\"\nsubcategory: \"\"\n---\n"
	got, err := withSubcategory(page, "assignment")
	if want := "---\npage_title: \"x\"\nsubcategory: \"Catalog\"\n---\n"; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if _, err := withSubcategory(page, "new_object"); err == nil || !strings.Contains(err.Error(), "new_object has no subcategory") {
		t.Errorf("a page without a subcategory: %v", err)
	}
	guide := "---\npage_title: \"x\"\n---\n"
	if got, err := withSubcategory(guide, "leaving"); err != nil || got != guide {
		t.Errorf("a guide became %q, %v", got, err)
	}
}
