// Package texttable reads the tables of tests.
package texttable

import "strings"

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
