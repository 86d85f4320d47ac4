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
		{Key: "deprovision acme", Loses: []string{"member ada", "member bob", "package GOLD"}},
	})
	for name, tc := range map[string]struct {
		step effect.Step
		want string
	}{
		"the same":     {effect.Step{Key: "deprovision acme", Loses: []string{"member ada", "member bob", "package GOLD"}}, ""},
		"fewer":        {effect.Step{Key: "deprovision acme", Loses: []string{"member bob"}}, ""},
		"nothing lost": {effect.Step{Key: "suspend acme"}, ""},
		"another step": {effect.Step{Key: "deprovision bolt"}, "deprovision bolt"},
		"more":         {effect.Step{Key: "deprovision acme", Loses: []string{"member ada", "member joe"}}, "deprovision acme, now with member joe"},
		"more of both": {effect.Step{Key: "deprovision acme", Loses: []string{"member joe", "package SILVER"}}, "deprovision acme, now with member joe and package SILVER"},
		"many": {
			effect.Step{Key: "deprovision acme", Loses: []string{"member bob", "member c", "member d", "member e", "member f", "member g", "member h", "package GOLD", "package SILVER"}},
			"deprovision acme, now with member c, member d, member e and 4 more",
		},
	} {
		assert.Equal(t, tc.want, announced.NotAnnounced(tc.step), name)
	}
}
