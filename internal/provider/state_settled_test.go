package provider_test

import (
	"testing"
)

// The stored states have a settled private label, with deletion_policy PREVENT, which the short path handles. One that
// was written under another schema lacks what this version added, and is read.
func TestState_ShortPath(t *testing.T) {
	t.Parallel()
	const settled = "reseller_private_label.settled"
	w, c := newStored(t, newestStates)
	w.Compares = true
	if got := c.State()[settled].Attributes["deletion_policy"]; got != "PREVENT" {
		t.Fatalf("deletion_policy %v", got)
	}
	plan := func() int64 {
		t.Helper()
		before := w.Answered.Load()
		c.Ok("plan", "-detailed-exitcode", "-no-color", "-target="+settled)
		return w.Answered.Load() - before
	}
	refresh := func() {
		t.Helper()
		before := w.Answered.Load()
		c.Ok("apply", "-refresh-only", "-auto-approve", "-no-color", "-target="+settled)
		if n := w.Answered.Load() - before; n != 0 {
			t.Errorf("the short path answered %d times", n)
		}
	}
	c.Ok("apply", "-refresh-only", "-auto-approve", "-no-color", "-target="+settled) // the schema may have changed since
	if n := plan(); n != 2 {
		t.Fatalf("%d answers of the short path, want a read and a plan", n)
	}
	rewriteInstance(t, c, settled, func(attributes map[string]any) {
		attributes["dns_records"] = nil // as if this version had added both
		delete(attributes, "created_at")
	})
	refresh()
	for _, name := range []string{"created_at", "dns_records"} {
		if c.State()[settled].Attributes[name] == nil {
			t.Errorf("%s stays null", name)
		}
	}
	if n := plan(); n != 2 {
		t.Errorf("%d answers of the short path, which is not taken again", n)
	}
	c.Plan("-destroy", "-target="+settled).WantError(t, "Resource is protected from deletion")
}
