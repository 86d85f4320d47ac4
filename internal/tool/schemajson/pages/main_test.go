package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	assert.Equal(t, want, withTable(page))
	plain := "# A guide\n\nAPI: nothing.\n"
	assert.Equal(t, plain, withTable(plain), "a page without fields has changed")
}

func TestWithSubcategory(t *testing.T) {
	t.Parallel()
	page := "---\npage_title: \"x\"\nsubcategory: \"\"\n---\n"
	got, err := withSubcategory(page, "assignment")
	want := "---\npage_title: \"x\"\nsubcategory: \"Catalog\"\n---\n"
	require.NoError(t, err, "got %q, want %q", got, want)
	assert.Equal(t, want, got)
	_, err = withSubcategory(page, "new_object")
	assert.ErrorContains(t, err, "new_object has no subcategory", "a page without a subcategory")
	guide := "---\npage_title: \"x\"\n---\n"
	got, err = withSubcategory(guide, "leaving")
	require.NoError(t, err, "a guide became %q", got)
	assert.Equal(t, guide, got, "a guide became")
}
