package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect/effecttest"
)

func brandingCases() []effecttest.Case {
	of := func(host hostName) *brandingModel { return &brandingModel{Domain: host} }
	acme := of(newText[hostKind](effecttest.Host))
	const kept = "Branding is only removed from state: forgotten sign.acme.example"
	return []effecttest.Case{
		{Name: "create", Got: brandingEffects(nil, acme), Want: nil},
		{Name: "update", Got: brandingEffects(acme, of(newText[hostKind]("SIGN.acme.example"))), Want: nil},
		{Name: "another host name", Got: brandingEffects(acme, of(newText[hostKind]("other.acme.example"))), Want: []string{kept}},
		{Name: "an unknown host name", Got: brandingEffects(acme, of(textValue[hostKind]{types.StringUnknown()})), Want: []string{kept}},
		{Name: "destroy", Got: brandingEffects(acme, nil), Want: []string{kept}},
	}
}

func TestBrandingEffects_AnnounceEachChange(t *testing.T) {
	t.Parallel()
	effecttest.Check(t, brandingCases(), effect.KeptBranding)
}
