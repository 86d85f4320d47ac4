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
	differences := Differences(string(raw), got)
	for _, difference := range differences {
		t.Errorf("%s, - is the file, + is what the test got:\n%s", file, difference)
	}
	if len(differences) > 0 {
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

// Part is a part of a file that begins with "== name".
type Part struct{ Name, Text string }

// Parts returns the parts of a text, and what precedes them.
func Parts(text string) (intro string, out []Part) {
	intro, rest, found := strings.Cut(text, begin)
	for found {
		var part string
		part, rest, found = strings.Cut(rest, begin)
		name, body, _ := strings.Cut(part, "\n")
		out = append(out, Part{name, body})
	}
	return intro, out
}

// Given returns what precedes the line "--" in the text of a part.
func Given(text string) string {
	given, _, _ := strings.Cut("\n"+text, "\n--")
	return strings.TrimPrefix(given, "\n")
}

// Rewrite makes the text of each part of a file, in parallel, and compares the file with that.
func Rewrite(t *testing.T, file string, write func(t *testing.T, part Part) string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	out, parts := Parts(string(raw))
	texts := make([]string, len(parts))
	t.Run(filepath.Base(file), func(t *testing.T) {
		for i, part := range parts {
			t.Run(part.Name, func(t *testing.T) {
				t.Parallel()
				texts[i] = write(t, part)
			})
		}
	})
	for i, part := range parts {
		out += begin + part.Name + "\n" + texts[i]
	}
	Check(t, file, out)
}

// Answer makes what follows the line "--" in each part of a file, of what precedes it.
func Answer(t *testing.T, file string, answer func(t *testing.T, name, given string) string) {
	t.Helper()
	Rewrite(t, file, func(t *testing.T, part Part) string {
		given := Given(part.Text)
		if given != "" {
			given += "\n"
		}
		return given + "--\n" + answer(t, part.Name, strings.TrimSuffix(given, "\n"))
	})
}

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
