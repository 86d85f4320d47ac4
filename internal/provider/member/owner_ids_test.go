package member_test

import (
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// user_ids has the owner of the map after each apply.
func TestMembers_UserIDOfAnOwner(t *testing.T) {
	t.Parallel()
	w := providertest.NewLabelEnv(t)
	c := coretest.New(t, w.TestEnv)
	ids := func() map[string]any {
		got, _ := c.State()[providertest.Team].Attributes["user_ids"].(map[string]any)
		return got
	}
	for _, people := range [][]string{{adaMail, bobMail}, {adaMail, bobMail, eveMail}, {adaMail, eveMail}, {eveMail}, {adaMail, eveMail}} {
		c.Config(w.Team(people...))
		c.Apply().WantOK(t)
		for _, email := range people {
			if ids()[email] == nil || ids()[email] == "" {
				t.Errorf("%v: user_ids is %v", people, ids())
			}
		}
		c.WantEmptyPlan()
	}
}
