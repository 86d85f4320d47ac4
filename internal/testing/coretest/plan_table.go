package coretest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// PlanCase is one plan of one resource instance, without a CLI: what was applied before, what changed outside of
// Terraform since, and what is planned.
type PlanCase[E any] struct {
	Name   string
	Before func(E) providertest.Values // nil for a create
	Act    func(E) error               // nil for nothing
	Config func(E) providertest.Values // nil for a destroy
}

// Planner is a test environment that serves the protocol.
type Planner interface{ Protocol() *providertest.Protocol }

// Given is a configuration that does not depend on its environment.
func Given[E any](v providertest.Values) func(E) providertest.Values {
	return func(E) providertest.Values { return v }
}

// PlanTable plans each case in its own environment, and compares what the plans say and change with
// testdata/plans/TYPE.golden. RESELLER_UPDATE_GOLDEN=1 writes that file.
func PlanTable[E Planner](t *testing.T, typ string, newEnv func(*testing.T) E, cases []PlanCase[E]) {
	t.Helper()
	var out strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&out, "== %s\n%s\n", c.Name, plannedCase(t, typ, newEnv(t), c))
	}
	goldentest.Check(t, filepath.Join("testdata", "plans", typ+".golden"), out.String())
}

func plannedCase[E Planner](t *testing.T, typ string, env E, c PlanCase[E]) string {
	t.Helper()
	before := NewWalker(t, env.Protocol(), typ)
	if c.Before != nil {
		told := before.Apply(c.Before(env))
		require.False(t, providertest.AnyErrors(told), "%s: %+v", c.Name, told)
	}
	if c.Act != nil {
		require.NoError(t, c.Act(env), c.Name)
	}
	w := NewWalker(t, env.Protocol(), typ) // a separate process, as a plan has
	w.Take(before)
	var out strings.Builder
	out.WriteString(describe(w.Read()))
	var config providertest.Values
	if c.Config != nil {
		config = c.Config(env)
	}
	p, told := w.PlanFor(config, false)
	out.WriteString(describe(told))
	if p == nil {
		return masked(out.String())
	}
	switch ch := p.changes[w.address]; {
	case ch == nil:
		out.WriteString("no changes\n")
	case ch.replaced:
		out.WriteString("must be replaced\n" + changes(w.State(), ch.planned))
	default:
		out.WriteString(changes(w.State(), ch.planned))
	}
	return masked(out.String())
}

// describe writes diagnostics, the details indented.
func describe(told providertest.Diagnostics) string {
	var lines []string
	for _, d := range told {
		at := ""
		if d.Attribute != "" {
			at = " at " + d.Attribute
		}
		var text strings.Builder
		fmt.Fprintf(&text, "%s%s: %s\n", d.Severity, at, d.Summary)
		for line := range strings.Lines(d.Detail) {
			text.WriteString(strings.TrimRight("  "+line, " \n") + "\n")
		}
		lines = append(lines, text.String())
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// changes writes the attributes that a plan changes.
func changes(prior, planned tftypes.Value) string {
	if planned.IsNull() {
		return "is destroyed\n"
	}
	before, after := providertest.Members(prior), providertest.Members(planned)
	var lines []string
	for name, value := range after {
		was, existed := before[name]
		switch {
		case existed && was.Equal(value), !existed && value.IsNull():
		case existed:
			lines = append(lines, fmt.Sprintf("~ %s: %s -> %s\n", name, shown(was), shown(value)))
		default:
			lines = append(lines, fmt.Sprintf("+ %s = %s\n", name, shown(value)))
		}
	}
	if len(lines) == 0 {
		return "no changes\n"
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func shown(v tftypes.Value) string {
	if !v.IsKnown() {
		return "(known after apply)"
	}
	if !v.IsFullyKnown() {
		return "(partly known after apply)"
	}
	text, err := json.Marshal(providertest.Plain(v))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

var (
	anyID     = regexp.MustCompile(`\b[0-9a-f]{32}\b`)
	anyDigest = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	anyDir    = regexp.MustCompile(regexp.QuoteMeta(os.TempDir()) + `/\S+?/\d{3}/`)
)

// masked replaces what differs between runs and between Go releases.
func masked(text string) string {
	text = anyDir.ReplaceAllString(text, "DIR/")
	return anyID.ReplaceAllString(anyDigest.ReplaceAllString(text, "DIGEST"), "ID")
}
