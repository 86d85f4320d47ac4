package acceptance

import (
	"os"
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
	base := newProject(t, "examples/simulator/drills/main.tf")
	base.Apply().WantOK(t)
	page := readFile(t, "docs/guides/simulator.md")
	drills := drill.FindAllStringSubmatch(page, -1)
	for _, row := range drills {
		t.Run(row[1], func(t *testing.T) {
			t.Parallel()
			p := newProject(t, base.Dir+"/.")
			out, err := bash(p.Dir, os.Environ(), "'"+binaryOf(t)+"' "+row[2])
			require.NoError(t, err, "%s:\n%s", row[2], out)
			p.Run(append(strings.Fields(row[3])[1:], "-no-color", "-input=false")...).WantText(t, row[4])
		})
	}
	rows := strings.Count(page, "| `simulate do ")
	require.Len(t, drills, rows, "of drills were run")
	assert.GreaterOrEqual(t, rows, 10, "%d of drills were run", len(drills))
}
