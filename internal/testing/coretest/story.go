package coretest

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Stage is where the stories of a type happen.
type Stage struct {
	Env     *providertest.TestEnv
	Address string                       // of the resource that they are about
	Routes  map[string]string            // by the names that stories use
	Config  string                       // what is declared
	Verbs   map[string]func(rest string) // steps of the type: what is declared, and what happens outside of Terraform
	// Happened describes what was written since the last apply, of which it gets the books, and what is there.
	Happened func(books []simulator.Entry) string
}

// Stories runs the stories in testdata/stories and compares what a user sees with the files. A story begins with "== NAME", its
// steps with "$ ", and what follows a step is what it says; RESELLER_UPDATE_GOLDEN=1 writes that. The steps of all types:
//
//	form NAME=VALUE             a form of the API, before all other steps
//	given WORDS                 what "config WORDS" declares has been applied
//	plan [OPTION]               plans; "apply saved" applies it
//	apply [OPTION], destroy     plans and applies
//	refresh, taint, untaint     what the commands of these names do
//	console WORDS               a move of `simulate do`
//	fault ROUTE KIND [after] [skip=N] [times=N], clear
//	                            makes every call of a route fail, until it is cleared
//	before ROUTE: STEP, after ROUTE: STEP
//	                            makes the step while the next call of the route is under way
//	wait DURATION               moves the clock
//	state NAME...               prints attributes in state
func Stories(t *testing.T, stage func(*testing.T, simulator.Forms) *Stage) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "stories", "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		goldentest.Rewrite(t, file, func(t *testing.T, story goldentest.Part) string { return tell(t, story.Text, stage) })
	}
}

// story is one of them under way.
type story struct {
	*Stage
	t    *testing.T
	c    *Workspace
	out  strings.Builder
	hook bool // a step waits for a call
	seen int  // entries of the books
}

func tell(t *testing.T, text string, stage func(*testing.T, simulator.Forms) *Stage) string {
	t.Helper()
	forms := simulator.Forms{}
	var steps []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		step, isStep := strings.CutPrefix(line, "$ ")
		form, isForm := strings.CutPrefix(step, "form ")
		switch name, value, _ := strings.Cut(form, "="); {
		case isForm:
			forms[name] = value
			steps = append(steps, step)
		case isStep, strings.HasPrefix(line, "#"):
			steps = append(steps, strings.TrimPrefix(line, "$ "))
		}
	}
	s := &story{Stage: stage(t, forms), t: t}
	s.c = New(t, s.Env)
	s.seen = len(s.Env.Sim.Books())
	for _, step := range steps {
		if strings.HasPrefix(step, "#") {
			s.out.WriteString(step + "\n")
			continue
		}
		s.out.WriteString("$ " + step + "\n")
		s.step(step)
	}
	return masked(s.out.String())
}

func (s *story) step(step string) {
	s.t.Helper()
	verb, rest, _ := strings.Cut(step, " ")
	own := s.Verbs[verb]
	switch {
	case own != nil:
		own(rest)
		s.c.Config(s.Config)
	case verb == "form":
	case verb == "given":
		s.step("config " + rest)
		s.c.Apply().WantOK(s.t)
		s.happened()
	case verb == "plan":
		r := s.c.Plan(strings.Fields(rest)...)
		s.says(r.Diagnostics)
		if r.Code == 0 {
			s.out.WriteString("no changes\n")
		}
	case verb == "apply" && rest == "saved":
		s.applied(s.c.ApplySaved())
	case verb == "apply":
		s.applied(s.c.Apply(strings.Fields(rest)...))
	case verb == "destroy":
		s.applied(s.c.Destroy(strings.Fields(rest)...))
	case verb == "refresh":
		s.c.Refresh()
	case verb == "taint", verb == "untaint":
		s.c.Taint(s.Address, verb == "taint")
	case verb == "console":
		require.NoError(s.t, s.Env.Sim.Do(strings.Fields(rest)...), step)
	case verb == "fault":
		s.fault(strings.Fields(rest))
	case verb == "clear":
		s.Env.Sim.ClearFaults()
	case verb == "before", verb == "after":
		name, then, _ := strings.Cut(rest, ": ")
		s.hook = true
		s.Env.Sim.Inject(simulator.Fault{Route: s.route(name), After: verb == "after", Hook: func() { s.step(then) }})
	case verb == "wait":
		d, err := time.ParseDuration(rest)
		require.NoError(s.t, err)
		s.Env.Sim.Clock().Advance(d)
	case verb == "state":
		for name := range strings.FieldsSeq(rest) {
			fmt.Fprintf(&s.out, "%s = %v\n", name, s.c.State()[s.Address].Attributes[name])
		}
	default:
		s.t.Fatalf("%q is no step", step)
	}
}

func (s *story) fault(words []string) {
	s.t.Helper()
	kind, known := simulator.FaultNamed(words[1])
	require.True(s.t, known, words)
	f := simulator.Fault{Route: s.route(words[0]), Kind: kind, Times: -1}
	for _, word := range words[2:] {
		name, value, _ := strings.Cut(word, "=")
		n, err := strconv.Atoi(cmp.Or(value, "0"))
		require.NoError(s.t, err)
		switch name {
		case "after":
			f.After = true
		case "skip":
			f.Skip = n
		case "times":
			f.Times = n
		default:
			s.t.Fatalf("a fault is not %q", word)
		}
	}
	s.Env.Sim.Inject(f)
}

func (s *story) route(name string) string {
	s.t.Helper()
	require.NotEmpty(s.t, s.Routes[name], "a route for %q", name)
	return s.Routes[name]
}

// applied prints what an apply says and does, and what is in state afterwards.
func (s *story) applied(r providertest.Result) {
	s.t.Helper()
	s.says(r.Diagnostics)
	if r.Code == 0 {
		summary, _, _ := strings.Cut(r.Out, "\n")
		s.out.WriteString(summary + "\n")
	}
	if s.hook {
		s.Env.WantFault()
		s.hook = false
	}
	s.out.WriteString(s.happened())
	switch stored, found := s.c.State()[s.Address]; {
	case !found:
		s.out.WriteString("in state: no\n")
	case stored.Status != "":
		s.out.WriteString("in state: " + stored.Status + "\n")
	}
}

func (s *story) happened() string {
	books := s.Env.Sim.Books()
	said := s.Happened(books[s.seen:])
	s.seen = len(books)
	s.Env.Sim.ResetJournal()
	return said
}

// says prints each diagnostic once: an apply plans again.
func (s *story) says(told providertest.Diagnostics) {
	var once providertest.Diagnostics
	for _, d := range told {
		if !slices.Contains(once, d) {
			once = append(once, d)
		}
	}
	s.out.WriteString(describe(once))
}
