package catalog

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect/effecttest"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func itemOf(code fwtype.ItemCode, active types.Bool) *model {
	return &model{Code: code, Name: types.StringValue("Gold"), Active: active}
}

func itemCases() []effecttest.Case {
	gold, on, off := fwtype.NewText[fwtype.CodeKind]("gold"), types.BoolValue(true), types.BoolValue(false)
	effects := func(prior, planned *model) effect.Notices {
		return notices(client.KindPackage, prior, planned, catalogFacts{})
	}
	const created, deactivated = "Package code is permanent: permanent GOLD", "Deactivated code stays reserved: deactivated GOLD"
	return []effecttest.Case{
		{Name: "create a package", Got: effects(nil, itemOf(gold, on)), Want: []string{created}},
		{Name: "create an add-on", Got: notices(client.KindAddon, nil, itemOf(gold, on), catalogFacts{}), Want: []string{"Add-on code is permanent: permanent GOLD"}},
		{Name: "create with an unknown code", Got: effects(nil, itemOf(fwtype.TextValue[fwtype.CodeKind]{StringValue: types.StringUnknown()}, on)), Want: []string{"Package code is permanent: permanent " + effecttest.Later}},
		{Name: "create inactive", Got: effects(nil, itemOf(gold, off)), Want: []string{created, deactivated}},
		{Name: "create perhaps inactive", Got: effects(nil, itemOf(gold, types.BoolUnknown())), Want: []string{created, deactivated}},
		{Name: "rename", Got: effects(itemOf(gold, on), itemOf(gold, on)), Want: nil},
		{Name: "deactivate", Got: effects(itemOf(gold, on), itemOf(gold, off)), Want: []string{deactivated}},
		{Name: "deactivate perhaps", Got: effects(itemOf(gold, on), itemOf(gold, types.BoolUnknown())), Want: []string{deactivated}},
		{Name: "activate", Got: effects(itemOf(gold, off), itemOf(gold, on)), Want: nil},
		{Name: "stays inactive", Got: effects(itemOf(gold, off), itemOf(gold, off)), Want: nil},
		{Name: "destroy", Got: effects(itemOf(gold, on), nil), Want: []string{"Catalog items cannot be deleted: deactivated GOLD, forgotten GOLD"}},
		{Name: "destroy an inactive one", Got: effects(itemOf(gold, off), nil), Want: []string{"Catalog items cannot be deleted: forgotten GOLD"}},
		{Name: "nothing", Got: effects(nil, nil), Want: nil},
	}
}

func TestItemEffects_AnnounceEachChange(t *testing.T) {
	t.Parallel()
	effecttest.Check(t, itemCases(), effect.PackageCode, effect.AddonCode, effect.DeactivatedCode, effect.Deactivating)
}

func TestItemEffects_CountRemainingCodes(t *testing.T) {
	t.Parallel()
	created := itemOf(fwtype.NewText[fwtype.CodeKind]("gold"), types.BoolValue(true))
	for want, facts := range map[string]catalogFacts{
		"after deactivation (at most 96 remain after this apply). Check": {known: true, items: 2, planned: 2},
		"after deactivation. Check":                                      {},
		"after deactivation. Check the code":                             {known: true, items: 99, planned: 2},
	} {
		effecttest.CheckDetail(t, notices(client.KindPackage, nil, created, facts), want)
	}
}
