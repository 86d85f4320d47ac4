package branding

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
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

// colorField is one color of the model: its attribute, and its field in the API's body.
type colorField struct {
	attribute string
	value     func(*model) *fwtype.Color
	sent      func(*client.Colors) *string
}

var colorFields = []colorField{
	{"color_primary", func(m *model) *fwtype.Color { return &m.ColorPrimary }, func(c *client.Colors) *string { return &c.Primary }},
	{
		"color_primary_foreground", func(m *model) *fwtype.Color { return &m.ColorPrimaryForeground },
		func(c *client.Colors) *string { return &c.PrimaryForeground },
	},
	{"color_accent", func(m *model) *fwtype.Color { return &m.ColorAccent }, func(c *client.Colors) *string { return &c.Accent }},
	{"color_accent_foreground", func(m *model) *fwtype.Color { return &m.ColorAccentForeground }, func(c *client.Colors) *string { return &c.AccentForeground }},
	{"color_app_bar_background", func(m *model) *fwtype.Color { return &m.ColorAppBarBackground }, func(c *client.Colors) *string { return &c.AppBarBackground }},
	{"color_footer_background", func(m *model) *fwtype.Color { return &m.ColorFooterBackground }, func(c *client.Colors) *string { return &c.FooterBackground }},
}

// logoField is one logo of the model.
type logoField struct {
	attribute string
	path      func(*model) *types.String
	hash      func(*model) *types.String
	sent      func(*client.Logos) **client.File
}

var logoFields = []logoField{
	{
		"logo_path",
		func(m *model) *types.String { return &m.LogoPath },
		func(m *model) *types.String { return &m.LogoSHA256 },
		func(l *client.Logos) **client.File { return &l.Logo },
	},
	{
		"banner_logo_path",
		func(m *model) *types.String { return &m.BannerLogoPath },
		func(m *model) *types.String { return &m.BannerLogoSHA256 },
		func(l *client.Logos) **client.File { return &l.BannerLogo },
	},
}

// hasLogos reports whether a logo is configured, or was sent.
func (m *model) hasLogos() bool {
	for _, f := range logoFields {
		if !f.path(m).IsNull() || !f.hash(m).IsNull() {
			return true
		}
	}
	return false
}

// reapplies reports whether the trigger has changed, which sends everything again.
func (m *model) reapplies(was *model) bool { return !m.ReapplyTrigger.Equal(was.ReapplyTrigger) }

// changedColors returns the colors to send: configured, and with another value than before. was is nil for a create.
func (m *model) changedColors(was *model) client.Colors {
	var out client.Colors
	for _, f := range colorFields {
		now := *f.value(m)
		if now.IsNull() || was != nil && !m.reapplies(was) && !f.value(was).IsNull() && now.SameAs(*f.value(was)) {
			continue
		}
		*f.sent(&out) = now.ValueString()
	}
	return out
}

// changedLogos returns the logos to send: configured, and with other content than before. was is nil for a create.
func (m *model) changedLogos(was *model) []logoField {
	var out []logoField
	for _, f := range logoFields {
		if !f.path(m).IsNull() && (was == nil || m.reapplies(was) || !f.hash(m).Equal(*f.hash(was))) {
			out = append(out, f)
		}
	}
	return out
}

// keepColors copies the colors of another model, which were sent.
func (m *model) keepColors(from *model) {
	for _, f := range colorFields {
		*f.value(m) = *f.value(from)
	}
}
