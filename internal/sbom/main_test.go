package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An SBOM of this test's own binary, and what a forger may do to it.
func TestRun(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	const forged = "example.com/forged@v1.0.0"
	for name, tc := range map[string]struct {
		built, listed []string
		want          string // "" is none
	}{
		"the same":        {[]string{"a@v1", "b@v2"}, []string{"b@v2", "a@v1"}, ""},
		"not listed":      {[]string{"a@v1", forged}, []string{"a@v1"}, "the binary has " + forged},
		"not built":       {[]string{"a@v1"}, []string{"a@v1", forged}, forged + " is listed"},
		"another version": {[]string{"a@v1"}, []string{"a@v2"}, "the binary has a@v1"},
		"no modules":      {nil, nil, "names no modules"},
	} {
		if err := compare(tc.built, tc.listed); (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := modulesOf(raw); err != nil {
		t.Error(err)
	}
	dir := t.TempDir()
	sbom := filepath.Join(dir, "one.sbom.json")
	if err := os.WriteFile(sbom, []byte(`{"packages":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(sbom, filepath.Join(dir, "none")); err == nil {
		t.Error("a file that is not there is in order")
	}
	if err := run(sbom, sbom); err == nil {
		t.Error("a file that is no binary is in order")
	}
}

func TestModulesIn(t *testing.T) {
	t.Parallel()
	type ref struct {
		Locator string `json:"referenceLocator"`
	}
	type pack struct {
		Name    string `json:"name"`
		Version string `json:"versionInfo"`
		Refs    []ref  `json:"externalRefs,omitempty"`
	}
	text, err := json.Marshal(map[string][]pack{"packages": {
		{"terraform-provider-reseller_0.0.1_linux_amd64.zip", "", nil},
		{"stdlib", "1.26.0", []ref{{"cpe:2.3:a:golang:go:1.26.0"}, {"pkg:golang/stdlib@1.26.0"}}},
		{"github.com/privatelabels/terraform-provider-reseller", "v0.0.1", []ref{{"pkg:golang/github.com/privatelabels/terraform-provider-reseller@v0.0.1"}}},
		{"github.com/hashicorp/go-hclog", "v1.6.3", []ref{{"pkg:golang/github.com/hashicorp/go-hclog@v1.6.3"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := modulesIn(text)
	if want := []string{"github.com/hashicorp/go-hclog@v1.6.3"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
}
