package branding

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
)

// model is the colors and logos that were last sent to a host name, since the API does not return them.
type model struct {
	Domain fwtype.HostName `tfsdk:"domain"`

	ColorPrimary           fwtype.Color `tfsdk:"color_primary"`
	ColorPrimaryForeground fwtype.Color `tfsdk:"color_primary_foreground"`
	ColorAccent            fwtype.Color `tfsdk:"color_accent"`
	ColorAccentForeground  fwtype.Color `tfsdk:"color_accent_foreground"`
	ColorAppBarBackground  fwtype.Color `tfsdk:"color_app_bar_background"`
	ColorFooterBackground  fwtype.Color `tfsdk:"color_footer_background"`

	LogoPath       types.String `tfsdk:"logo_path"`
	BannerLogoPath types.String `tfsdk:"banner_logo_path"`
	ReapplyTrigger types.String `tfsdk:"reapply_trigger"`

	ID               types.String `tfsdk:"id"`
	LogoSHA256       types.String `tfsdk:"logo_sha256"`
	BannerLogoSHA256 types.String `tfsdk:"banner_logo_sha256"`
	object.Base
}

// color is one color of a model: its attribute, and its field in the API's body.
type color struct {
	attribute string
	value     *fwtype.Color
	sent      *string
}

// colors are all colors of the model: first two backgrounds, each followed by the text on it.
func (m *model) colors(sent *client.Colors) []color {
	return []color{
		{"color_primary", &m.ColorPrimary, &sent.Primary},
		{"color_primary_foreground", &m.ColorPrimaryForeground, &sent.PrimaryForeground},
		{"color_accent", &m.ColorAccent, &sent.Accent},
		{"color_accent_foreground", &m.ColorAccentForeground, &sent.AccentForeground},
		{"color_app_bar_background", &m.ColorAppBarBackground, &sent.AppBarBackground},
		{"color_footer_background", &m.ColorFooterBackground, &sent.FooterBackground},
	}
}

// logo is one logo of a model.
type logo struct {
	attribute  string
	path, hash *types.String
	sent       **client.File
}

// logos are all logos of the model.
func (m *model) logos(sent *client.Logos) []logo {
	return []logo{
		{"logo_path", &m.LogoPath, &m.LogoSHA256, &sent.Logo},
		{"banner_logo_path", &m.BannerLogoPath, &m.BannerLogoSHA256, &sent.BannerLogo},
	}
}

// hasLogos reports whether a logo is configured, or was sent.
func (m *model) hasLogos() bool {
	return slices.ContainsFunc(m.logos(&client.Logos{}), func(l logo) bool { return !l.path.IsNull() || !l.hash.IsNull() })
}

// reapplies reports whether the trigger has changed, which sends everything again.
func (m *model) reapplies(was *model) bool { return !m.ReapplyTrigger.Equal(was.ReapplyTrigger) }

// changedColors returns the colors to send: configured, and with another value than before. was is nil for a create.
func (m *model) changedColors(was *model) (out client.Colors) {
	was = cmp.Or(was, &model{})
	for i, c := range m.colors(&out) {
		former := was.colors(&client.Colors{})[i].value
		if !c.value.IsNull() && (former.IsNull() || m.reapplies(was) || !c.value.SameAs(*former)) {
			*c.sent = c.value.ValueString()
		}
	}
	return out
}

// changedLogos returns the positions of the logos to send: configured, and with other content than before. was is nil for a
// create.
func (m *model) changedLogos(was *model) (out []int) {
	was = cmp.Or(was, &model{})
	for i, l := range m.logos(&client.Logos{}) {
		if !l.path.IsNull() && (m.reapplies(was) || !l.hash.Equal(*was.logos(&client.Logos{})[i].hash)) {
			out = append(out, i)
		}
	}
	return out
}

// isManaged reports whether a color or a logo is set.
func (m *model) isManaged() bool {
	return m.hasLogos() || slices.ContainsFunc(m.colors(&client.Colors{}), func(c color) bool { return !c.value.IsNull() })
}

// replaced is a value that an apply replaces: that of a color, or the hash of a logo.
type replaced struct {
	attribute, text, before string
	now                     effect.Textual
}

// replaced returns what an apply sends, or may send, with another value than before.
func (m *model) replaced(was *model) (all []replaced) {
	for i, c := range was.colors(&client.Colors{}) {
		now, before := m.colors(&client.Colors{})[i].value, c.value.ValueString()
		if !c.value.IsNull() && !now.IsNull() && !now.SameAs(*c.value) {
			all = append(all, replaced{c.attribute, c.attribute + " " + before, before, now})
		}
	}
	for i, l := range was.logos(&client.Logos{}) {
		now := m.logos(&client.Logos{})[i]
		if !l.hash.IsNull() && !now.path.IsNull() && !now.hash.Equal(*l.hash) {
			all = append(all, replaced{l.attribute, "the logo of " + l.attribute, l.hash.ValueString(), now.hash})
		}
	}
	return all
}
