package client

import (
	"strings"
	"testing"
)

// Whatever letters a service folds in, an address is the same as what it stores.
func TestFoldEmail(t *testing.T) {
	t.Parallel()
	for name, fold := range map[string]func(string) string{
		"lowercase": strings.ToLower,
		"uppercase": strings.ToUpper,
		"lowercase of whole words": func(s string) string {
			return strings.NewReplacer("Σ@", "ς@", "İ", "i\u0307").Replace(s[:strings.Index(s, "@")+1]) + "acme.example"
		},
	} {
		for _, address := range []string{"BOB@acme.example", "ΟΔΥΣΣΕΥΣ@acme.example", "οδυσσευς@acme.example", "İrem@acme.example", "J\u00fcRGEN@acme.example", "\u212aate@acme.example", "\u017fam@acme.example"} {
			if stored := fold(address); FoldEmail(stored) != FoldEmail(address) {
				t.Errorf("%s: %q is stored as %q, and is another address", name, address, stored)
			}
		}
	}
	for _, other := range []string{"bob2@acme.example", "bob@acme.examp1e", "b0b@acme.example", "bób@acme.example"} {
		if FoldEmail(other) == FoldEmail("bob@acme.example") {
			t.Errorf("%q is bob@acme.example", other)
		}
	}
	if got := FoldEmail("Bob@ACME.example"); got != "bob@acme.example" {
		t.Errorf("%q", got)
	}
}
