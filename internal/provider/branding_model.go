package provider

import (
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// brandingModel is a host's colours and logos: what was last sent, since the
// service cannot be asked for them.
type brandingModel struct {
	Domain hostName `tfsdk:"domain"`

	ColorPrimary           color `tfsdk:"color_primary"`
	ColorPrimaryForeground color `tfsdk:"color_primary_foreground"`
	ColorAccent            color `tfsdk:"color_accent"`
	ColorAccentForeground  color `tfsdk:"color_accent_foreground"`
	ColorAppBarBackground  color `tfsdk:"color_app_bar_background"`
	ColorFooterBackground  color `tfsdk:"color_footer_background"`

	LogoPath       types.String `tfsdk:"logo_path"`
	BannerLogoPath types.String `tfsdk:"banner_logo_path"`
	ReapplyTrigger types.String `tfsdk:"reapply_trigger"`

	ID               types.String `tfsdk:"id"`
	LogoSHA256       types.String `tfsdk:"logo_sha256"`
	BannerLogoSHA256 types.String `tfsdk:"banner_logo_sha256"`
}

var brandingCodec = sync.OnceValue(func() *modelCodec[brandingModel] { return newModelCodec[brandingModel](newBrandingResource()) })

type brandingIdentity struct {
	Domain types.String `tfsdk:"domain"`
}

func (m *brandingModel) identity() brandingIdentity {
	return brandingIdentity{Domain: m.Domain.StringValue}
}

// colorField is one colour of the model: its attribute, and its place in the
// service's body.
type colorField struct {
	attribute string
	value     func(*brandingModel) *color
	sent      func(*client.Colors) *string
}

var colorFields = []colorField{
	{"color_primary", func(m *brandingModel) *color { return &m.ColorPrimary }, func(c *client.Colors) *string { return &c.Primary }},
	{"color_primary_foreground", func(m *brandingModel) *color { return &m.ColorPrimaryForeground }, func(c *client.Colors) *string { return &c.PrimaryForeground }},
	{"color_accent", func(m *brandingModel) *color { return &m.ColorAccent }, func(c *client.Colors) *string { return &c.Accent }},
	{"color_accent_foreground", func(m *brandingModel) *color { return &m.ColorAccentForeground }, func(c *client.Colors) *string { return &c.AccentForeground }},
	{"color_app_bar_background", func(m *brandingModel) *color { return &m.ColorAppBarBackground }, func(c *client.Colors) *string { return &c.AppBarBackground }},
	{"color_footer_background", func(m *brandingModel) *color { return &m.ColorFooterBackground }, func(c *client.Colors) *string { return &c.FooterBackground }},
}

// logoField is one logo of the model.
type logoField struct {
	attribute string
	path      func(*brandingModel) *types.String
	hash      func(*brandingModel) *types.String
	sent      func(*client.Logos) **client.File
}

var logoFields = []logoField{
	{
		"logo_path",
		func(m *brandingModel) *types.String { return &m.LogoPath },
		func(m *brandingModel) *types.String { return &m.LogoSHA256 },
		func(l *client.Logos) **client.File { return &l.Logo },
	},
	{
		"banner_logo_path",
		func(m *brandingModel) *types.String { return &m.BannerLogoPath },
		func(m *brandingModel) *types.String { return &m.BannerLogoSHA256 },
		func(l *client.Logos) **client.File { return &l.BannerLogo },
	},
}

// isRead reports whether a read has nothing to fill in.
func (m *brandingModel) isRead() bool { return m.ID.Equal(m.Domain.StringValue) }

// hasLogos reports whether a logo is configured, or was sent.
func (m *brandingModel) hasLogos() bool {
	for _, f := range logoFields {
		if !f.path(m).IsNull() || !f.hash(m).IsNull() {
			return true
		}
	}
	return false
}

// reapplies: a change of the trigger sends everything again.
func (m *brandingModel) reapplies(before *brandingModel) bool {
	return !m.ReapplyTrigger.Equal(before.ReapplyTrigger)
}

// changedColors are those to send: declared, and other than before by meaning.
func (m *brandingModel) changedColors(before *brandingModel) client.Colors {
	var out client.Colors
	for _, f := range colorFields {
		now, was := *f.value(m), *f.value(before)
		if now.IsNull() || !m.reapplies(before) && !was.IsNull() && now.sameAs(was) {
			continue
		}
		*f.sent(&out) = now.ValueString()
	}
	return out
}

// keepColors takes over the colours of another model: these were sent.
func (m *brandingModel) keepColors(from *brandingModel) {
	for _, f := range colorFields {
		*f.value(m) = *f.value(from)
	}
}
