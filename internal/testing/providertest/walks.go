package providertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Walks are the walks of one resource in one process.
type Walks struct {
	Typ     string
	Config  func(round int) Values
	Other   func(round int) Values // planned and not applied, nil for none
	Update  func(round int) Values // applied after the create, nil for none
	Importe func(w *Walker) string // how it is imported, nil if it cannot be

	Created, Updated, Destroyed []string // summaries that a plan announces
	Again                       string   // the error of a second create with the same values, "" for none
}

func (w *Walker) Round(t *testing.T, c Walks, round int) {
	t.Helper()
	at := func(what string) string { return fmt.Sprintf("round %d, %s", round, what) }
	want := func(what string, told Diagnostics, summaries []string) {
		t.Helper()
		if host, ok := c.Config(round)["domain"].(string); ok {
			summaries = slices.Clone(summaries)
			for i := range summaries {
				summaries[i] = strings.ReplaceAll(summaries[i], "%s", host)
			}
		}
		if got := told.summaries(); !slices.Equal(got, slices.Sorted(slices.Values(summaries))) {
			t.Fatalf("%s: got %+v, want %q", at(what), told, summaries)
		}
	}
	plan := func(what string, config Values, summaries []string) []Step {
		t.Helper()
		steps, told := w.Plan(config)
		want(what, told, summaries)
		return steps
	}
	config := c.Config(round)
	plan("first plan", config, c.Created)
	if c.Other != nil {
		plan("plan with other values", c.Other(round), c.Created)
	}
	plan("second plan", config, c.Created)
	want("apply", w.Apply(config), nil)
	still := func(what string, config Values) {
		t.Helper()
		want(what+", read", w.Read(), nil)
		if steps := plan(what+", plan", config, nil); !w.Unchanged(steps) {
			t.Fatalf("%s: a change: %s, was %s", at(what), steps[0].planned, w.State)
		}
	}
	still("after the create", config)
	if c.Update != nil {
		config = c.Update(round)
		plan("plan of the update", config, c.Updated)
		plan("plan of the old values", c.Config(round), nil)
		want("update", w.Apply(config), nil)
		still("after the update", config)
	}
	if c.Importe != nil {
		want("import", w.ImportBy(c.Importe(w)), nil)
		if steps, told := w.Plan(config); AnyErrors(told) || len(steps) != 1 {
			t.Fatalf("%s: got %+v, %d steps", at("plan after the import"), told, len(steps))
		}
		if told := w.Apply(config); AnyErrors(told) {
			t.Fatalf("%s: got %+v", at("apply after the import"), told)
		}
		still("after the import", config)
	}
	plan("plan of the destroy", nil, c.Destroyed)
	want("destroy", w.Apply(nil), nil)
	if !w.State.IsNull() {
		t.Fatalf("%s: a state is left", at("destroy"))
	}
	w.private, w.identity = nil, nil
	if c.Again == "" {
		plan("plan after the destroy", config, c.Created)
		return
	}
	if _, told := w.Plan(config); len(told) != 1 || told[0].Severity != "error" || told[0].Summary != c.Again {
		t.Fatalf("%s: got %+v, want %q", at("plan after the destroy"), told, c.Again)
	}
}
