package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An SBOM of this test's own binary, and what a forger may do to it.
func TestRun(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	require.NoError(t, err)
	raw, err := os.ReadFile(self)
	require.NoError(t, err)
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
	_, err = modulesOf(raw)
	assert.NoError(t, err)
	dir := t.TempDir()
	sbom := filepath.Join(dir, "one.sbom.json")
	require.NoError(t, os.WriteFile(sbom, []byte(`{"packages":[]}`), 0o600))
	assert.Error(t, run(sbom, filepath.Join(dir, "none")), "a file that is not there is in order")
	assert.Error(t, run(sbom, sbom), "a file that is no binary is in order")
}

// Two builds have the same SBOM, but for the time and the name of the run.
func TestCompareBuilds(t *testing.T) {
	t.Parallel()
	const sbom = `{"documentNamespace": "https://example.com/1", "creationInfo": {"created": "2026-03-14T09:26:53Z", "creators": ["Tool: syft-1"]}, "packages": [{"name": "a"}]}`
	other := filepath.Join(t.TempDir(), "other.sbom.json")
	for name, tc := range map[string]struct {
		old, now string // what the other one has
		says     string
	}{
		"time":    {"09:26:53", "10:00:00", ""},
		"run":     {"example.com/1", "example.com/2", ""},
		"tool":    {"syft-1", "syft-2", "differs from " + other},
		"package": {`"name": "a"`, `"name": "a", "licenseDeclared": "MIT"`, "differs from " + other},
		"broken":  {"{", "[", other + ": invalid character"},
	} {
		require.NoError(t, os.WriteFile(other, []byte(strings.Replace(sbom, tc.old, tc.now, 1)), 0o600))
		err := compareBuilds([]byte(sbom), other)
		if tc.says == "" {
			assert.NoError(t, err, name)
		} else {
			assert.ErrorContains(t, err, tc.says, name)
		}
	}
	assert.ErrorIs(t, compareBuilds([]byte(sbom), other+".none"), os.ErrNotExist)
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
	require.NoError(t, err)
	got, err := modulesIn(text)
	require.NoError(t, err, "got %v", got)
	assert.Equal(t, []string{"github.com/hashicorp/go-hclog@v1.6.3"}, got)
}
