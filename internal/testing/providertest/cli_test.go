package providertest

import "testing"

func TestHolds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"1 added":                             true,
		"Resources: 1 added, 0 changed":       true,
		"11 added":                            false,
		"11 added, 1 added":                   true,
		"21 added, 11 added":                  false,
		"no resources":                        false,
		"Resources: 0 added, 1 changed, 1 ad": false,
	} {
		if got := holds(text, "1 added"); got != want {
			t.Errorf("%q holds it: %t, want %t", text, got, want)
		}
	}
}
