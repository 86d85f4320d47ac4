package privatelabel

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/effecttest"
)

// labelOf is an active private label; change adapts it.
func labelOf(change func(*model)) *model {
	m := &model{
		Domain: fwtype.NewText[fwtype.HostKind](effecttest.Host), detailModel: detailModel{ID: types.StringValue(effecttest.Label)},
		Owner: fwtype.ObjectFromAPI(ownerAttrs, &client.Owner{Email: "ada@acme.example", FirstName: "Ada", LastName: "L"}),
	}
	m.Status, m.DeletionPolicy = types.StringValue(client.StatusActive), types.StringValue(effect.PolicyPrevent)
	if change != nil {
		change(m)
	}
	return m
}

func isSuspended(m *model) {
	m.Suspended = types.BoolValue(true)
	m.Status, m.SuspendedBy = types.StringValue(client.StatusSuspended), types.StringValue("Reseller")
}

func underPolicy(p string) func(*model) {
	return func(m *model) { m.DeletionPolicy = types.StringValue(p) }
}

func privateLabelCases() []effecttest.Case {
	effects := func(prior, planned *model) effect.Warnings {
		return Label.Warnings(prior, planned, effect.Names{})
	}
	wants := func(v types.Bool) *model { return labelOf(func(m *model) { m.Suspended = v }) }
	suspended := labelOf(isSuspended)
	provisioned := TopicProvisioning.Summary + ": permanent sign.acme.example, email ada@acme.example"
	suspending := topicSuspending.Summary + ": suspended sign.acme.example"
	return []effecttest.Case{
		{Name: "create", Got: effects(nil, labelOf(nil)), Want: []string{provisioned}},
		{
			Name: "create with an unknown host name", Got: effects(nil, labelOf(func(m *model) {
				m.ID, m.Domain = types.StringUnknown(), fwtype.TextValue[fwtype.HostKind]{StringValue: types.StringUnknown()}
			})),
			Want: []string{TopicProvisioning.Summary + ": permanent " + effecttest.Later + ", email ada@acme.example"},
		},
		{
			Name: "create with an unknown owner", Got: effects(nil, labelOf(func(m *model) { m.Owner = types.ObjectUnknown(ownerAttrs) })),
			Want: []string{TopicProvisioning.Summary + ": permanent sign.acme.example, email " + effecttest.Later},
		},
		{Name: "create suspended", Got: effects(nil, wants(types.BoolValue(true))), Want: []string{provisioned, suspending}},
		{Name: "create active", Got: effects(nil, wants(types.BoolValue(false))), Want: []string{provisioned}},
		{Name: "create perhaps suspended", Got: effects(nil, wants(types.BoolUnknown())), Want: []string{provisioned, suspending + " if suspended is true"}},

		{Name: "no change", Got: effects(labelOf(nil), labelOf(nil)), Want: nil},
		{Name: "suspend", Got: effects(labelOf(nil), wants(types.BoolValue(true))), Want: []string{suspending}},
		{Name: "suspend perhaps", Got: effects(labelOf(nil), wants(types.BoolUnknown())), Want: []string{suspending + " if suspended is true"}},
		{Name: "stays suspended", Got: effects(suspended, suspended), Want: nil},
		{Name: "lift a suspension", Got: effects(suspended, wants(types.BoolValue(false))), Want: []string{topicUnsuspending.Summary + ": suspended sign.acme.example"}},
		{Name: "lift a suspension perhaps", Got: effects(suspended, wants(types.BoolUnknown())), Want: []string{topicUnsuspending.Summary + ": suspended sign.acme.example if suspended is false"}},
		{Name: "suspended again after it was lifted", Got: effects(labelOf(func(m *model) { m.Suspended = types.BoolValue(false) }), wants(types.BoolValue(true))), Want: []string{suspending}},
		{Name: "suspended is removed while suspended", Got: effects(suspended, wants(types.BoolNull())), Want: []string{topicKeptSuspension.Summary + ": forgotten sign.acme.example"}},
		{Name: "suspended is removed while active", Got: effects(wants(types.BoolValue(false)), wants(types.BoolNull())), Want: nil},
		{Name: "never managed", Got: effects(labelOf(func(m *model) { isSuspended(m); m.Suspended = types.BoolNull() }), wants(types.BoolNull())), Want: nil},
		{Name: "lower the protection", Got: effects(labelOf(nil), labelOf(underPolicy(effect.PolicySuspend))), Want: []string{effect.LoweringProtection.Summary + ": unprotected sign.acme.example"}},
		{Name: "raise the protection", Got: effects(labelOf(underPolicy(effect.PolicyDeprovision)), labelOf(nil)), Want: nil},

		{Name: "destroy with PREVENT", Got: effects(labelOf(nil), nil), Want: nil},
		{Name: "destroy with SUSPEND", Got: effects(labelOf(underPolicy(effect.PolicySuspend)), nil), Want: []string{TopicSuspendOnly.Summary + ": suspended sign.acme.example, forgotten sign.acme.example"}},
		{Name: "destroy with SUSPEND while suspended", Got: effects(labelOf(func(m *model) { isSuspended(m); underPolicy(effect.PolicySuspend)(m) }), nil), Want: []string{topicAbandoning.Summary + ": forgotten sign.acme.example"}},
		{Name: "destroy with ABANDON", Got: effects(labelOf(underPolicy(effect.PolicyAbandon)), nil), Want: []string{topicAbandoning.Summary + ": forgotten sign.acme.example"}},
		{Name: "destroy with DEPROVISION", Got: effects(labelOf(underPolicy(effect.PolicyDeprovision)), nil), Want: []string{"Deprovisioning sign.acme.example is permanent: destroyed sign.acme.example"}},
		{Name: "nothing", Got: effects(nil, nil), Want: nil},
	}
}

func TestPrivateLabelEffects_AnnounceEachChange(t *testing.T) {
	t.Parallel()
	effecttest.Check(t, privateLabelCases(), TopicProvisioning, TopicDeprovisioning, topicSuspending, topicUnsuspending, TopicSuspendOnly, topicAbandoning, topicKeptSuspension)
}

func TestPrivateLabelEffects_CountWhatIsLost(t *testing.T) {
	t.Parallel()
	for want, now := range map[string]*shown{
		"with its members and its package, if it has one": nil,
		"with 12 members and package GOLD":                {PrivateLabel: client.PrivateLabel{MemberCount: new(anyjson.Count(12)), Assignment: anyjson.Given(&client.Assignment{PackageCode: "GOLD"})}},
		"with 1 member; it has no package":                {PrivateLabel: client.PrivateLabel{MemberCount: new(anyjson.Count(1)), Assignment: anyjson.Given[client.Assignment](nil)}},
	} {
		was := labelOf(underPolicy(effect.PolicyDeprovision))
		live, _ := was.filledFrom(now, nil)
		effecttest.CheckDetail(t, resource{}.Warnings(view{Was: was, Live: live}, resource{}.Steps(was, nil, live)), want)
	}
}
