package effect

import (
	"fmt"
	"maps"
	"slices"
)

// Step is one call of an apply, or a few that belong together.
type Step interface {
	// Key says what the step does to what, such as "attach SEATS 5". An apply takes no step whose key its plan did not
	// announce.
	Key() string
}

// Counted is a step that takes things away by number, such as the members of a private label. An apply takes it only if
// its plan announced at least as many of each.
type Counted interface {
	Step
	Counts() map[string]int
}

// Announcement counts what a plan announced: each step by its key, and what the steps remove.
type Announcement map[string]int

// Announce returns what a plan with these steps announces.
func Announce[S Step](steps []S) Announcement {
	a := Announcement{}
	for _, s := range steps {
		maps.Copy(a, countsOf(s))
	}
	return a
}

func countsOf(s Step) map[string]int {
	counts := map[string]int{}
	if counted, ok := s.(Counted); ok {
		maps.Copy(counts, counted.Counts())
	}
	counts[s.Key()] = 1
	return counts
}

// Beyond says what a step does that the plan did not announce, "" for nothing.
func (a Announcement) Beyond(s Step) string {
	if a[s.Key()] == 0 {
		return s.Key()
	}
	counts := countsOf(s)
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		if counts[what] > a[what] {
			return fmt.Sprintf("%s with %d %s, where the plan announced %d", s.Key(), counts[what], what, a[what])
		}
	}
	return ""
}
