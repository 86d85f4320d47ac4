package session_test

import (
	"sync"
	"sync/atomic"
	"testing"

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
	if p.creates("1", "a") || p.destroys("2", "b") || p.Record("reseller_package", session.Claim{Does: session.Destroys, Object: session.Object{Type: "package", ID: "1", Name: "a"}}).Renamed {
		t.Error("different objects are a rename")
	}
	if !p.destroys("1", "a") || !p.creates("2", "b") {
		t.Error("a rename was not seen by the second side")
	}
	if p.destroys("1", "a") {
		t.Error("a destroy after a rejected rename is a rename")
	}
	if !p.creates("1", "a") {
		t.Error("a second rename was not seen")
	}
	p.Gone(object("1", "a"))
	if p.creates("1", "a") {
		t.Error("a create is a rename of what a refresh did not find")
	}
	if !p.destroys("1", "a") {
		t.Error("a rename was not seen after a refresh of another plan")
	}
	p.Clear()
	if p.creates("1", "a") || p.destroys("2", "b") {
		t.Error("an apply did not clear the plan")
	}
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
			if got := p.claim(byMember, session.Destroys, tc.destroyed).Renamed; got != tc.renamed {
				t.Errorf("created first: %v", got)
			}
			p = newPlan()
			p.claim(bySet, session.Destroys, tc.destroyed)
			if got := p.claim(byMember, session.Creates, tc.created).Renamed; got != tc.renamed {
				t.Errorf("destroyed first: %v", got)
			}
		})
	}
}

func TestPlanned_KeptElsewhere(t *testing.T) {
	t.Parallel()
	o := object("1", "bob")
	p := newPlan()
	if found := p.claim(byMember, session.Keeps, o); found != (session.Others{}) {
		t.Errorf("one keeps it: %+v", found)
	}
	if found := p.claim(byMember, session.Keeps, o); found != (session.Others{}) {
		t.Errorf("the same type keeps it: %+v", found)
	}
	if found := p.claim(bySet, session.Keeps, o); !found.Twice || found.By != byMember {
		t.Errorf("another type keeps it: %+v", found)
	}
	if found := p.claim(byMember, session.Destroys, o); !found.Split || found.Renamed {
		t.Errorf("destroyed, and kept: %+v", found)
	}
	if found := p.Beside(byMember, session.Claim{Does: session.Creates, Object: o}); !found.Renamed {
		t.Errorf("created beside: %+v", found)
	}
}

// In one process, an import that changes nothing is never applied: the destroy of what it has stored is of a later plan.
func TestPlanned_DestroyOfAnImport(t *testing.T) {
	t.Parallel()
	o := object("1", "bob")
	imported := session.Claim{Does: session.Creates, Object: o, Origin: "first"}
	p := newPlan()
	p.Record(byMember, imported)
	if p.Record(byMember, session.Claim{Does: session.Destroys, Object: o, Origin: "first"}).Renamed {
		t.Error("an import and the destroy of what it stored are a rename")
	}
	p = newPlan()
	p.Record(byMember, imported)
	if !p.Record(byMember, session.Claim{Does: session.Destroys, Object: o, Origin: "other"}).Renamed {
		t.Error("the destroy of what an earlier process has imported is no rename")
	}
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
		if !p.destroys("1", "a") {
			t.Error("a rename was not seen")
		}
	})
	t.Run("a cleanup", func(t *testing.T) {
		t.Parallel()
		p := applied()
		p.Validated()
		p.Validated()
		p.Proposed()
		p.creates("1", "a")
		if p.destroys("1", "a") {
			t.Error("a destroy without a read is a rename of a plan that was not applied")
		}
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
		if p.destroys("1", "a") {
			t.Error("a destroy of the next run is a rename")
		}
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
		if p.creates("1", "a") {
			t.Error("a create of the next run is a rename")
		}
	})
}

// What an apply has stored is known until the next walk.
func TestPlanned_Stored(t *testing.T) {
	t.Parallel()
	p := newPlan()
	p.Store(object("1", "a"))
	p.Store(object("", "b"))
	p.Clear() // the next object of the same apply
	if !p.Stored(object("1", "other")) || p.Stored(object("2", "a")) || p.Stored(object("", "b")) {
		t.Error("what was stored is not known by its ID")
	}
	p.Walk()
	if p.Stored(object("1", "a")) {
		t.Error("another walk knows it")
	}
}

func TestPlanned_ProvidesItems(t *testing.T) {
	t.Parallel()
	gold, seats := session.Object{Type: session.TypePackage, Name: "GOLD"}, session.Object{Type: session.TypeAddon, Name: "SEATS"}
	p := newPlan()
	p.claim("reseller_package", session.Creates, gold)
	p.claim("reseller_addon", session.Activates, seats)
	if !p.Provides(gold) || !p.Provides(seats) || p.Provides(session.Object{Type: session.TypeAddon, Name: "GOLD"}) {
		t.Error("what the plan creates or activates is not known by type and code")
	}
	p.Clear()
	if p.Provides(gold) || p.Provides(seats) {
		t.Error("an apply did not clear the plan")
	}
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
		if seen.Load() != 1 {
			t.Fatalf("%d sides saw the rename, want 1", seen.Load())
		}
	}
}
