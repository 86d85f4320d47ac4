// Package texttable reads the tables of tests.
package texttable

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Rows returns the cells of each line of a text, which " | " separates. Empty lines are skipped, and "" is an empty cell.
func Rows(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		cells := strings.Split(line, " | ")
		for i, cell := range cells {
			cells[i] = strings.TrimPrefix(strings.TrimSpace(cell), `""`)
		}
		rows = append(rows, cells)
	}
	return rows
}

// Run runs a test for each row of a table, in parallel. The first cell is its name.
func Run(t *testing.T, table string, test func(t *testing.T, row []string)) {
	t.Helper()
	rows := Rows(table)
	for _, row := range rows {
		require.Len(t, row, len(rows[0]), "%q has other cells than the first row", row)
		t.Run(row[0], func(t *testing.T) {
			t.Parallel()
			test(t, row)
		})
	}
}
