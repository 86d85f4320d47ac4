package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// A CLI before 1.15 has a process for each walk; a later one may make several walks in one.
func TestRequestPeriods_Walks(t *testing.T) {
	t.Parallel()
	for cli, shared := range map[string]bool{
		"1.11.4": false, "1.14.9": false, "1.15.0": true, "1.15.0-beta1": true, "1.15.9": true, "2.0.0": true, "": true, "none": true,
	} {
		var periods requestPeriods
		walk := periods.walks(cli)
		periods.begin()()
		first := walk()
		periods.begin()()
		if changed := walk() != first; changed != shared {
			t.Errorf("%q: another walk: %t", cli, changed)
		}
	}
}

// A period lasts while a request is in flight.
func TestRequestPeriods_Overlap(t *testing.T) {
	t.Parallel()
	var periods requestPeriods
	endA := periods.begin()
	a := periods.current()
	endB := periods.begin()
	endA()
	endC := periods.begin()
	if periods.current() != a {
		t.Error("a chain of requests is one period")
	}
	endB()
	endC()
	periods.begin()()
	if periods.current() == a {
		t.Error("a request after a gap is in the period before it")
	}
}

func TestWalkNames(t *testing.T) {
	t.Parallel()
	now := 1
	names := session.NewWalkNames(func() int { return now })
	none := func(string) bool { return false }
	if names.Add("GOLD") || names.Has("SILVER") || !names.Has("GOLD") {
		t.Error("a first mention is none")
	}
	if !names.Add("GOLD") {
		t.Error("a second mention in one walk is missed")
	}
	names.Add("SILVER")
	names.AddUnnamed()
	if n := names.Count(none); n != 3 {
		t.Errorf("%d creates, want 3", n)
	}
	if n := names.Count(func(name string) bool { return name == "GOLD" }); n != 2 {
		t.Errorf("%d creates of what is not there, want 2", n)
	}
	now = 2
	if names.Has("GOLD") || names.Count(none) != 2 {
		t.Error("another walk has the names of the last one")
	}
	if names.Add("GOLD") {
		t.Error("a new walk mentions a name twice")
	}
	if n := names.Count(none); n != 1 {
		t.Errorf("%d creates: what was mentioned before the new walk counts", n)
	}
	now = 3
	names.Add("BRONZE")
	names.Begin()
	if names.Has("GOLD") || !names.Has("BRONZE") || names.Count(none) != 1 {
		t.Error("a new walk keeps what another mentioned, or drops its own")
	}
}

// A walk reads each object once, and an apply reads none.
func TestWalkReads(t *testing.T) {
	t.Parallel()
	state := func(text string) *tfprotov6.DynamicValue { return &tfprotov6.DynamicValue{MsgPack: []byte(text)} }
	for name, tc := range map[string]struct {
		reads func(r *session.WalkReads) bool
		want  bool
	}{
		"the first read":  {func(r *session.WalkReads) bool { return r.Begin("a", state("1")) }, false},
		"another object":  {func(r *session.WalkReads) bool { r.Begin("a", state("1")); return r.Begin("a", state("2")) }, false},
		"another type":    {func(r *session.WalkReads) bool { r.Begin("a", state("1")); return r.Begin("b", state("1")) }, false},
		"the same object": {func(r *session.WalkReads) bool { r.Begin("a", state("1")); return r.Begin("a", state("1")) }, true},
		"as it was read": {func(r *session.WalkReads) bool {
			r.Begin("a", state("1"))
			r.End("a", state("2"))
			return r.Begin("a", state("2"))
		}, true},
		"after an apply":         {func(r *session.WalkReads) bool { r.Begin("a", state("1")); r.Apply(); return r.Begin("a", state("2")) }, true},
		"the second of an apply": {func(r *session.WalkReads) bool { r.Apply(); r.Begin("a", state("1")); return r.Begin("a", state("2")) }, false},
		"once in the new walk": {func(r *session.WalkReads) bool {
			r.Begin("a", state("1"))
			r.Begin("a", state("2"))
			r.Begin("a", state("1"))
			return r.Begin("a", state("2"))
		}, false},
		"an object without a state": {func(r *session.WalkReads) bool { return r.Begin("a", nil) }, false},
	} {
		if got := tc.reads(session.NewWalkReads()); got != tc.want {
			t.Errorf("%s: a new walk: %t", name, got)
		}
	}
}
