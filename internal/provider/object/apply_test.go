package object_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const changed = object.SummaryChanged

func bear(parts ...string) *config { return &config{name: "bear", parts: parts} }

func TestCreate(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	plan, told := r.plan(bear("arm", "leg"))
	told.want(t, isWarning(changes, "make bear, add arm, add leg"))
	planned := providertest.Members(plan.Planned())
	if planned["id"].IsKnown() || !planned["reseller"].Equal(tftypes.NewValue(tftypes.String, slug)) {
		t.Errorf("the plan is %s", plan.Planned())
	}
	r.apply(plan).want(t)
	r.wantCalls("make bear", "add arm", "add leg")
	assert.Equal(t, "arm=no-1 leg=no-2", r.attribute("serials"))
	_, told = r.plan(bear("arm", "leg"))
	told.want(t)
}

// A create takes the steps that are not in effect yet. Its planned values do not show what is live.
func TestCreate_Completes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		live  []string
		calls []string
	}{
		"all":  {[]string{"arm", "leg"}, nil},
		"some": {[]string{"leg"}, []string{"add arm"}},
		"none": {[]string{}, []string{"add arm", "add leg"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.put("bear", tc.live...)
			plan, told := r.plan(bear("arm", "leg"))
			told.want(t, isWarning(changes, "make bear, add arm, add leg (has "))
			assert.False(t, providertest.Members(plan.Planned())["id"].IsKnown(), "the plan has the live ID")
			r.apply(plan).want(t)
			r.wantCalls(tc.calls...)
			r.wantState("arm leg")
		})
	}
}

// A create changes and removes nothing: what does not fit is an error of the plan, and of the apply before its first
// call.
func TestCreate_Conflict(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	plan, _ := r.plan(bear("arm"))
	r.put("bear", "leg")
	r.apply(plan).want(t, isError("Toy has other parts", "import {"))
	_, told := r.plan(bear("arm"))
	told.want(t, isError("Toy has other parts", "import {"))
	r.wantCalls()
	assert.True(t, r.State().IsNull(), "the state is %s", r.State())
}

// A create of several steps that fails has no state, and the next one does the rest. Otherwise the first step makes the
// object, and a later failure is a warning.
func TestCreate_FailsHalfWay(t *testing.T) {
	t.Parallel()
	t.Run("resumes", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		r.fails["add leg"] = errInvalid
		r.runs(bear("arm", "leg")).want(t, isWarning(changes), isError("Step failed", "add leg after 2"))
		assert.True(t, r.State().IsNull(), "the state is %s", r.State())
		r.wantCalls("make bear", "add arm", "add leg")
		told := r.runs(bear("arm", "leg"))
		told[:1].want(t, isWarning(changes, "make bear, add arm, add leg (has arm)"))
		r.wantCalls("add leg")
		r.wantState("arm leg")
	})
	t.Run("does not resume", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, func(k *toyResource) { k.Resumes = false })
		r.fails["add leg"] = errServer
		told := r.runs(bear("arm", "leg"))
		told[len(told)-1:].want(t, isWarning("Step failed", "add leg after 2"))
		assert.False(t, told.failed(), "said %q, the state is %s", told, r.State())
		assert.Equal(t, "id-bear", r.attribute("id"), "said %q, the state is %s", told, r.State())
		assert.Equal(t, "arm leg", r.attribute("parts"), "said %q, the state is %s", told, r.State())
		r.read()
		r.wantState("arm")
		r.runs(bear("arm", "leg"))
		r.wantCalls("make bear", "add arm", "add leg", "add leg")
	})
	t.Run("at the first step", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, func(k *toyResource) { k.Resumes = false })
		r.fails["make bear"] = errInvalid
		r.runs(bear("arm")).want(t, isWarning(changes), isError("Step failed", "make bear after 0"))
		if !r.State().IsNull() || r.kept() != "" {
			t.Errorf("the state is %s, %s", r.State(), r.kept())
		}
	})
	t.Run("its response is lost", func(t *testing.T) {
		t.Parallel()
		r := newRig(t)
		r.fails["add arm"], r.after["add arm"] = errServer, true
		told := r.runs(bear("arm", "leg"))
		assert.False(t, told.failed(), "said %q", told)
		r.wantCalls("make bear", "add arm", "add leg")
		r.wantState("arm leg")
	})
	t.Run("it cannot be read", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, func(k *toyResource) { k.Resumes, k.ReadBeforeCreate, k.as = false, object.DontRead, unkeyed })
		r.meanwhile["add arm"] = func() { r.lookErr = errServer }
		told := r.runs(bear("arm"))
		told[len(told)-1:].want(t, isWarning(object.SummaryNotRead, "The toy bear is in state"))
		assert.Equal(t, "id-bear", r.attribute("id"), "the state is %s", r.State())
		assert.Equal(t, "arm=", r.attribute("serials"), "the state is %s", r.State())
	})
	t.Run("it exists, and is gone before the last read", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, func(k *toyResource) {
			k.Resumes = false
			look, looks := k.lookFor, 0
			k.lookFor = func(m *model, age inventory.Freshness) (*toy, error) {
				looks++
				if looks > 3 { // those of the two plans and of the apply
					return nil, nil
				}
				return look(m, age)
			}
		})
		r.toys["bear"] = &toy{"id-bear", map[string]string{"arm": ""}}
		plan, _ := r.plan(bear("arm"))
		r.apply(plan).want(t, isError(object.SummaryVanished, "The toy bear", "nothing is in state", "Apply again"))
		assert.True(t, r.State().IsNull(), "the state is %s", r.State())
	})
	t.Run("it cannot be read, and resumes", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, func(k *toyResource) { k.ReadBeforeCreate, k.as = object.DontRead, unkeyed })
		r.meanwhile["add arm"] = func() { r.lookErr = errServer }
		told := r.runs(bear("arm"))
		told[len(told)-1:].want(t, isError(object.SummaryNotRead, "Apply again"))
		assert.True(t, r.State().IsNull(), "the state is %s", r.State())
	})
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	r, _ := created(t, "")
	plan, told := r.plan(bear("leg", "tail"))
	told.want(t, isWarning(changes, "drop arm, add tail"))
	r.apply(plan).want(t)
	r.wantCalls("drop arm", "add tail")
	assert.Equal(t, "leg=no-2 tail=no-3", r.attribute("serials"))
}

// An apply that would have to do more than its plan announced does nothing. It does less if that is enough.
func TestUpdate_ChangedSinceThePlan(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*shop)
		want   []string
		calls  []string
	}{
		"one more":       {func(s *shop) { s.toys["bear"].parts["wing"] = "w" }, isError(changed, "The toy bear changed", "drop wing", "Nothing was changed"), nil},
		"one less":       {func(s *shop) { delete(s.toys["bear"].parts, "leg") }, isError(changed, "add leg"), nil},
		"one done":       {func(s *shop) { delete(s.toys["bear"].parts, "arm") }, nil, []string{"add tail"}},
		"all done":       {func(s *shop) { s.toys["bear"].parts = map[string]string{"leg": "no-2", "tail": "no-9"} }, nil, nil},
		"gone":           {func(s *shop) { delete(s.toys, "bear") }, isError(object.SummaryVanished, "The toy bear"), nil},
		"cannot be read": {func(s *shop) { s.lookErr = errServer }, isError("Error reading toy", "INTERNAL_SERVER_ERROR"), nil},
		"at the next one": {func(s *shop) {
			s.fails["drop arm"], s.meanwhile["drop arm"] = errMoved, func() { s.toys["bear"].parts["wing"] = "w"; delete(s.toys["bear"].parts, "arm") }
		}, isError(changed, "drop wing"), []string{"drop arm"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := created(t, "")
			plan, _ := r.plan(bear("leg", "tail"))
			r.calls = nil
			tc.change(r.shop)
			told := r.apply(plan)
			r.wantCalls(tc.calls...)
			if tc.want == nil {
				told.want(t)
				r.wantState("leg tail")
				return
			}
			told[len(told)-1:].want(t, tc.want)
			r.wantState("arm leg")
		})
	}
}

// After a failure, the state has what is in effect.
func TestUpdate_FailsHalfWay(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*shop)
		state  string
		failed bool
	}{
		"at the first step":  {func(s *shop) { s.fails["drop arm"] = errInvalid }, "arm leg", true},
		"at the second step": {func(s *shop) { s.fails["add tail"] = errInvalid }, "leg", true},
		"after its effect":   {func(s *shop) { s.fails["drop arm"], s.after["drop arm"] = errServer, true }, "leg tail", false},
		"before its effect":  {func(s *shop) { s.fails["drop arm"] = errServer }, "arm leg", true},
		"because it moved":   {func(s *shop) { s.fails["drop arm"], s.after["drop arm"] = errMoved, true }, "leg tail", false},
		"it cannot be read": {func(s *shop) {
			s.fails["add tail"] = errInvalid
			s.meanwhile["add tail"] = func() { s.lookErr = errServer }
		}, "arm leg", true},
		"after its effect, and later": {func(s *shop) {
			s.fails["drop arm"], s.after["drop arm"], s.fails["add tail"] = errServer, true, errInvalid
		}, "leg", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := created(t, "")
			tc.change(r.shop)
			told := r.runs(bear("leg", "tail"))
			assert.Equal(t, tc.failed, told.failed(), "said %q", told)
			r.wantState(tc.state)
		})
	}
}

// A destroy is announced from a look, and rejected where it would do more by the time of the apply.
func TestDestroy(t *testing.T) {
	t.Parallel()
	t.Run("announced from a look", func(t *testing.T) {
		t.Parallel()
		r, _ := created(t, "")
		r.toys["bear"].parts["wing"] = "w"
		plan, told := r.plan(nil)
		told.want(t, isWarning(changes, "drop arm, drop leg, drop wing, break bear"))
		r.apply(plan).want(t)
		r.wantCalls("drop arm", "drop leg", "drop wing", "break bear")
		require.Empty(t, r.toys, "toys, the state is %s", r.State())
		assert.True(t, r.State().IsNull(), "%d toys, the state is %s", len(r.toys), r.State())
	})
	t.Run("changed since the plan", func(t *testing.T) {
		t.Parallel()
		r, _ := created(t, "")
		plan, _ := r.plan(nil)
		r.toys["bear"].parts["wing"] = "w"
		r.apply(plan).want(t, isError(changed, "drop wing", "Nothing was changed"))
		r.wantCalls()
		r.wantState("arm leg")
	})
	t.Run("gone before the plan", func(t *testing.T) {
		t.Parallel()
		for _, policy := range []string{"REMOVE", "PREVENT"} {
			r, _ := created(t, policy)
			delete(r.toys, "bear")
			r.runs(nil).want(t, isWarning(gone))
			r.wantCalls()
		}
	})
	t.Run("gone since the plan", func(t *testing.T) {
		t.Parallel()
		r, _ := created(t, "")
		plan, _ := r.plan(nil)
		delete(r.toys, "bear")
		r.apply(plan).want(t)
		r.wantCalls()
	})
	t.Run("gone during the apply", func(t *testing.T) {
		t.Parallel()
		r, _ := created(t, "")
		r.fails["drop arm"], r.meanwhile["drop arm"] = errForbidden, func() { delete(r.toys, "bear") }
		r.fails["drop arm"] = errForbidden
		r.runs(nil).want(t, isWarning(changes))
		r.wantCalls("drop arm")
	})
	t.Run("fails", func(t *testing.T) {
		t.Parallel()
		r, _ := created(t, "")
		r.fails["drop leg"] = errInvalid
		r.runs(nil).want(t, isWarning(changes), isError("Step failed", "drop leg after 1"))
		r.wantState("arm leg")
		r.read()
		r.runs(nil).want(t, isWarning(changes, "drop leg, break bear"))
	})
	t.Run("a look fails", func(t *testing.T) {
		t.Parallel()
		r, _ := created(t, "")
		r.lookErr = errServer
		r.runs(nil).want(t, isError("Error reading toy"))
	})
}

// A destroy that no plan announced is rejected: with -replace, and of a tainted object.
func TestDestroy_Unannounced(t *testing.T) {
	t.Parallel()
	t.Run("replaced", func(t *testing.T) {
		t.Parallel()
		r, c := created(t, "")
		_, told := r.replace(c)
		told.want(t, isError("Toys cannot be replaced", "the toy bear"))
	})
	t.Run("tainted", func(t *testing.T) {
		t.Parallel()
		r, c := created(t, "")
		plan, told := r.taint(c)
		told.want(t, isWarning(changes, "(has arm leg)"))
		r.apply(plan).want(t, isError("Toys cannot be replaced", "the toy bear"))
		r.wantCalls()
		r.wantState("arm leg")
	})
	t.Run("tainted and abandoned", func(t *testing.T) {
		t.Parallel()
		r, c := created(t, "ABANDON")
		plan, _ := r.taint(c)
		told := r.apply(plan)
		assert.False(t, told.failed(), "said %q", told)
		r.wantCalls()
		r.wantState("arm leg")
	})
	t.Run("nothing is lost", func(t *testing.T) {
		t.Parallel()
		r, c := created(t, "ABANDON", func(k *toyResource) { k.as = replaceable })
		plan, told := r.replace(c)
		told.want(t)
		told = r.apply(plan)
		assert.False(t, told.failed(), "said %q", told)
		r.wantCalls()
	})
	t.Run("an announcement is for one apply", func(t *testing.T) {
		t.Parallel()
		r, c := created(t, "")
		plan, _ := r.plan(nil)
		r.fails["drop arm"] = errInvalid
		r.apply(plan)
		_, told := r.replace(c)
		told.want(t, isError("Toys cannot be replaced"))
	})
}

// A value that says which object is meant and is known after apply changes nothing else. If it turns out to be another one,
// the plan that the apply repeats is an error.
func TestUnknownIsNotAnother(t *testing.T) {
	t.Parallel()
	r, c := created(t, "")
	late := *c
	late.name = "?"
	for _, parts := range [][]string{{"arm", "leg"}, {"arm", "wheel"}} {
		late.parts = parts
		plan, told := r.refreshedPlan(&late)
		want := [][]string{isWarning(object.SummaryAwaits, "The toy bear", "name is known after apply")}
		if parts[1] == "wheel" {
			want = append(want, isWarning(changes, "drop leg, add wheel"))
		}
		told.want(t, want...)
		assert.False(t, providertest.Members(plan.Planned())["name"].IsKnown(), "the plan is %s", plan.Planned())
		assert.True(t, providertest.Members(plan.Planned())["id"].IsKnown(), "the plan is %s", plan.Planned())
	}
	known := late
	known.name = "bear"
	r.runs(&known).want(t, isWarning(changes, "drop leg, add wheel")) // as the apply plans it
	r.wantCalls("drop leg", "add wheel")
	known.name = "duck"
	_, told := r.plan(&known)
	told.want(t, isError(object.SummaryOtherObject, "The toy bear", "name is now duck"))
	r.wantCalls()
}

// The first half of a replacement announces both: Terraform drops the warnings of the second one.
func TestReplacement(t *testing.T) {
	t.Parallel()
	r, _ := created(t, "")
	other := &config{name: "duck", parts: []string{"wing"}}
	plan, told := r.refreshedPlan(other)
	told.want(t, isWarning(changes, "drop arm, drop leg, break bear"), isWarning(changes, "make duck, add wing"))
	told = r.apply(plan)
	assert.False(t, told.failed(), "said %q", told)
	r.wantCalls("drop arm", "drop leg", "break bear", "make duck", "add wing")
	if r.attribute("name") != "duck" || r.kept() == "" {
		t.Errorf("the state is %s, %s", r.State(), r.kept())
	}
	_, told = r.replace(other)
	told.want(t, isError("Toys cannot be replaced")) // no announcement is left

	t.Run("of a conflict", func(t *testing.T) {
		t.Parallel()
		r, _ := created(t, "")
		r.put("duck", "beak")
		_, told := r.refreshedPlan(&config{name: "duck", parts: []string{"wing"}})
		told.want(t, isWarning(changes), isError("Toy has other parts"))
	})
	t.Run("protected", func(t *testing.T) {
		t.Parallel()
		r, _ := created(t, "PREVENT")
		_, told := r.refreshedPlan(&config{name: "duck", policy: "PREVENT", parts: []string{"wing"}})
		told[:1].want(t, isError(effect.SummaryProtected, "bear"))
	})
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	protected, lowered, removed := effect.SummaryProtected, effect.LoweringProtection.Summary, effect.RemovingProtection.Summary
	t.Run("PREVENT", func(t *testing.T) {
		t.Parallel()
		r, c := created(t, "PREVENT")
		_, told := r.plan(nil)
		told.want(t, isError(protected, "deletion_policy", "toy bear"))
		plan, _ := r.taint(c)
		r.apply(plan).want(t, isError(protected))
		r.wantCalls()
		r.wantState("arm leg")
	})
	t.Run("ABANDON", func(t *testing.T) {
		t.Parallel()
		r, _ := created(t, "ABANDON")
		r.lookErr = errServer // nothing is read
		r.runs(nil).want(t)
		r.wantCalls()
		require.Len(t, r.toys, 1, "toys, the state is %s", r.State())
		assert.True(t, r.State().IsNull(), "%d toys, the state is %s", len(r.toys), r.State())
	})
	t.Run("lowered and raised", func(t *testing.T) {
		t.Parallel()
		r, c := created(t, "PREVENT")
		for _, step := range []struct {
			to   string
			want [][]string
		}{{"ABANDON", [][]string{isWarning(lowered, "from PREVENT to ABANDON")}}, {"REMOVE", [][]string{isWarning(removed)}}, {"PREVENT", nil}, {"?", [][]string{isWarning(removed, "known after apply")}}} {
			c.policy = step.to
			plan, told := r.plan(c)
			told.want(t, step.want...)
			if step.to != "?" {
				told = r.apply(plan)
				assert.False(t, told.failed(), "said %q, the state is %s", told, r.State())
				assert.Equal(t, step.to, r.attribute("deletion_policy"), "said %q, the state is %s", told, r.State())
			}
		}
		r.wantCalls()
	})
	t.Run("of an older state", func(t *testing.T) {
		t.Parallel()
		r, _ := created(t, "", func(k *toyResource) { k.Policy.Values = []string{"PREVENT", "REMOVE"} })
		r.set("deletion_policy", nil)
		r.read().want(t)
		_, told := r.plan(nil)
		told.want(t, isError(protected))
	})
}

// fromResponse is a change whose responses show everything.
type fromResponse struct{ *toyOperation }

func (c fromResponse) ReadBack(_ context.Context, now *model) diag.Diagnostics {
	c.Warn(diag.NewWarningDiagnostic("From the response", ""))
	fill(now, &toy{id: "id-bear", parts: map[string]string{"arm": "new"}})
	return nil
}

// ReadBack replaces the read after the last step. An apply shows its own warnings.
func TestReadBack(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(k *toyResource) { k.begin = func(c *toyOperation) operation { return fromResponse{c} } })
	told := r.runs(bear("arm"))
	told[len(told)-1:].want(t, isWarning("From the response"))
	got := r.attribute("serials")
	assert.Equal(t, "arm=new", got, "serials, looks %v", r.looks)
	assert.Len(t, r.looks, 3, "serials %q, looks", got)
}

// How new a look is.
func TestAges(t *testing.T) {
	t.Parallel()
	const cached, current, fresh = inventory.Cached, inventory.Current, inventory.Fresh
	r := newRig(t)
	want := func(what string, ages ...inventory.Freshness) {
		t.Helper()
		assert.Len(t, r.looks, len(ages), "%s: looks of the ages %v", what, ages)
		for i := range min(len(r.looks), len(ages)) {
			if r.looks[i] != ages[i] {
				t.Errorf("%s: the looks are %v, want %v", what, r.looks, ages)
				break
			}
		}
		r.looks = nil
	}
	r.runs(bear("arm"))
	want("create: two plans, before, after", cached, cached, current, current)
	r.runs(bear("leg"))
	want("update: before, after", current, current)
	r.runs(nil)
	want("destroy: plan, before", current, fresh)
	r.kind.ReadBeforeDelete = inventory.Cached
	r.runs(bear("arm"))
	r.looks = nil
	r.runs(nil)
	want("destroy: plan, before", current, cached)
}

// No step is taken without a client, also where a type has no policy that a destroy would check.
func TestDestroy_WithoutAClient(t *testing.T) {
	t.Parallel()
	r, _ := created(t, "ABANDON", func(k *toyResource) { k.as = func(k *toyResource) kind { return alwaysBreaking{unkeyed(k)} } })
	plan, told := r.plan(nil)
	told.want(t, isWarning(changes, "break bear"))
	r.restart()
	r.run.Client = nil
	told = saying(r.ApplyPlan(plan))
	assert.True(t, told.failed(), "said %q", told)
	assert.False(t, r.State().IsNull(), "the state is gone")
	r.wantCalls()
}

// alwaysBreaking is a kind whose destroy has a step under any policy.
type alwaysBreaking struct{ kind }

func (a alwaysBreaking) Steps(was, want, live *model) []effect.Step {
	if want == nil {
		return []effect.Step{effect.NewStep("break", was.Name.ValueString(), "")}
	}
	return a.kind.Steps(was, want, live)
}

// A failed update keeps a copy of the prior model, to which nobody writes.
func TestUpdate_PriorModel(t *testing.T) {
	t.Parallel()
	var was *model
	r, _ := created(t, "", func(k *toyResource) {
		k.begin = func(c *toyOperation) operation {
			was = c.Was
			return c
		}
	})
	r.fails["add tail"] = errInvalid
	r.runs(bear("leg", "tail"))
	r.wantState("leg")
	assert.Equal(t, []string{"arm", "leg"}, was.parts(), "the prior model")
}
