package acceptance

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// drill is a row of the table: its name, the command, what runs next, and what the CLI says.
var drill = regexp.MustCompile("(?m)^\\| (.+) \\| `(simulate do .+)` \\| `(terraform .+)` \\| (.+) \\|$")

// Each drill of the guide, as it is printed.
func TestDocs_Drills(t *testing.T) {
	t.Parallel()
	rc, binary := mirrorOf(t, testVersion)
	base := t.TempDir()
	write(t, filepath.Join(base, "main.tf"), readFile(t, "examples/simulator/drills/main.tf"))
	runCLI(t, base, rc, "init", "-no-color", "-input=false")
	runCLI(t, base, rc, "apply", "-no-color", "-input=false", "-auto-approve")
	page := readFile(t, "docs/guides/simulator.md")
	drills := drill.FindAllStringSubmatch(page, -1)
	for _, row := range drills {
		t.Run(row[1], func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, os.DirFS(base)))
			cmd := exec.Command("sh", "-c", "'"+binary+"' "+row[2])
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", row[2], err, out)
			}
			words := strings.Fields(row[3])[1:]
			said, _ := tryCLI(t, dir, rc, append(words, "-no-color", "-input=false")...)
			if !strings.Contains(plainWords(said), row[4]) {
				t.Errorf("%s, then %s, does not say %q:\n%s", row[2], row[3], row[4], said)
			}
		})
	}
	rows := strings.Count(page, "| `simulate do ")
	require.Len(t, drills, rows, "of drills were run")
	assert.GreaterOrEqual(t, rows, 10, "%d of drills were run", len(drills))
}
