package member_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The CLI shows no warning of the plan that -replace adds, so that nothing would announce the removal and the email.
func TestMember_ReplaceIsRejected(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.Applied(t, w.TestEnv, w.Bob())
	emails := w.Mails(providertest.BobEmail)
	w.Sim.ResetJournal()
	for _, refresh := range []string{"-refresh=true", "-refresh=false"} {
		for _, act := range []func(...string) providertest.Result{c.Plan, c.Apply} {
			act("-replace="+providertest.Bob, refresh).WantError(t, member.SummaryNoReplace, providertest.BobEmail, providertest.AcmeHost, "reseller_resend_invite")
		}
	}
	require.NoError(t, w.Sim.RemovePersonInConsole(providertest.AcmeHost, providertest.BobEmail))
	c.Plan("-replace="+providertest.Bob, "-refresh=false").WantError(t, member.SummaryNoReplace)
	w.WantReads()
	c.Plan("-replace="+providertest.Bob).WantText(t, member.SummaryRemoved, member.TopicAddingMember.Summary)
	assert.Equal(t, emails, w.Mails(providertest.BobEmail))
	c.Apply().WantOK(t, "1 added")
	c.WantEmptyPlan()
}
