package branding

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/effecttest"
)

func brandingCases() []effecttest.Case {
	modelOf := func(host fwtype.HostName) *model { return &model{Domain: host} }
	names := effect.Names{New: map[string]bool{"new.acme.example": true}}
	warnings := func(was, want *model) effect.Warnings { return Branding.Warnings(was, want, names) }
	acme := modelOf(fwtype.NewText[fwtype.HostKind](effecttest.Host))
	branded := func(host, color string, logo types.String) *model {
		return &model{
			Domain: fwtype.NewText[fwtype.HostKind](host), ColorPrimary: fwtype.NewText[fwtype.ColorKind](color), LogoPath: types.StringValue("logo.png"), LogoSHA256: logo,
		}
	}
	unknownColor := branded(effecttest.Host, "#0a0", types.StringValue("a"))
	unknownColor.ColorPrimary = fwtype.Color{StringValue: types.StringUnknown()}
	somewhere := branded(effecttest.Host, "#0a0", types.StringValue("a"))
	somewhere.Domain = fwtype.TextValue[fwtype.HostKind]{StringValue: types.StringUnknown()}
	green := branded(effecttest.Host, "#0a0", types.StringValue("a"))
	overwritten := TopicOverwriting.Summary + ": overwritten sign.acme.example"
	kept := TopicKeptBranding.Summary + ": forgotten sign.acme.example"
	return []effecttest.Case{
		{Name: "create", Got: warnings(nil, acme), Want: nil},
		{Name: "update", Got: warnings(acme, modelOf(fwtype.NewText[fwtype.HostKind](effecttest.Host))), Want: nil},
		{Name: "another host name", Got: warnings(acme, modelOf(fwtype.NewText[fwtype.HostKind]("other.acme.example"))), Want: []string{kept}},
		{Name: "an unknown host name", Got: warnings(acme, modelOf(fwtype.TextValue[fwtype.HostKind]{StringValue: types.StringUnknown()})), Want: nil},
		{Name: "destroy", Got: warnings(acme, nil), Want: []string{kept}},
		{Name: "first branding", Got: warnings(nil, green), Want: []string{overwritten}},
		{Name: "first branding of a new private label", Got: warnings(nil, branded("NEW.acme.example", "#0a0", types.StringValue("a"))), Want: nil},
		{Name: "first branding of an unknown host name", Got: warnings(nil, somewhere), Want: []string{TopicOverwriting.Summary + ": overwritten " + effecttest.Later + " if the private label has any"}},
		{Name: "first values after an import", Got: warnings(acme, green), Want: []string{overwritten}},
		{Name: "the same color in another notation", Got: warnings(green, branded(effecttest.Host, "#00AA00", types.StringValue("a"))), Want: nil},
		{Name: "another color", Got: warnings(green, branded(effecttest.Host, "#00b", types.StringValue("a"))), Want: []string{overwritten}},
		{Name: "another logo", Got: warnings(green, branded(effecttest.Host, "#0a0", types.StringValue("b"))), Want: []string{overwritten}},
		{Name: "an unknown color and another logo", Got: warnings(branded(effecttest.Host, "#0a0", types.StringValue("b")), unknownColor), Want: []string{overwritten + ", overwritten sign.acme.example if the value differs"}},
		{Name: "an unset color", Got: warnings(green, acme), Want: nil},
	}
}

func TestBrandingEffects_AnnounceEachChange(t *testing.T) {
	t.Parallel()
	effecttest.Check(t, brandingCases(), TopicKeptBranding, TopicOverwriting)
}
