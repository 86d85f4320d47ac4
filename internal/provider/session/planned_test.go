package session_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

func TestPlanned_SecondSideSeesRename(t *testing.T) {
	t.Parallel()
	p := session.NewPlanned()
	if p.Create("reseller_member", "a") || p.Destroy("reseller_member", "b") || p.Destroy("reseller_package", "a") {
		t.Error("different objects are a rename")
	}
	if !p.Destroy("reseller_member", "a") || !p.Create("reseller_member", "b") {
		t.Error("a rename was not seen by the second side")
	}
	if p.Destroy("reseller_member", "a") {
		t.Error("a destroy after a rejected rename is a rename")
	}
	if !p.Create("reseller_member", "a") {
		t.Error("a second rename was not seen")
	}
	p.Gone("reseller_member", "a")
	if p.Create("reseller_member", "a") {
		t.Error("a create is a rename of what a refresh did not find")
	}
	if !p.Destroy("reseller_member", "a") {
		t.Error("a rename was not seen after a refresh of another plan")
	}
	p.Clear()
	if p.Create("reseller_member", "a") || p.Destroy("reseller_member", "b") {
		t.Error("an apply did not clear the plan")
	}
}

func TestPlanned_ProvidesItems(t *testing.T) {
	t.Parallel()
	p := session.NewPlanned()
	p.Create(session.TypePackage, "GOLD")
	p.Activate(session.TypeAddon, "SEATS")
	if !p.Provides(session.TypePackage, "GOLD") || !p.Provides(session.TypeAddon, "SEATS") || p.Provides(session.TypeAddon, "GOLD") {
		t.Error("what the plan creates or activates is not known by type and code")
	}
	p.Clear()
	if p.Provides(session.TypePackage, "GOLD") || p.Provides(session.TypeAddon, "SEATS") {
		t.Error("an apply did not clear the plan")
	}
}

func TestPlanned_ConcurrentSidesSeeRename(t *testing.T) {
	t.Parallel()
	for range 100 {
		p := session.NewPlanned()
		var seen atomic.Int32
		var both sync.WaitGroup
		for _, side := range []func(string, string) bool{p.Create, p.Destroy} {
			both.Go(func() {
				if side("reseller_member", "a") {
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
