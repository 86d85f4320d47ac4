package effect_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

func TestAnnouncement_NotAnnounced(t *testing.T) {
	t.Parallel()
	announced := effect.Announce([]effect.Step{
		{Key: "suspend acme"},
		{Key: "deprovision acme", Counts: map[string]int{"members": 12, "package GOLD": 1}},
	})
	for name, tc := range map[string]struct {
		step effect.Step
		want string
	}{
		"the same":        {effect.Step{Key: "deprovision acme", Counts: map[string]int{"members": 12, "package GOLD": 1}}, ""},
		"fewer":           {effect.Step{Key: "deprovision acme", Counts: map[string]int{"members": 3}}, ""},
		"nothing counted": {effect.Step{Key: "suspend acme"}, ""},
		"another step":    {effect.Step{Key: "deprovision bolt"}, "deprovision bolt"},
		"more":            {effect.Step{Key: "deprovision acme", Counts: map[string]int{"members": 13}}, "deprovision acme with 13 members, where the plan announced 12"},
		"something else":  {effect.Step{Key: "deprovision acme", Counts: map[string]int{"package SILVER": 1}}, "deprovision acme with 1 package SILVER, where the plan announced 0"},
	} {
		assert.Equal(t, tc.want, announced.NotAnnounced(tc.step), name)
	}
}
