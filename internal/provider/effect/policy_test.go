package effect_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/effecttest"
	"github.com/privatelabels/terraform-provider-reseller/internal/tool/wording"
)

var (
	labelPolicy = effect.DeletionPolicy{
		Noun: "private label", Values: []string{effect.PolicyPrevent, effect.PolicySuspend, effect.PolicyAbandon, effect.PolicyDeprovision},
		Loss: "deletes it permanently, and its host name cannot be reused",
	}
	assignmentPolicy = effect.DeletionPolicy{
		Noun: "assignment of", Values: []string{effect.PolicyRemove, effect.PolicyAbandon, effect.PolicyPrevent},
		Loss: "removes package and add-ons",
	}
	about         = effect.Effect{Label: effect.Label{Host: effecttest.Host}}
	packagePolicy = effect.DeletionPolicy{
		Noun: "package", Values: []string{effect.PolicyDeactivate, effect.PolicyAbandon, effect.PolicyPrevent}, Loss: "deactivates it",
	}
)

// Each policy, from each value to each value: a value that loses more is announced, with what a destroy then does.
func TestDeletionPolicy_AnnouncesWhatIsLowered(t *testing.T) {
	t.Parallel()
	lowered := map[string]string{ // by prior and planned value
		"PREVENT ABANDON":     "only removes it from state",
		"PREVENT SUSPEND":     "suspends it and removes it from state",
		"PREVENT DEPROVISION": "deletes it permanently, and its host name cannot be reused",
		"ABANDON DEPROVISION": "deletes it permanently, and its host name cannot be reused",
		"SUSPEND DEPROVISION": "deletes it permanently, and its host name cannot be reused",
		"PREVENT REMOVE":      "removes package and add-ons",
		"ABANDON REMOVE":      "removes package and add-ons",
		"PREVENT DEACTIVATE":  "deactivates it",
		"ABANDON DEACTIVATE":  "deactivates it",
	}
	announced := map[string]effect.Topic{
		"ABANDON": effect.LoweringProtection, "SUSPEND": effect.LoweringProtection, "REMOVE": effect.RemovingProtection, "DEACTIVATE": effect.RemovingProtection,
		"DEPROVISION": effect.PermittingDeprovisioning.ForHost(effecttest.Host),
	}
	seen := 0
	var cases []effecttest.Case
	for _, p := range []effect.DeletionPolicy{labelPolicy, assignmentPolicy, packagePolicy} {
		for _, was := range p.Values {
			for _, will := range p.Values {
				warnings := p.Lowered(effecttest.Host, about, types.StringValue(was), types.StringValue(will))
				destroys, ok := lowered[was+" "+will]
				tc := effecttest.Case{Name: p.Noun + " from " + was + " to " + will, Got: warnings}
				if ok {
					seen++
					tc.Want = []string{announced[will].Summary + ": unprotected sign.acme.example"}
					effecttest.CheckDetail(t, warnings, p.Noun+" sign.acme.example changes from "+was+" to "+will+". After this apply, a destroy "+destroys+".")
					checkPhrase(t, warnings, "deletion_policy changes from "+was+" to "+will+", so that a destroy "+destroys)
				}
				cases = append(cases, tc)
			}
		}
	}
	assert.GreaterOrEqual(t, seen, len(lowered), "changes were seen")
	effecttest.Check(t, cases, effect.LoweringProtection, effect.RemovingProtection, effect.PermittingDeprovisioning)
	assert.Equal(t, "Deprovisioning sign.acme.example will be permitted", announced["DEPROVISION"].Summary)
}

func TestDeletionPolicy_KnownAfterApply(t *testing.T) {
	t.Parallel()
	for was, want := range map[string]string{
		"PREVENT":     "deletion protection lowered from PREVENT, if deletion_policy is SUSPEND, ABANDON or DEPROVISION",
		"SUSPEND":     "deletion protection lowered from SUSPEND, if deletion_policy is DEPROVISION",
		"ABANDON":     "deletion protection lowered from ABANDON, if deletion_policy is DEPROVISION",
		"DEPROVISION": "",
	} {
		warnings := labelPolicy.Lowered(effecttest.Host, about, types.StringValue(was), types.StringUnknown())
		if want == "" {
			assert.Nil(t, warnings, "from %s", was)
			continue
		}
		checkPhrase(t, warnings, want)
		effecttest.CheckDetail(t, warnings, "deletion_policy of the private label sign.acme.example is known after apply. If it is ")
		effecttest.Check(t, []effecttest.Case{{Name: was, Got: warnings, Want: []string{
			"Deprovisioning sign.acme.example will be permitted: unprotected sign.acme.example if " + strings.TrimPrefix(want, "deletion protection lowered from "+was+", if "),
		}}})
	}
}

// An import has no deletion_policy, and a destroy no planned one.
func TestDeletionPolicy_NothingToLower(t *testing.T) {
	t.Parallel()
	null, unknown, prevent, remove := types.StringNull(), types.StringUnknown(), types.StringValue("PREVENT"), types.StringValue("REMOVE")
	for _, change := range [][2]types.String{{null, remove}, {null, unknown}, {null, null}, {unknown, remove}, {prevent, null}} {
		assert.Nil(t, assignmentPolicy.Lowered(effecttest.Host, about, change[0], change[1]), change)
	}
}

func checkPhrase(t *testing.T, warnings effect.Warnings, want string) {
	t.Helper()
	effects := warnings.Effects()
	require.Len(t, effects, 1, "want %q", want)
	assert.Equal(t, want, effects[0].What(), "got %+v", effects)
}

func TestDeletionPolicy_Prevented(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]interface{ Detail() string }{
		`deletion_policy of the assignment of sign.acme.example is "PREVENT".`: assignmentPolicy.Prevented(effecttest.Host),
		`To destroy it, apply a new deletion_policy in its block. `:            packagePolicy.Prevented("GOLD"),
		`Restore a removed block first`:                                        packagePolicy.Prevented("GOLD"),
		`deletion_policy in its block (a client's file: leaving)`:              labelPolicy.Prevented(effecttest.Host),
	} {
		assert.Contains(t, d.Detail(), want)
		for _, word := range wording.Banned(d.Detail()) {
			t.Errorf("%s in %q", word, d.Detail())
		}
	}
	d, ok := labelPolicy.Prevented(effecttest.Host).(interface{ Path() path.Path })
	require.True(t, ok, "the error is not at deletion_policy")
	assert.True(t, d.Path().Equal(path.Root("deletion_policy")), "the error is not at deletion_policy")
}

func TestDeletionPolicy_Attribute(t *testing.T) {
	t.Parallel()
	a := assignmentPolicy.Attribute()
	const want = "What destroying the resource does. `REMOVE` (default): removes package and add-ons. `ABANDON`: only removes it from state. `PREVENT`: fails at plan time. " +
		"Terraform uses the value in state. Apply a change before you destroy the resource."
	assert.Equal(t, want, a.MarkdownDescription)
	if !a.Optional || !a.Computed || a.Default == nil || len(a.Validators) != 1 {
		t.Errorf("%+v", a)
	}
}
