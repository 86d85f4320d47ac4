package catalog

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/effecttest"
)

func itemOf(code fwtype.ItemCode, active types.Bool) *model {
	return &model{fields: fields{Code: code, Name: types.StringValue("Gold"), Active: active}}
}

func itemCases() []effecttest.Case {
	gold, on, off := fwtype.NewText[fwtype.CodeKind]("gold"), types.BoolValue(true), types.BoolValue(false)
	names := effect.Names{}
	effects := func(prior, planned *model) effect.Warnings { return Package.Warnings(prior, planned, names) }
	abandoned := itemOf(gold, on)
	abandoned.DeletionPolicy = types.StringValue(effect.PolicyAbandon)
	const created, deactivated = "Package code is permanent: permanent GOLD", "Deactivated code stays reserved: deactivated GOLD"
	return []effecttest.Case{
		{Name: "create a package", Got: effects(nil, itemOf(gold, on)), Want: []string{created}},
		{Name: "create an add-on", Got: Addon.Warnings(nil, itemOf(gold, on), names), Want: []string{"Add-on code is permanent: permanent GOLD"}},
		{Name: "create with an unknown code", Got: effects(nil, itemOf(fwtype.TextValue[fwtype.CodeKind]{StringValue: types.StringUnknown()}, on)), Want: []string{"Package code is permanent: permanent " + effecttest.Later}},
		{Name: "create inactive", Got: effects(nil, itemOf(gold, off)), Want: []string{created, deactivated}},
		{Name: "create perhaps inactive", Got: effects(nil, itemOf(gold, types.BoolUnknown())), Want: []string{created, deactivated + " if active is false"}},
		{Name: "rename", Got: effects(itemOf(gold, on), itemOf(gold, on)), Want: nil},
		{Name: "deactivate", Got: effects(itemOf(gold, on), itemOf(gold, off)), Want: []string{deactivated}},
		{Name: "deactivate what shows no flag", Got: effects(itemOf(gold, types.BoolNull()), itemOf(gold, off)), Want: []string{deactivated}},
		{Name: "deactivate perhaps", Got: effects(itemOf(gold, on), itemOf(gold, types.BoolUnknown())), Want: []string{deactivated + " if active is false"}},
		{Name: "activate", Got: effects(itemOf(gold, off), itemOf(gold, on)), Want: nil},
		{Name: "stays inactive", Got: effects(itemOf(gold, off), itemOf(gold, off)), Want: nil},
		{Name: "destroy", Got: effects(itemOf(gold, on), nil), Want: []string{"Catalog items cannot be deleted: deactivated GOLD, forgotten GOLD"}},
		{Name: "destroy an inactive one", Got: effects(itemOf(gold, off), nil), Want: []string{"Catalog items cannot be deleted: forgotten GOLD"}},
		{Name: "destroy an abandoned one", Got: effects(abandoned, nil), Want: []string{"Catalog items cannot be deleted: forgotten GOLD"}},
		{Name: "nothing", Got: effects(nil, nil), Want: nil},
	}
}

func TestItemEffects_AnnounceEachChange(t *testing.T) {
	t.Parallel()
	effecttest.Check(t, itemCases(), TopicPackageCode, TopicAddonCode, topicDeactivatedCode, TopicDeactivating)
}

func TestItemEffects_CountRemainingCodes(t *testing.T) {
	t.Parallel()
	names := effect.Names{}
	for want, remaining := range map[string]*int{
		"after deactivation (at most 96 remain).": new(96),
		"after deactivation.":                     nil,
		"after deactivation (at most 0 remain).":  new(-2),
	} {
		m := itemOf(fwtype.NewText[fwtype.CodeKind]("gold"), types.BoolValue(true))
		m.remaining = remaining
		effecttest.CheckDetail(t, Package.Warnings(nil, m, names), want)
	}
}
