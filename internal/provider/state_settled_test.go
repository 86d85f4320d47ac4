package provider_test

import (
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
)

// The stored states have a settled private label, with deletion_policy PREVENT, which the fast path handles. One that
// was written under another schema lacks what this version added, and is read.
func TestState_ShortPath(t *testing.T) {
	t.Parallel()
	const settled = "reseller_private_label.settled"
	w, c := newStored(t, newestStates)
	w.Compares = true
	if got := c.State()[settled].Attributes["deletion_policy"]; got != "PREVENT" {
		t.Fatalf("deletion_policy %v", got)
	}
	current := provider.SchemaFingerprint(provider.PrivateLabelSchema())
	rewriteInstance(t, c, settled, func(_, memory map[string]any) {
		if memory["quiet"] == nil {
			t.Fatalf("the private label took no short path: %v", memory)
		}
		memory["quiet"] = current
	})
	c.Ok("plan", "-detailed-exitcode", "-no-color", "-target="+settled)
	if n := w.Answered.Load(); n != 2 {
		t.Fatalf("%d answers of the short path, want a read and a plan", n)
	}
	rewriteInstance(t, c, settled, func(attributes, memory map[string]any) {
		attributes["created_at"], attributes["dns_records"] = nil, nil // as if this version had added them
		memory["quiet"] = "0011223344556677"
	})
	c.Ok("apply", "-refresh-only", "-auto-approve", "-no-color", "-target="+settled)
	if n := w.Answered.Load(); n != 2 {
		t.Errorf("the short path answered %d times more", n-2)
	}
	for _, name := range []string{"created_at", "dns_records"} {
		if c.State()[settled].Attributes[name] == nil {
			t.Errorf("%s stays null", name)
		}
	}
	c.Ok("plan", "-detailed-exitcode", "-no-color", "-target="+settled)
	if n := w.Answered.Load(); n != 4 {
		t.Errorf("the short path is not taken again")
	}
	c.Plan("-destroy", "-target="+settled).WantError(t, "Resource is protected from deletion")
}
