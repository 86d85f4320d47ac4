package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	contributing := filepath.Join(dir, "CONTRIBUTING.md")
	for name, text := range map[string]string{
		"CONTRIBUTING.md": "| what | Terraform | OpenTofu | test |\n|---|---|---|---|\n| actions | 1.14 | – | `TestActions` |\n| functions | 1.8 | 1.7 | `TestFunctions` |\n",
		"terraform-1.5.7.json": `commit: 0123456789ab
scope: all
not JSON
{"Time": "2026-03-14T09:26:53Z", "Action": "skip", "Package": "example.com/a", "Test": "TestActions"}
{"Time": "2026-03-14T09:26:53Z", "Action": "skip", "Package": "example.com/a", "Test": "TestFunctions"}
{"Time": "2026-03-14T09:26:53Z", "Action": "pass", "Package": "example.com/b", "Test": "TestPlan"}
`,
		"terraform-1.17.0-alpha1.json": `{"Time": "2026-03-15T09:26:53Z", "Action": "pass", "Package": "example.com/a", "Test": "TestActions/one"}
{"Time": "2026-03-15T09:26:53Z", "Action": "pass", "Package": "example.com/a", "Test": "TestActions"}
{"Time": "2026-03-15T09:26:53Z", "Action": "fail", "Package": "example.com/b", "Test": "TestPlan"}
{"Time": "2026-03-15T09:26:53Z", "Action": "fail", "Package": "example.com/b"}
`,
		"tofu-1.8.0.json": `{"Time": "2026-03-14T09:26:53Z", "Action": "fail", "Package": "example.com/a", "Test": "TestFunctions"}` + "\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	page, err := run(dir, contributing)
	require.NoError(t, err)
	assert.Equal(t, `<!-- Written by scripts/clis. -->
# Test results by CLI

| CLI | day | commit | tests | passed | failed | skipped |
|---|---|---|---|---|---|---|
| Terraform 1.5.7 | 2026-03-14 | 0123456789ab | all | 1 | 0 | 2 |
| Terraform 1.17.0-alpha1 | 2026-03-15 |  |  | 1 | 1 | 0 |
| OpenTofu 1.8.0 | 2026-03-14 |  |  | 0 | 1 | 0 |

A CLI without a feature skips its test.

| feature | Terraform 1.5.7 | Terraform 1.17.0-alpha1 | OpenTofu 1.8.0 |
|---|---|---|---|
| actions | – | passed | not run |
| functions | – | not run | **failed** |

Terraform 1.17.0-alpha1: `+"`example.com/b.TestPlan`"+` failed.

OpenTofu 1.8.0: `+"`example.com/a.TestFunctions`"+` failed.
`, page)
}

func TestRun_Fails(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]string{"": "has no results", "terraform.json": "is not named by a CLI", "packer-1.2.3.json": "is not named by a CLI", "tofu-1.8.0.json": "has no test"} {
		dir := t.TempDir()
		if name != "" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("{}\n"), 0o600))
		}
		_, err := run(dir, "main_test.go")
		require.ErrorContains(t, err, says, name)
	}
}
