package effect_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/effecttest"
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
		"as many as are named": {
			effect.Step{Key: "deprovision acme", Loses: []string{"member c", "member d", "member e"}}, "deprovision acme, now with member c, member d and member e",
		},
		"many": {
			effect.Step{Key: "deprovision acme", Loses: []string{"member bob", "member c", "member d", "member e", "member f", "member g", "member h", "package GOLD", "package SILVER"}},
			"deprovision acme, now with member c, member d, member e and 4 more",
		},
	} {
		assert.Equal(t, tc.want, announced.NotAnnounced(tc.step), name)
	}
}

// A warning is at its attribute, if it has one.
func TestWarnings_AtTheirAttribute(t *testing.T) {
	t.Parallel()
	topic := labelPolicy.Lowered(effecttest.Host, about, types.StringValue("PREVENT"), types.StringValue("SUSPEND"))[0].Topic
	for _, at := range []path.Path{path.Empty(), path.Root("suspended")} {
		told, isAt := effect.Warnings{{Topic: topic, At: at, Detail: "It is suspended."}}.Diagnostics()[0].(diag.DiagnosticWithPath)
		assert.Equal(t, len(at.Steps()) > 0, isAt)
		if isAt {
			assert.Equal(t, at, told.Path())
		}
	}
}
