package provider_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// The stored states have a settled private label, with deletion_policy PREVENT, which the short path handles. One that
// was written under another schema lacks what this version added, and is read.
func TestState_ShortPath(t *testing.T) {
	t.Parallel()
	const settled = "reseller_private_label.settled"
	w, c := newStored(t, newestStates)
	w.Compares = true
	require.Equal(t, "PREVENT", c.State()[settled].Attributes["deletion_policy"])
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
		assert.Equal(t, int64(0), w.Answered.Load()-before, "the short path answered times")
	}
	c.Ok("apply", "-refresh-only", "-auto-approve", "-no-color", "-target="+settled) // the schema may have changed since
	require.Equal(t, int64(2), plan(), "answers of the short path")
	rewriteInstance(t, c, settled, func(attributes map[string]any) {
		attributes["dns_records"] = nil // as if this version had added both
		delete(attributes, "created_at")
	})
	refresh()
	for _, name := range []string{"created_at", "dns_records"} {
		assert.NotNil(t, c.State()[settled].Attributes[name], "%s stays null", name)
	}
	assert.Equal(t, int64(2), plan(), "answers of the short path, which is not taken again")
	c.Plan("-destroy", "-target="+settled).WantError(t, effect.SummaryProtected)
}
