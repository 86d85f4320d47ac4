package check_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/check"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
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
	whole := run(t, newService())
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
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"unknown flag":    {[]string{"-verbose"}, "flag provided but not defined: -verbose; see terraform-provider-reseller check -h"},
		"argument":        {[]string{"now"}, `unexpected argument "now"`},
		"unknown format":  {[]string{"-format", "yaml"}, "values are text, markdown and json"},
		"replay with out": {[]string{"-replay", at("cut.json"), "-out", at("x")}, "-replay takes neither -out nor -label"},
		"no settings":     {nil, "Set RESELLER_BASE_URL"},
		"no file":         {[]string{"-replay", at("no.json")}, "no.json"},
		"directory":       {[]string{"-replay", dir}, "is not a regular file"},
		"cut":             {[]string{"-replay", at("cut.json")}, "is not a whole transcript"},
		"empty":           {[]string{"-replay", at("empty.json")}, "is not a transcript"},
		"text":            {[]string{"-replay", at("text.json")}, "is not a transcript"},
		"list":            {[]string{"-replay", at("list.json")}, "is not a transcript"},
		"foreign":         {[]string{"-replay", at("foreign.json")}, "is not a transcript of this version"},
		"newer":           {[]string{"-replay", at("newer.json")}, "is not a transcript of this version"},
		"no exchange":     {[]string{"-replay", at("none.json")}, "0 exchanges"},
		"many exchanges":  {[]string{"-replay", at("many.json")}, "41 exchanges"},
		"huge":            {[]string{"-replay", at("huge.json")}, "more than 64 MB"},
	} {
		got := main(t, tc.args...)
		if got.status != 1 || got.out != "" || !strings.Contains(got.said, tc.want) || strings.Count(got.said, "\n") != 1 {
			t.Errorf("%s: status %d\n%s\n%s", name, got.status, got.out, got.said)
		}
	}
	s := newService()
	if got := run(t, s, "-out", at("exists.json")); got.status != 1 || len(s.calls) > 0 || !strings.Contains(got.said, "overwrites nothing") {
		t.Errorf("an existing file: status %d, %d calls\n%s", got.status, len(s.calls), got.said)
	}
	got := run(t, s, "-out", at("no/such/dir.json"))
	assert.Equal(t, 1, got.status, "no directory: status, %d calls\n%s", len(s.calls), got.said)
	assert.Empty(t, s.calls, "no directory: status %d, calls\n%s", got.status, got.said)
	mine, _ := os.ReadFile(at("exists.json"))
	assert.Equal(t, "mine", string(mine), "the file was changed")
}

func TestMain_Formats(t *testing.T) {
	t.Parallel()
	s := func() *service {
		return newService(change(path("GET", "/private-labels"), `"primaryHost":"sign.babbage.example",`, ""))
	}
	for format, want := range map[string][]string{
		"text": {
			"1 of 18 endpoints cannot be used (", "\n  as documented     POST /api/v1/auth/token\n",
			"\n  cannot be used    GET …/private-labels\n                      the response has no privateLabels[1].primaryHost that this version can find\n" +
				"                      needed by every resource of a private label\n",
			"\n  get                Which method reads one package or add-on: POST with ",
		},
		"markdown": {
			"## 1 of 18 endpoints cannot be used (", "\n- **as documented**: `POST /api/v1/auth/token`\n",
			"\n- **cannot be used**: `GET …/private-labels`\n  - the response has no privateLabels[1].primaryHost that this version can find\n",
			"\n- Which method reads one package or add-on (`get`): POST with",
		},
	} {
		got := run(t, s(), "-format", format)
		for _, part := range want {
			assert.Contains(t, got.out, part, "%s: no", format)
		}
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
