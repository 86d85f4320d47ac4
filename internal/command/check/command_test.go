package check_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/check"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
)

// main runs the command without a service.
func main(t *testing.T, args ...string) outcome {
	t.Helper()
	return started(t.Context(), func() (check.Settings, error) {
		return check.Settings{}, errors.New("Missing base_url. Set RESELLER_BASE_URL")
	}, args...)
}

func TestMain_Help(t *testing.T) {
	t.Parallel()
	got := main(t, "-h")
	assert.Equal(t, 0, got.status, "status\n%s\n%s", got.out, got.said)
	assert.Empty(t, got.said, "status %d\n%s", got.status, got.out)
	assert.Equal(t, 4, strings.Count(got.out, "\n  -"), "status %d\n%s\n%s", got.status, got.out, got.said)
}

// Bad input ends with status 1 and one sentence, before any call.
func TestMain_BadInput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	whole := run(t, newService(""))
	files := map[string]string{
		"cut.json": whole.fileContent[:len(whole.fileContent)/2], "empty.json": "", "foreign.json": `{"resources":[]}`, "text.json": "Hello",
		"none.json": `{"format":"terraform-provider-reseller check 1","exchanges":[]}`, "list.json": `[1]`,
		"many.json":   `{"format":"terraform-provider-reseller check 1","exchanges":[` + strings.Repeat(`{},`, 40) + `{}]}`,
		"newer.json":  strings.Replace(whole.fileContent, "check 1", "check 2", 1),
		"exists.json": "mine",
	}
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	huge, err := os.Create(filepath.Join(dir, "huge.json"))
	if err != nil || huge.Truncate(1<<40) != nil || huge.Close() != nil {
		t.Skip("no sparse files")
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, row := range texttable.Rows(strings.ReplaceAll(`
		-verbose                        | flag provided but not defined: -verbose; see terraform-provider-reseller check -h
		now                             | unexpected argument "now"
		-format yaml                    | values are text, markdown and json
		-replay DIR/cut.json -out DIR/x | -replay takes neither -out nor -label
		-format json                    | Set RESELLER_BASE_URL
		-replay DIR/no.json             | no.json
		-replay DIR                     | is not a regular file
		-replay DIR/cut.json            | is not a whole transcript
		-replay DIR/empty.json          | is not a transcript
		-replay DIR/text.json           | is not a transcript
		-replay DIR/list.json           | is not a transcript
		-replay DIR/foreign.json        | is not a transcript of this version
		-replay DIR/newer.json          | is not a transcript of this version
		-replay DIR/none.json           | 0 exchanges
		-replay DIR/many.json           | 41 exchanges
		-replay DIR/huge.json           | more than 64 MB
	`, "DIR", dir)) {
		got := main(t, strings.Fields(row[0])...)
		assert.Equal(t, outcome{status: 1, said: got.said}, got, row[0])
		assert.Regexp(t, `^[^\n]*`+regexp.QuoteMeta(row[1])+`[^\n]*\n$`, got.said)
	}
	for out, want := range map[string]string{at("exists.json"): "overwrites nothing", at("no/such/dir.json"): "no such"} {
		s := newService("")
		got := run(t, s, "-out", out)
		assert.Equal(t, 1, got.status, got.said)
		assert.Contains(t, got.said, want)
		assert.Empty(t, s.calls, want)
	}
	mine, _ := os.ReadFile(at("exists.json"))
	assert.Equal(t, "mine", string(mine), "the file was changed")
}

func TestMain_Formats(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "markdown"} {
		got := run(t, newService(`data GET …/private-labels | "primaryHost":"sign.babbage.example",`), "-format", format)
		goldentest.Check(t, "testdata/formats/"+format+".txt", got.out)
	}
}

// The folder has transcripts of real APIs: add one that you receive, with the report that was right. The
// first are of the simulator.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "transcripts", "*.json"))
	require.NoError(t, err, "%d transcripts", len(files))
	require.NotEmpty(t, files, "%d transcripts, %v", len(files), err)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			got := replay(t, file)
			golden := strings.TrimSuffix(file, ".json") + ".txt"
			goldentest.Check(t, golden, got.out)
			if t.Failed() {
				t.Logf("status %d\n%s", got.status, got.said)
			}
		})
	}
}
