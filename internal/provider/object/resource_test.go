package object_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
)

const (
	changes = "Toy changes"
	gone    = "Toy is gone"
)

// created is a rig with an applied toy of two parts.
func created(t *testing.T, policy string, change ...func(*toyResource)) (*rig, *config) {
	t.Helper()
	r := newRig(t, change...)
	c := &config{name: "bear", policy: policy, parts: []string{"arm", "leg"}}
	told := r.runs(c)
	require.False(t, told.failed(), told)
	r.calls, r.looks = nil, nil
	return r, c
}

func TestRead(t *testing.T) {
	t.Parallel()
	absent, other, unknown := inventory.Absent, inventory.OtherReseller, inventory.PresenceUnknown
	for name, tc := range map[string]struct {
		change func(*shop)
		parts  string // in state afterwards, "-" for no state
		want   [][]string
	}{
		"unchanged":              {func(*shop) {}, "arm leg", nil},
		"changed":                {func(s *shop) { delete(s.toys["bear"].parts, "leg") }, "arm", nil},
		"gone":                   {func(s *shop) { delete(s.toys, "bear") }, "-", [][]string{isWarning(gone, "bear")}},
		"rejected, and gone":     {func(s *shop) { s.lookErr, s.presence = errForbidden, &absent }, "-", [][]string{isWarning(gone)}},
		"rejected, and there":    {func(s *shop) { s.lookErr = errForbidden }, "arm leg", [][]string{isError("Error reading toy", "The toy bear", "FORBIDDEN")}},
		"rejected, of another":   {func(s *shop) { s.lookErr, s.presence = errForbidden, &other }, "arm leg", [][]string{isError(session.SummaryOtherReseller, slug)}},
		"not found, of another":  {func(s *shop) { delete(s.toys, "bear"); s.presence = &other }, "arm leg", [][]string{isError(session.SummaryOtherReseller)}},
		"not found, undecided":   {func(s *shop) { delete(s.toys, "bear"); s.presence = &unknown }, "arm leg", [][]string{isError("Object not found")}},
		"the service is failing": {func(s *shop) { s.lookErr = errServer }, "arm leg", [][]string{isError("Error reading toy", "INTERNAL_SERVER_ERROR")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := created(t, "")
			tc.change(r.shop)
			r.read().want(t, tc.want...)
			if tc.parts == "-" {
				if !r.State().IsNull() || r.kept() != "" {
					t.Errorf("the state is %s, the private state %s", r.State(), r.kept())
				}
				return
			}
			r.wantState(tc.parts)
			assert.Equal(t, slug, r.attribute("reseller"))
		})
	}
}

// Without usable settings nothing is read, and the state stays.
func TestRead_NotReady(t *testing.T) {
	t.Parallel()
	r, c := created(t, "")
	state := r.State()
	r.kind.lookFor = nil // a call would panic
	r.restart()
	r.run.Client = nil
	saying(r.Read()).want(t)
	assert.True(t, r.State().Equal(state), "the state is %s", r.State())
	_, told := r.plan(c)
	told.want(t)
}

func TestImport(t *testing.T) {
	t.Parallel()
	for name, identity := range map[string]map[string]string{"by ID": nil, "by identity": {"name": "bear", "id": "id-bear"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.put("bear", "arm")
			if identity == nil {
				saying(r.ImportBy("bear")).want(t)
			} else {
				saying(r.ImportByIdentity(identity)).want(t)
			}
			r.wantState("arm")
			assert.Equal(t, "REMOVE", r.attribute("deletion_policy"), "the state is %s", r.State())
			assert.Equal(t, slug, r.attribute("reseller"), "the state is %s", r.State())
			assert.Empty(t, r.attribute("note"), "the state is %s", r.State())
			plan, told := r.plan(&config{name: "bear", parts: []string{"arm"}})
			told.want(t)
			if !plan.Planned().Equal(r.State()) {
				t.Errorf("the plan is %s", plan.Planned())
			}
		})
	}
	r := newRig(t)
	saying(r.ImportBy("bear")).want(t, isError("No such toy", "bear"))
}

// The private state follows the object, and leaves with it.
func TestPrivateState(t *testing.T) {
	t.Parallel()
	r, c := created(t, "")
	kept := r.kept()
	assert.Contains(t, kept, "bear/id-bear", "the private state")
	r.read()
	assert.Equal(t, kept, r.kept(), "the private state is after a read")
	plan, _ := r.plan(nil)
	r.fails["break bear"] = errInvalid
	r.apply(plan).want(t, isError("Step failed"))
	assert.Equal(t, kept, r.kept(), "the private state is after a failed destroy")
	r.Set(r.State(), []byte(`{"reseller":"`+"WzFd"+`"}`), r.Identity()) // of another shape
	r.read().want(t, isWarning(session.SummaryPrivateRead))
	c.parts = []string{"wing"}
	r.runs(c).want(t, isWarning(changes, "add wing"))
}

// An apply that takes no step makes no call and no look.
func TestUpdate_StateOnly(t *testing.T) {
	t.Parallel()
	r, c := created(t, "")
	c.note = "new"
	r.runs(c).want(t)
	r.wantCalls()
	if len(r.looks) != 0 || r.attribute("note") != "new" {
		t.Errorf("looks %v, note %q", r.looks, r.attribute("note"))
	}
}

// A create and a destroy of one object in one plan are an error, in both orders. An apply ends the plan.
func TestRename(t *testing.T) {
	t.Parallel()
	const renamed = session.SummaryRenamed
	create := func(r *rig, c *config) said {
		_, told := coretest.NewWalker(r.t, r.protocol, typeName).PlanFor(c.values(), false)
		return saying(told)
	}
	destroy := func(r *rig, _ *config) said {
		_, told := r.PlanFor(nil, false)
		return saying(told)
	}
	for name, order := range map[string][]func(*rig, *config) said{"created first": {create, destroy}, "destroyed first": {destroy, create}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, policy := range []string{"REMOVE", "ABANDON", "PREVENT"} {
				r, c := created(t, policy)
				r.restart()
				first := order[0](r, c)
				if first.failed() { // one event has one error
					first.want(t, isError(effect.SummaryProtected, "bear", "moved block"))
					order[1](r, c).want(t)
				} else {
					order[1](r, c).want(t, isError(renamed, "reseller_toy", "the toy bear", "moved {"))
				}
				r.restart() // another plan
				if told := order[1](r, c); policy != "PREVENT" && told.failed() {
					t.Errorf("said %q", told)
				}
			}
		})
	}
	t.Run("of an absent object", func(t *testing.T) {
		t.Parallel()
		r, c := created(t, "")
		delete(r.toys, "bear")
		r.restart()
		destroy(r, c).want(t, isWarning(gone))
		create(r, c).want(t, isWarning(changes))
	})
	t.Run("cleared", func(t *testing.T) {
		t.Parallel()
		r, c := created(t, "")
		r.restart()
		destroy(r, c)
		r.run.Walks.Apply()
		create(r, c).want(t, isWarning(changes))
	})
	t.Run("where it costs nothing", func(t *testing.T) {
		t.Parallel()
		r, c := created(t, "", func(k *toyResource) { k.RenamesFreely = true })
		r.restart()
		create(r, c).want(t, isWarning(changes))
		destroy(r, c).want(t, isWarning(changes))
	})
}
