package member

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/effecttest"
)

// memberOf returns a member; the ID is unknown if the member is to be added.
func memberOf(label types.String, address fwtype.Email, id types.String) *model {
	m := &model{
		PrivateLabelID: label, Email: address, FirstName: types.StringValue("Bob"), LastName: types.StringValue("Byte"), ID: id,
		Role: types.StringValue(client.RoleMember), CreatedAt: timetypes.NewRFC3339Null(),
	}
	m.DeletionPolicy = types.StringValue(effect.PolicyRemove)
	return m
}

// inReview are the names of a saved plan that has the private label.
func inReview() object.Names {
	return effect.Names{Hosts: map[string]string{effecttest.Label: effecttest.Host}}
}

func TestMemberWarnings(t *testing.T) {
	t.Parallel()
	acme, other := types.StringValue(effecttest.Label), types.StringValue(strings.Repeat("f", 32))
	bob, eve := fwtype.NewText[fwtype.EmailKind](bobEmail), fwtype.NewText[fwtype.EmailKind](eveEmail)
	unknown := fwtype.TextValue[fwtype.EmailKind]{StringValue: types.StringUnknown()}
	id, later := types.StringValue(strings.Repeat("b", 32)), types.StringUnknown()
	warnings := func(was, want *model) effect.Warnings { return Member.Warnings(was, want, inReview()) }
	was := memberOf(acme, bob, id)
	var (
		removed  = TopicRemovingMember.Summary + ": removed " + bobEmail
		left     = TopicLeavingMembers.Summary + ": forgotten " + bobEmail
		added    = TopicAddingMember.Summary + ": email " + bobEmail
		addedEve = TopicAddingMember.Summary + ": email " + eveEmail
		addedAny = TopicAddingMember.Summary + ": email " + effecttest.Later
		lowered  = effect.RemovingProtection.Summary + ": unprotected " + bobEmail
	)
	renamed, abandoned, kept := *was, *was, *was
	renamed.FirstName = types.StringValue("Robert")
	abandoned.DeletionPolicy = types.StringValue(effect.PolicyAbandon)
	kept.DeletionPolicy = types.StringValue(effect.PolicyPrevent)
	effecttest.Check(t, []effecttest.Case{
		{Name: "add", Got: warnings(nil, memberOf(acme, bob, later)), Want: []string{added}},
		{Name: "add to a new private label", Got: warnings(nil, memberOf(later, bob, later)), Want: []string{added}},
		{Name: "add with an unknown address", Got: warnings(nil, memberOf(acme, unknown, later)), Want: []string{addedAny}},
		{Name: "no change", Got: warnings(was, was), Want: nil},
		{Name: "another name", Got: warnings(was, &renamed), Want: nil},
		{Name: "another address", Got: warnings(was, memberOf(acme, eve, later)), Want: []string{removed, addedEve}},
		{Name: "another address of an abandoned one", Got: warnings(&abandoned, memberOf(acme, eve, later)), Want: []string{left, addedEve}},
		{Name: "another private label", Got: warnings(was, memberOf(other, bob, later)), Want: []string{removed, added}},
		{Name: "an unknown private label", Got: warnings(was, memberOf(later, bob, id)), Want: nil},
		{Name: "an unknown address", Got: warnings(was, memberOf(acme, unknown, id)), Want: nil},
		{Name: "replaced by an unknown address", Got: warnings(was, memberOf(acme, unknown, later)), Want: []string{removed, addedAny}},
		{Name: "destroy", Got: warnings(was, nil), Want: []string{removed}},
		{Name: "abandon", Got: warnings(&abandoned, nil), Want: []string{left}},
		{Name: "lower the protection", Got: warnings(&kept, was), Want: []string{lowered}},
		{Name: "raise the protection", Got: warnings(was, &kept), Want: nil},
		{Name: "nothing", Got: warnings(nil, nil), Want: nil},
	}, TopicAddingMember, TopicRemovingMember)
}

func TestMemberWarnings_NamePrivateLabel(t *testing.T) {
	t.Parallel()
	bob := memberOf(types.StringValue(effecttest.Label), fwtype.NewText[fwtype.EmailKind](bobEmail), types.StringUnknown())
	effecttest.CheckDetail(t, Member.Warnings(nil, bob, inReview()), "branded for sign.acme.example")
	effecttest.CheckDetail(t, Member.Warnings(nil, bob, effect.Names{}), "branded for private label "+effecttest.Label)
	effecttest.CheckDetail(t, Member.Warnings(bob, nil, inReview()), "bob@acme.example will be removed from sign.acme.example:")
}
