package register_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/walk"
)

type plan struct {
	*register.Register
	walks *walk.Process
}

func newPlan() plan {
	walks := &walk.Process{}
	return plan{register.New(walks), walks}
}

func bob(id string) register.Object {
	return register.Object{Type: "member", InLabel: true, Label: "acme", ID: id, Name: "bob"}
}

func (p plan) claim(role register.Role, o register.Object, instance string) register.Conflict {
	conflict, _ := p.Record(register.Claim{Role: role, Object: o, Instance: instance, By: "reseller_member"})
	return conflict
}

// The side that is planned second gets the conflict, once for an object.
func TestRegister_SecondSideSeesConflict(t *testing.T) {
	t.Parallel()
	for name, roles := range map[string][2]register.Role{"create first": {register.Creates, register.Removes}, "destroy first": {register.Removes, register.Creates}} {
		p := newPlan()
		assert.Equal(t, register.None, p.claim(roles[0], bob(""), ""), name)
		assert.Equal(t, register.None, p.claim(roles[1], register.Object{Type: "member", InLabel: true, Label: "bolt", ID: "1", Name: "bob"}, ""), "%s: another object", name)
		conflict, other := p.Record(register.Claim{Role: roles[1], Object: bob("1"), By: "reseller_members"})
		assert.Equal(t, register.Renamed, conflict, name)
		assert.Equal(t, "reseller_member", other.By, name)
		assert.Equal(t, register.None, p.claim(roles[1], bob("1"), ""), "%s: again", name)
	}
}

// Two addresses that have an object are a warning, which hides no error about a third one.
func TestRegister_WarningHidesNoError(t *testing.T) {
	t.Parallel()
	p := newPlan()
	p.claim(register.Keeps, bob("1"), "first")
	assert.Equal(t, register.Twice, p.claim(register.Creates, bob("1"), ""))
	assert.Equal(t, register.Renamed, p.claim(register.Removes, bob("1"), "third"))
	assert.Equal(t, register.None, p.claim(register.Imports, bob("1"), "fourth"), "told already")
}

// What is planned again for an address replaces what was planned for it before, and for no other address.
func TestRegister_PlannedAgain(t *testing.T) {
	t.Parallel()
	p := newPlan()
	p.claim(register.Removes, bob("1"), "first")
	assert.Equal(t, register.None, p.claim(register.Keeps, bob("1"), "first"))
	assert.Equal(t, register.Twice, p.claim(register.Keeps, bob("1"), "second"))
	assert.Equal(t, register.Kept, p.claim(register.Removes, bob("1"), "third"), "both of them keep it")
}

// With -minimal-refresh, Terraform plans a changed object before its refresh and after it, and drops what the first plan warned.
func TestRegister_WarnsInBothPlansOfMinimalRefresh(t *testing.T) {
	t.Parallel()
	p := newPlan()
	p.claim(register.Keeps, bob("1"), "first")
	assert.Equal(t, register.Twice, p.claim(register.Keeps, bob("1"), "second"), "before the refresh")
	p.Refresh("second")
	assert.Equal(t, register.Twice, p.claim(register.Keeps, bob("1"), "second"), "after it")
	p.Refresh("first")
	assert.Equal(t, register.None, p.claim(register.Keeps, bob("1"), "first"), "told already")
}

// With -minimal-refresh, an object may be planned as it is in state, and found absent by the refresh after it.
func TestRegister_WithdrawsWhatWasPlannedBeforeARefresh(t *testing.T) {
	t.Parallel()
	p := newPlan()
	p.claim(register.Keeps, bob("1"), "first")
	p.Withdraw("first")
	assert.Equal(t, register.None, p.claim(register.Creates, bob(""), ""))
}

// What a plan has refreshed or planned is in state. A new process knows nothing of it.
func TestRegister_InState(t *testing.T) {
	t.Parallel()
	p := newPlan()
	assert.False(t, p.InState(bob("1")))
	p.Hold(bob("1"))
	assert.True(t, p.InState(bob("1")))
	assert.False(t, p.InState(bob("3")) || p.InState(bob("")))
	assert.False(t, newPlan().InState(bob("1")))
}

// The most harmful one of several conflicts is returned, whichever claim was recorded first.
func TestRegister_MostHarmful(t *testing.T) {
	t.Parallel()
	for _, first := range []register.Role{register.Creates, register.Keeps} {
		p := newPlan()
		second := map[register.Role]register.Role{register.Creates: register.Keeps, register.Keeps: register.Creates}[first]
		p.RecordAlone([]register.Claim{{Role: first, Object: bob("1"), Instance: "first"}})
		p.claim(second, bob("1"), "second")
		assert.Equal(t, register.Renamed, p.claim(register.Removes, bob("1"), "third"), first)
	}
}

func TestRegister_AskRecordsNothing(t *testing.T) {
	t.Parallel()
	p := newPlan()
	conflict, _ := p.Ask(register.Claim{Role: register.Creates, Object: bob("")})
	assert.Equal(t, register.None, conflict)
	assert.Equal(t, register.None, p.claim(register.Removes, bob("1"), ""))
}

// What is planned after an apply is another plan.
func TestRegister_ApplyEndsConflicts(t *testing.T) {
	t.Parallel()
	p := newPlan()
	p.claim(register.Creates, bob(""), "")
	p.walks.Apply()
	assert.Equal(t, register.None, p.claim(register.Removes, bob("1"), ""))
	assert.Equal(t, register.None, p.claim(register.Creates, bob(""), ""))
}

// An import and the plan of the object that it stores are one instance. A later plan of that instance keeps it.
func TestRegister_Imports(t *testing.T) {
	t.Parallel()
	p := newPlan()
	p.claim(register.Imports, bob("1"), "first")
	assert.Equal(t, register.None, p.claim(register.Keeps, bob("1"), "first"))
	assert.Equal(t, register.Renamed, p.claim(register.Removes, bob("1"), "other"))
	p = newPlan()
	p.claim(register.Imports, bob("1"), "first")
	assert.Equal(t, register.None, p.claim(register.Removes, bob("1"), "first"), "the destroy of what the import stored")
	p = newPlan()
	p.claim(register.Keeps, bob("1"), "first")
	assert.Equal(t, register.Kept, p.claim(register.Removes, bob("1"), "other"), "imported by an earlier process")
	p = newPlan()
	p.claim(register.Imports, bob("1"), "first")
	p.Refresh("first")
	p.claim(register.Imports, bob("1"), "second")
	assert.Equal(t, register.Renamed, p.claim(register.Removes, bob("1"), "first"), "a later plan imports it at another address")
	p = newPlan()
	p.claim(register.Imports, bob("1"), "first")
	p.claim(register.Imports, bob("1"), "elsewhere")
	p.Refresh("first")
	assert.Equal(t, register.None, p.claim(register.Removes, bob("1"), "first"), "what another run has planned only")
	p = newPlan()
	p.claim(register.Keeps, bob("1"), "bob")
	p.claim(register.Imports, register.Object{Type: "members", InLabel: true, Label: "acme", ID: "acme"}, "set")
	dropped := register.Claim{Role: register.Removes, Object: bob("1"), Instance: "set", By: "reseller_members", Called: "bob"}
	conflict, _ := p.Record(dropped)
	assert.Equal(t, register.Kept, conflict, "the plan that imports a set drops a member")
	p = newPlan()
	p.claim(register.Imports, bob("1"), "set")
	conflict, _ = p.Record(dropped)
	assert.Equal(t, register.None, conflict, "the member of no other resource")
}

// What an apply has stored is known until another walk reads.
func TestRegister_Stored(t *testing.T) {
	t.Parallel()
	p := newPlan()
	p.walks.Apply()
	p.Store(bob("1"), "new")
	p.walks.Apply() // the next change of the same apply
	renamed := bob("1")
	renamed.Name = "rob"
	assert.True(t, p.StoredElsewhere(renamed, "old"), "a deposed object, or another address")
	assert.False(t, p.StoredElsewhere(renamed, "new"), "the stored object itself")
	assert.False(t, p.StoredElsewhere(bob("2"), "old"), "another object")
	assert.False(t, p.StoredElsewhere(bob(""), "old"), "an object without an ID")
	p.walks.Read()
	assert.False(t, p.StoredElsewhere(bob("1"), "old"), "in another walk")
}

// A read is of one plan.
func TestRegister_WasRead(t *testing.T) {
	t.Parallel()
	p := newPlan()
	for _, instance := range []string{"a", ""} {
		assert.False(t, p.WasRead(bob("1"), instance))
		p.Read(bob("1"), instance)
		p.Read(bob("1"), "b")
		assert.True(t, p.WasRead(bob("1"), instance))
		assert.False(t, p.WasRead(bob("1"), instance), "planned before")
		assert.True(t, p.WasRead(bob("1"), "b"), "at another address")
	}
	p.Read(bob("1"), "a")
	p.walks.Apply()
	assert.False(t, p.WasRead(bob("1"), "a"), "read before an apply")
}

func TestRegister_Items(t *testing.T) {
	t.Parallel()
	gold, seats := register.Object{Type: "package", Name: "GOLD"}, register.Object{Type: "addon", Name: "SEATS"}
	p := newPlan()
	p.claim(register.Creates, gold, "")
	p.Activate(seats)
	assert.True(t, p.Provides(gold))
	assert.True(t, p.Provides(seats))
	assert.False(t, p.Provides(register.Object{Type: "addon", Name: "GOLD"}))
	for role, isProvided := range map[register.Role]bool{register.Imports: true, register.Keeps: false} {
		other := register.Object{Type: "package", Name: fmt.Sprint("OTHER", role)}
		p.claim(role, other, other.Name)
		assert.Equal(t, isProvided, p.Provides(other), role)
	}
	assert.Equal(t, 0, p.CreatesBeside(gold))
	assert.Equal(t, 1, p.CreatesBeside(register.Object{Type: "package", Name: "HUGE"}))
	assert.False(t, p.Leave(gold, "sign.acme.example"))
	assert.Equal(t, []string{"sign.acme.example"}, p.Deactivate(gold))
	assert.True(t, p.Leave(gold, "sign.bolt.example"))
	p.walks.Apply()
	assert.False(t, p.Provides(gold))
	assert.False(t, p.Provides(seats))
	assert.Empty(t, p.Deactivate(gold))
}

func TestRegister_ConcurrentSidesSeeConflict(t *testing.T) {
	t.Parallel()
	for range 100 {
		p := newPlan()
		var seen atomic.Int32
		var both sync.WaitGroup
		for _, role := range []register.Role{register.Creates, register.Removes} {
			both.Go(func() {
				if p.claim(role, bob("1"), "") == register.Renamed {
					seen.Add(1)
				}
			})
		}
		both.Wait()
		require.Equal(t, int32(1), seen.Load(), "sides saw the conflict")
	}
}
