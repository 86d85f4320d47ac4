package branding

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect/effecttest"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func brandingCases() []effecttest.Case {
	of := func(host fwtype.HostName) *model { return &model{Domain: host} }
	notices := func(was, want *model) effect.Notices {
		return Branding.Notices(was, want, effect.Names{})
	}
	acme := of(fwtype.NewText[fwtype.HostKind](effecttest.Host))
	const kept = "Branding is only removed from state: forgotten sign.acme.example"
	return []effecttest.Case{
		{Name: "create", Got: notices(nil, acme), Want: nil},
		{Name: "update", Got: notices(acme, of(fwtype.NewText[fwtype.HostKind](effecttest.Host))), Want: nil},
		{Name: "another host name", Got: notices(acme, of(fwtype.NewText[fwtype.HostKind]("other.acme.example"))), Want: []string{kept}},
		{Name: "an unknown host name", Got: notices(acme, of(fwtype.TextValue[fwtype.HostKind]{StringValue: types.StringUnknown()})), Want: []string{kept}},
		{Name: "destroy", Got: notices(acme, nil), Want: []string{kept}},
	}
}

func TestBrandingEffects_AnnounceEachChange(t *testing.T) {
	t.Parallel()
	effecttest.Check(t, brandingCases(), topicKeptBranding)
}
