package member_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// A state may have no ID: a refresh finds the member by the address, and so does a destroy.
func TestMember_WithoutAnID(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		gone   bool
		config func(w *providertest.LabelEnv) string
		option string
		seats  int
	}{
		"refreshed":                       {false, (*providertest.LabelEnv).Bob, "-refresh=true", 2},
		"destroyed":                       {false, func(w *providertest.LabelEnv) string { return w.Config("") }, "-refresh=true", 1},
		"destroyed without a refresh":     {false, func(w *providertest.LabelEnv) string { return w.Config("") }, "-refresh=false", 1},
		"gone":                            {true, (*providertest.LabelEnv).Bob, "-refresh=true", 2},
		"gone, destroyed":                 {true, func(w *providertest.LabelEnv) string { return w.Config("") }, "-refresh=true", 1},
		"gone, destroyed with no refresh": {true, func(w *providertest.LabelEnv) string { return w.Config("") }, "-refresh=false", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewLabelEnv(t)
			c := coretest.Applied(t, w.TestEnv, w.Bob())
			c.Store(providertest.Bob, "id", nil)
			if tc.gone {
				require.NoError(t, w.Sim.RemovePersonInConsole(providertest.AcmeHost, bobMail))
			}
			c.Config(tc.config(w))
			c.Apply(tc.option).WantOK(t)
			if bobInstance, ok := c.State()[providertest.Bob]; ok && bobInstance.Attributes["id"] == nil {
				t.Error("the state has no ID")
			}
			assert.Equal(t, tc.seats, w.Seats())
			c.WantEmptyPlan()
		})
	}
}

// For any import ID: an accepted one can be composed again, and names a member.
func FuzzSplitMemberID(f *testing.F) {
	for _, seed := range []string{
		"sign.acme.example/bob@acme.example", "0123456789abcdef0123456789abcdef/fedcba9876543210fedcba9876543210",
		"/bob@acme.example", "sign.acme.example/", "a/b/c@d.example", "", "/", "sign.acme.example",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, id string) {
		label, person, ok := member.SplitMemberID(id)
		if !ok {
			return
		}
		assert.NotEmpty(t, label, id)
		assert.NotContains(t, label, "/", id)
		assert.Equal(t, id, label+"/"+person)
		assert.True(t, fwtype.IDForm.MatchString(person) || strings.Contains(person, "@"), "%q is treated as a person", person)
	})
}
