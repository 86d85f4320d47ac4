package branding

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
)

func colorAttribute(what, field string) schema.StringAttribute {
	return fwtype.OptionalText[fwtype.ColorKind](what + ", `#rgb` or `#rrggbb`. API: `" + field + "`.")
}

func logoAttribute(what, part string) schema.StringAttribute {
	return fwtype.OptionalString("Path of the "+what+". PNG, JPEG, GIF or SVG, up to 1 MB and 4096 x 4096 pixels. Requires `upload_url` in the provider block. "+
		"The plan compares the file's content, not its path. API: part `"+part+"`.", fwtype.NotBlank)
}

func (resource) Schema(context.Context) schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Colors and logos of a private label (a white-labeled signing portal). Destroying the resource only removes it from state, because the API cannot unset colors and logos.\n\n" +
			"The provider sends changes only. Colors compare by value: `#0A0` equals `#00aa00`. If you remove a color or logo from the configuration, it stays in use, and the plan shows a warning.\n\n" +
			"The API does not return colors or logos. The state contains what was last sent, and drift is not detected. Change `reapply_trigger` to send everything again.",
		Attributes: map[string]schema.Attribute{
			"domain":                   fwtype.RequiredText[fwtype.HostKind]("Host name of the private label, compared without case. Changing it replaces the resource, without deleting anything. API: `domain`."),
			"color_primary":            colorAttribute("Primary color", "colorPrimary"),
			"color_primary_foreground": colorAttribute("Text on the primary color", "colorPrimaryForeground"),
			"color_accent":             colorAttribute("Accent color", "colorAccent"),
			"color_accent_foreground":  colorAttribute("Text on the accent color", "colorAccentForeground"),
			"color_app_bar_background": colorAttribute("Background of the app bar", "colorAppBarBackground"),
			"color_footer_background":  colorAttribute("Background of the footer", "colorFooterBackground"),
			"logo_path":                logoAttribute("logo, which the API scales to 270 x 90 pixels and stores as PNG", "logo"),
			"banner_logo_path":         logoAttribute("banner logo, which the API scales to 500 x 500 pixels and stores as PNG", "bannerLogo"),
			"reapply_trigger":          fwtype.OptionalString("Any change sends all configured colors and logos again."),
			"id":                       fwtype.ConstantString("Same as `domain`."),
			"logo_sha256":              fwtype.ComputedString("SHA-256 of the logo that was last sent, in hex like `filesha256`. Null if none."),
			"banner_logo_sha256":       fwtype.ComputedString("SHA-256 of the banner logo that was last sent, in hex like `filesha256`. Null if none."),
		},
	}
}

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
