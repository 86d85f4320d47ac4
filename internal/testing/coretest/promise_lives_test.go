package coretest

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
)

//go:embed testdata/lives.txt
var writtenLives string

// numbers that have names in testdata/lives.txt: of promisePolicies, the packages and the add-ons.
var numbers = map[string]int{"PREVENT": 1, "SUSPEND": 2, "ABANDON": 3, "DEPROVISION": 4, "BASIC": 0, "HUGE": 2, "DOCS": 0, "EXTRA": 2}

// lives are walks that announce every topic, so that a few seeds are sufficient in addition.
func lives(t *testing.T) map[string][]promiseStep {
	t.Helper()
	all := map[string][]promiseStep{}
	_, written := goldentest.Parts(writtenLives)
	for _, life := range written {
		for _, cells := range texttable.Rows(life.Text) {
			all[life.Name] = append(all[life.Name], stepOf(t, cells))
		}
	}
	return all
}

func stepOf(t *testing.T, cells []string) promiseStep {
	t.Helper()
	s := promiseStep{edits: actsOf(t, cells[0])}
	for _, cell := range cells[1:] {
		what, acts, _ := strings.Cut(cell, ": ")
		switch what {
		case "before":
			s.before = actsOf(t, acts)
		case "between":
			s.between = actsOf(t, acts)
		case "other":
			s.other = true
		case "replace":
			s.replace = []int{0}
		case "without refresh":
			s.options.noRefresh = true
		case "destroy":
			s.options.destroy = true
		default:
			require.Fail(t, "no step has this", cell)
		}
	}
	return s
}

// actsOf are acts as a log has them: "add-on 0 DOCS 2; drop label", and "-" for none.
func actsOf(t *testing.T, text string) (acts []act) {
	t.Helper()
	for words := range strings.SplitSeq(strings.TrimPrefix(text, "-"), "; ") {
		var kind []string
		var given [3]int
		n := 0
		for word := range strings.FieldsSeq(words) {
			number, isNamed := numbers[word]
			if parsed, err := strconv.Atoi(word); err == nil {
				number, isNamed = parsed, true
			}
			if !isNamed {
				kind = append(kind, word)
				continue
			}
			given[n] = number
			n++
		}
		if len(kind) == 0 {
			continue
		}
		a := act{strings.Join(kind, " "), given[0], given[1], given[2]}
		require.True(t, a.isTrouble() || slices.ContainsFunc(slices.Concat(editKinds, moveKinds), func(k actKind) bool { return k.name == a.kind }), "no act is called %q", a.kind)
		acts = append(acts, a)
	}
	return acts
}
