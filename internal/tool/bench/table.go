package main

import (
	"fmt"
	"io"
	"strings"
)

// table prints Markdown tables and counts the budgets that are exceeded.
type table struct {
	w        io.Writer
	exceeded int
}

func (t *table) head(title string, columns ...string) {
	fmt.Fprintf(t.w, "\n### %s\n\n", title)
	t.row(columns...)
	t.row(strings.Split(strings.Repeat("---,", len(columns)-1)+"---", ",")...)
}

func (t *table) row(cells ...string) {
	fmt.Fprintf(t.w, "| %s |\n", strings.Join(cells, " | "))
}

// budget returns the cell of a budget.
func (t *table) budget(text string, kept bool) string {
	if kept {
		return text + ": kept"
	}
	t.exceeded++
	return text + ": **exceeded**"
}

func seconds(s float64) string {
	return fmt.Sprintf("%.2f s", s)
}

func times(ratio float64) string {
	return fmt.Sprintf("%.2fx", ratio)
}

func megabytes(bytes float64) string {
	if bytes == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f MB", bytes/1e6)
}
