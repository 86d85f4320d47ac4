package session_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

const (
	byMember = "reseller_member"
	bySet    = "reseller_members"
)

// plan makes claims about members, and returns whether one is half of a rename.
type plan struct{ *session.Planned }

func newPlan() plan { return plan{session.NewPlanned()} }

func object(id, name string) session.Object {
	return session.Object{Type: "member", ID: id, Name: name}
}

func (p plan) claim(by string, does session.Doing, o session.Object) session.Others {
	return p.Record(by, session.Claim{Does: does, Object: o})
}

func (p plan) creates(id, name string) bool {
	return p.claim(byMember, session.Creates, object(id, name)).Renamed
}

func (p plan) destroys(id, name string) bool {
	return p.claim(byMember, session.Destroys, object(id, name)).Renamed
}

func TestPlanned_SecondSideSeesRename(t *testing.T) {
	t.Parallel()
	p := newPlan()
	assert.False(t, p.creates("1", "a"), "different objects are a rename")
	assert.False(t, p.destroys("2", "b"), "different objects are a rename")
	assert.False(t, p.Record("reseller_package", session.Claim{Does: session.Destroys, Object: session.Object{Type: "package", ID: "1", Name: "a"}}).Renamed,
		"different objects are a rename")
	assert.True(t, p.destroys("1", "a"), "a rename was not seen by the second side")
	assert.True(t, p.creates("2", "b"), "a rename was not seen by the second side")
	assert.False(t, p.destroys("1", "a"), "a destroy after a rejected rename is a rename")
	assert.True(t, p.creates("1", "a"), "a second rename was not seen")
	p.Gone(object("1", "a"))
	assert.False(t, p.creates("1", "a"), "a create is a rename of what a refresh did not find")
	assert.True(t, p.destroys("1", "a"), "a rename was not seen after a refresh of another plan")
	p.Clear()
	assert.False(t, p.creates("1", "a"), "an apply did not clear the plan")
	assert.False(t, p.destroys("2", "b"), "an apply did not clear the plan")
}

// The ID decides; the name decides where one side has no ID.
func TestPlanned_OneIdentity(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		created, destroyed session.Object
		renamed            bool
	}{
		"another name":            {object("1", "new"), object("1", "old"), true},
		"another object's name":   {object("1", "old"), object("2", "old"), false},
		"created is not live yet": {object("", "bob"), object("1", "bob"), true},
		"other names":             {object("", "bob"), object("1", "eve"), false},
		"neither is known":        {object("", ""), object("", ""), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlan()
			p.claim(byMember, session.Creates, tc.created)
			assert.Equal(t, tc.renamed, p.claim(byMember, session.Destroys, tc.destroyed).Renamed, "created first")
			p = newPlan()
			p.claim(bySet, session.Destroys, tc.destroyed)
			assert.Equal(t, tc.renamed, p.claim(byMember, session.Creates, tc.created).Renamed, "destroyed first")
		})
	}
}

func TestPlanned_KeptElsewhere(t *testing.T) {
	t.Parallel()
	o := object("1", "bob")
	p := newPlan()
	assert.Equal(t, session.Others{}, p.claim(byMember, session.Keeps, o), "one keeps it")
	assert.Equal(t, session.Others{}, p.claim(byMember, session.Keeps, o), "the same type keeps it")
	found := p.claim(bySet, session.Keeps, o)
	assert.True(t, found.Twice, "another type keeps it: %+v", found)
	assert.Equal(t, byMember, found.By, "another type keeps it: %+v", found)
	found = p.claim(byMember, session.Destroys, o)
	assert.True(t, found.Split, "destroyed, and kept: %+v", found)
	assert.False(t, found.Renamed, "destroyed, and kept: %+v", found)
	found = p.Beside(byMember, session.Claim{Does: session.Creates, Object: o})
	assert.True(t, found.Renamed, "created beside: %+v", found)
}

// In one process, an import that changes nothing is never applied: the destroy of what it has stored is of a later plan.
func TestPlanned_DestroyOfAnImport(t *testing.T) {
	t.Parallel()
	o := object("1", "bob")
	imported := session.Claim{Does: session.Creates, Object: o, Origin: "first"}
	p := newPlan()
	p.Record(byMember, imported)
	assert.False(t, p.Record(byMember, session.Claim{Does: session.Destroys, Object: o, Origin: "first"}).Renamed,
		"an import and the destroy of what it stored are a rename")
	p = newPlan()
	p.Record(byMember, imported)
	assert.True(t, p.Record(byMember, session.Claim{Does: session.Destroys, Object: o, Origin: "other"}).Renamed,
		"the destroy of what an earlier process has imported is no rename")
}

// A process that has applied may have a plan-only run before the present one.
func TestPlanned_InATest(t *testing.T) {
	t.Parallel()
	applied := func() plan {
		p := newPlan()
		p.Validated()
		p.Proposed()
		p.Clear()
		return p
	}
	t.Run("in one plan", func(t *testing.T) {
		t.Parallel()
		p := applied()
		p.Validated() // all blocks
		p.Validated()
		p.Proposed()
		p.creates("1", "a")
		p.Read(object("1", ""))
		assert.True(t, p.destroys("1", "a"), "a rename was not seen")
	})
	t.Run("a cleanup", func(t *testing.T) {
		t.Parallel()
		p := applied()
		p.Validated()
		p.Validated()
		p.Proposed()
		p.creates("1", "a")
		assert.False(t, p.destroys("1", "a"), "a destroy without a read is a rename of a plan that was not applied")
	})
	t.Run("the next run", func(t *testing.T) {
		t.Parallel()
		p := applied()
		p.Validated()
		p.Validated()
		p.Proposed()
		p.creates("1", "a")
		p.Validated()
		p.Read(object("1", ""))
		assert.False(t, p.destroys("1", "a"), "a destroy of the next run is a rename")
	})
	t.Run("the other order", func(t *testing.T) {
		t.Parallel()
		p := applied()
		p.Validated()
		p.Read(object("1", ""))
		p.destroys("1", "a")
		p.Validated()
		p.Validated()
		p.Proposed()
		assert.False(t, p.creates("1", "a"), "a create of the next run is a rename")
	})
}

// What an apply has stored is known until the next walk.
func TestPlanned_Stored(t *testing.T) {
	t.Parallel()
	p := newPlan()
	p.Store(object("1", "a"))
	p.Store(object("", "b"))
	p.Clear() // the next object of the same apply
	assert.True(t, p.Stored(object("1", "other")), "what was stored is not known by its ID")
	assert.False(t, p.Stored(object("2", "a")), "what was stored is not known by its ID")
	assert.False(t, p.Stored(object("", "b")), "what was stored is not known by its ID")
	p.Walk()
	assert.False(t, p.Stored(object("1", "a")), "another walk knows it")
}

func TestPlanned_ProvidesItems(t *testing.T) {
	t.Parallel()
	gold, seats := session.Object{Type: session.TypePackage, Name: "GOLD"}, session.Object{Type: session.TypeAddon, Name: "SEATS"}
	p := newPlan()
	p.claim("reseller_package", session.Creates, gold)
	p.claim("reseller_addon", session.Activates, seats)
	assert.True(t, p.Provides(gold), "what the plan creates or activates is not known by type and code")
	assert.True(t, p.Provides(seats), "what the plan creates or activates is not known by type and code")
	assert.False(t, p.Provides(session.Object{Type: session.TypeAddon, Name: "GOLD"}), "what the plan creates or activates is not known by type and code")
	p.Clear()
	assert.False(t, p.Provides(gold), "an apply did not clear the plan")
	assert.False(t, p.Provides(seats), "an apply did not clear the plan")
}

func TestPlanned_ConcurrentSidesSeeRename(t *testing.T) {
	t.Parallel()
	for range 100 {
		p := newPlan()
		var seen atomic.Int32
		var both sync.WaitGroup
		for _, side := range []func(string, string) bool{p.creates, p.destroys} {
			both.Go(func() {
				if side("1", "a") {
					seen.Add(1)
				}
			})
		}
		both.Wait()
		require.Equal(t, int32(1), seen.Load(), "sides saw the rename")
	}
}
