package coretest

import (
	"maps"
	"slices"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// shrink removes from a walk what it does not need to fail, one thing after another, for a number of tries.
func shrink(steps []promiseStep, tries int, fails func([]promiseStep) bool) []promiseStep {
	for progress := true; progress && tries > 0; {
		progress = false
		for _, smaller := range reductions(steps) {
			tries--
			if tries < 0 {
				break
			}
			if fails(smaller) {
				steps, progress = smaller, true
				break
			}
		}
	}
	return steps
}

// reductions are walks without one thing: a form, a step, one of its acts or one of its options. The last step comes first,
// because the steps after a failure are never needed.
func reductions(steps []promiseStep) [][]promiseStep {
	var out [][]promiseStep
	if len(steps) > 0 && steps[0].forms != nil {
		out = append(out, inForms(steps, nil))
	}
	for i := range slices.Backward(steps) {
		out = append(out, slices.Delete(slices.Clone(steps), i, i+1))
	}
	with := func(i int, change func(*promiseStep)) {
		smaller := slices.Clone(steps)
		change(&smaller[i])
		out = append(out, smaller)
	}
	for i := range slices.Backward(steps) {
		for n := range steps[i].edits {
			with(i, func(s *promiseStep) { s.edits = without(s.edits, n) })
		}
		for n := range steps[i].before {
			with(i, func(s *promiseStep) { s.before = without(s.before, n) })
		}
		for n := range steps[i].between {
			with(i, func(s *promiseStep) { s.between = without(s.between, n) })
		}
		for _, simplify := range steps[i].simplifications() {
			with(i, simplify)
		}
	}
	if len(steps) > 0 {
		for name := range steps[0].forms {
			fewer := maps.Clone(steps[0].forms)
			delete(fewer, name)
			out = append(out, inForms(steps, fewer))
		}
	}
	return out
}

func inForms(steps []promiseStep, forms simulator.Forms) []promiseStep {
	out := slices.Clone(steps)
	for i := range out {
		out[i].forms = forms
	}
	return out
}

func without(acts []act, n int) []act { return slices.Delete(slices.Clone(acts), n, n+1) }

// simplifications are the options of a step that are set, each with a function that removes it.
func (s promiseStep) simplifications() []func(*promiseStep) {
	var out []func(*promiseStep)
	for set, simplify := range map[*bool]func(*promiseStep){
		&s.options.destroy:        func(s *promiseStep) { s.options.destroy = false },
		&s.options.noRefresh:      func(s *promiseStep) { s.options.noRefresh = false },
		&s.options.minimalRefresh: func(s *promiseStep) { s.options.minimalRefresh = false },
		&s.options.stale:          func(s *promiseStep) { s.options.stale = false },
		&s.options.sameProcess:    func(s *promiseStep) { s.options.sameProcess = false },
		&s.other:                  func(s *promiseStep) { s.other = false },
	} {
		if *set {
			out = append(out, simplify)
		}
	}
	if s.again > 0 {
		out = append(out, func(s *promiseStep) { s.again = 0 })
	}
	if len(s.replace) > 0 {
		out = append(out, func(s *promiseStep) { s.replace = nil })
	}
	return out
}
