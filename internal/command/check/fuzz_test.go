package check_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// No transcript makes a replay panic or end without a report or a sentence.
func FuzzReplay(f *testing.F) {
	raw, err := os.ReadFile(filepath.Join("testdata", "transcripts", "simulator.json"))
	require.NoError(f, err)
	whole := string(raw)
	f.Add(whole)
	for _, change := range [][2]string{
		{`"status": 200`, `"status": 0`},
		{`"response": {`, `"was": {`},
		{`"data": {`, `"data": [`},
		{`"primaryHost"`, `"failure"`},
		{`"path": "/console/dashboard"`, `"path": "%zz"`},
		{`"tenantId": "`, `"tenantId": "-`},
		{`"body": {`, `"text": "<html>", "was": {`},
		{`"slug": "`, `"slug": "..","was": "`},
		{`"RateLimit-Reset": "60"`, `"RateLimit-Reset": "1e99"`},
		{`"data": {`, `"data": null, "was": {`},
	} {
		f.Add(strings.ReplaceAll(whole, change[0], change[1]))
	}
	f.Fuzz(func(t *testing.T, content string) {
		file := filepath.Join(t.TempDir(), "transcript.json")
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		got := replay(t, file, "-format", "markdown")
		switch {
		case got.status == 1 && got.out == "" && strings.HasSuffix(got.said, "No file was written.\n"):
		case (got.status == 0 || got.status == 2) && strings.HasPrefix(got.out, "## "):
		default:
			t.Errorf("status %d\n%s\n%s", got.status, got.out, got.said)
		}
	})
}
