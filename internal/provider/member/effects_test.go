package member

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect/effecttest"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// memberOf returns a member; its ID is unknown if the member is to be added.
func memberOf(label types.String, address fwtype.Email, id types.String) *model {
	return &model{
		PrivateLabelID: label, Email: address, FirstName: types.StringValue("Bob"), LastName: types.StringValue("Byte"), ID: id,
		Role: types.StringValue(client.RoleMember), CreatedAt: timetypes.NewRFC3339Null(),
	}
}

func memberCases() []effecttest.Case {
	acme, other := types.StringValue(effecttest.Label), types.StringValue(strings.Repeat("f", 32))
	bob, eve := fwtype.NewText[fwtype.EmailKind]("bob@acme.example"), fwtype.NewText[fwtype.EmailKind]("eve@acme.example")
	bobID, eveID := types.StringValue(strings.Repeat("b", 32)), types.StringValue(strings.Repeat("e", 32))
	effects := func(prior, planned *model) effect.Notices { return notices(prior, planned, facts{}) }
	was := memberOf(acme, bob, bobID)
	const (
		removed  = "Removed member is signed out immediately: removed bob@acme.example"
		added    = "Adding a member sends an email: email bob@acme.example"
		addedEve = "Adding a member sends an email: email eve@acme.example"
	)
	renamed := memberOf(acme, bob, bobID)
	renamed.FirstName = types.StringValue("Robert")
	return []effecttest.Case{
		{Name: "add", Got: effects(nil, memberOf(acme, bob, types.StringUnknown())), Want: []string{added}},
		{Name: "add to a new private label", Got: effects(nil, memberOf(types.StringUnknown(), bob, types.StringUnknown())), Want: []string{added}},
		{Name: "add with an unknown address", Got: effects(nil, memberOf(acme, fwtype.TextValue[fwtype.EmailKind]{StringValue: types.StringUnknown()}, types.StringUnknown())), Want: []string{"Adding a member sends an email: email " + effecttest.Later}},
		{Name: "adopt", Got: effects(nil, memberOf(acme, bob, bobID)), Want: nil},
		{Name: "adopt by what the API shows", Got: notices(nil, memberOf(acme, bob, types.StringUnknown()), facts{adopts: true}), Want: nil},
		{Name: "no change", Got: effects(was, was), Want: nil},
		{Name: "another name", Got: effects(was, renamed), Want: nil},
		{Name: "another spelling of the address", Got: effects(was, memberOf(acme, fwtype.NewText[fwtype.EmailKind]("BOB@acme.example"), bobID)), Want: nil},
		{Name: "another address, first half", Got: effects(was, memberOf(acme, eve, bobID)), Want: []string{removed, addedEve}},
		{Name: "another address, whole", Got: effects(was, memberOf(acme, eve, types.StringUnknown())), Want: []string{removed, addedEve}},
		{Name: "another address that is a member already", Got: effects(was, memberOf(acme, eve, eveID)), Want: []string{removed}},
		{Name: "the same by what the API shows", Got: notices(was, memberOf(acme, eve, bobID), facts{adopts: true}), Want: []string{removed}},
		{Name: "another private label", Got: effects(was, memberOf(other, bob, bobID)), Want: []string{removed, added}},
		{Name: "an unknown private label", Got: effects(was, memberOf(types.StringUnknown(), bob, bobID)), Want: []string{"Member must be replaced: removed bob@acme.example, email bob@acme.example"}},
		{Name: "an unknown address", Got: effects(was, memberOf(acme, fwtype.TextValue[fwtype.EmailKind]{StringValue: types.StringUnknown()}, bobID)), Want: []string{"Member must be replaced: removed bob@acme.example, email " + effecttest.Later}},
		{Name: "destroy", Got: effects(was, nil), Want: []string{removed}},
		{Name: "nothing", Got: effects(nil, nil), Want: nil},
	}
}

func TestMemberEffects_AnnounceEachChange(t *testing.T) {
	t.Parallel()
	effecttest.Check(t, memberCases(), effect.AddingMember, effect.RemovingMember, effect.ReplacingMember)
}

func TestMemberEffects_NamePrivateLabel(t *testing.T) {
	t.Parallel()
	bob := memberOf(types.StringValue(effecttest.Label), fwtype.NewText[fwtype.EmailKind]("bob@acme.example"), types.StringUnknown())
	effecttest.CheckDetail(t, notices(nil, bob, facts{newHost: effecttest.Host}), "branded for sign.acme.example")
	effecttest.CheckDetail(t, notices(nil, bob, facts{}), "branded for private label "+effecttest.Label)
	effecttest.CheckDetail(t, notices(bob, nil, facts{host: effecttest.Host}), "bob@acme.example will be removed from sign.acme.example:")
}
