// Package goldentest compares texts with files that are reviewed.
package goldentest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Check fails with the lines that differ from a file, old and new. Parts that begin with "== name" are compared one by one.
// RESELLER_UPDATE_GOLDEN=1 writes the file.
func Check(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("RESELLER_UPDATE_GOLDEN") != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o750))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
		return
	}
	raw, err := os.ReadFile(file)
	require.NoError(t, err, "RESELLER_UPDATE_GOLDEN=1 writes it")
	for _, difference := range Differences(string(raw), got) {
		t.Errorf("%s, - is the file, + is what the test got:\n%s", file, difference)
	}
	if t.Failed() {
		t.Log("If the new text is right, run the test with RESELLER_UPDATE_GOLDEN=1, and review the file.")
	}
}

// Differences of two texts, each with the name of its part.
func Differences(old, now string) (out []string) {
	names, before, after := []string{}, parts(old), parts(now)
	for _, text := range []string{now, old} {
		for part := range strings.SplitSeq("\n"+text, begin) {
			names = append(names, firstLine(part))
		}
	}
	for _, name := range names {
		if lines := diff(before[name], after[name]); lines != "" {
			out = append(out, strings.TrimSpace("== "+name)+"\n"+lines)
		}
		before[name] = after[name] // compared
	}
	return out
}

const begin = "\n== "

// parts are the lines of each part by its name.
func parts(text string) map[string][]string {
	out := map[string][]string{}
	for part := range strings.SplitSeq("\n"+strings.TrimRight(text, "\n"), begin) {
		out[firstLine(part)] = strings.Split(strings.TrimRight(part, "\n"), "\n")
	}
	return out
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// diff returns the lines that only one of two lists has, each with the line before it; "" if they are equal.
func diff(old, now []string) string {
	// common[i][j] is the number of lines that old[i:] and now[j:] have in common.
	common := make([][]int, len(old)+1)
	for i := len(old); i >= 0; i-- {
		common[i] = make([]int, len(now)+1)
		for j := len(now) - 1; j >= 0 && i < len(old); j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); old[i] == now[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var out strings.Builder
	line := func(sign, text string) { out.WriteString(sign + " " + text + "\n") }
	shown := -1 // the last line of old that is in the output
	for i, j := 0, 0; i < len(old) || j < len(now); {
		if i < len(old) && j < len(now) && old[i] == now[j] {
			i, j = i+1, j+1
			continue
		}
		if i > 0 && shown < i-1 {
			line(" ", old[i-1])
		}
		if i < len(old) && (j == len(now) || common[i+1][j] >= common[i][j+1]) {
			line("-", old[i])
			i++
		} else {
			line("+", now[j])
			j++
		}
		shown = i - 1
	}
	return out.String()
}
