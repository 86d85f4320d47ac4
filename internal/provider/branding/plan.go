package branding

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// planLogo plans the hash of a file. The plan compares its content, not its path: a file that is not sent keeps the path.
func planLogo(s *session.Session, f logoField, plan, state *model) diag.Diagnostics {
	var diags diag.Diagnostics
	at := path.Root(f.attribute)
	where, hash := f.path(plan), f.hash(plan)
	switch {
	case where.IsNull():
		*hash = types.StringNull()
		return diags
	case s != nil && len(s.Pending) == 0 && !s.CanUpload:
		diags.AddAttributeError(at, summaryUploadURL,
			fmt.Sprintf("The logo of %s requires upload_url. Set it in the provider block, or set RESELLER_UPLOAD_URL.", fwtype.Display(plan.Domain)))
		return diags
	case where.IsUnknown():
		*hash = types.StringUnknown()
		return diags
	}
	logo, err := files(s).Open(where.ValueString())
	if err != nil {
		diags.AddAttributeError(at, file.SummaryInvalid, file.AboutFile(err, where.ValueString())+". The logo of "+fwtype.Display(plan.Domain)+" was not planned.")
		return diags
	}
	*hash = types.StringValue(logo.SHA256)
	if !f.path(state).IsNull() && hash.Equal(*f.hash(state)) && !plan.reapplies(state) {
		*where = *f.path(state)
	}
	return diags
}

// keptValues warns about values that are removed from the configuration and that the API keeps. The branding of a
// replacement belongs to another host name.
func keptValues(plan, state *model) diag.Diagnostics {
	var diags diag.Diagnostics
	if plan.Domain.IsUnknown() || !plan.Domain.SameAs(state.Domain) {
		return diags
	}
	host := fwtype.Display(state.Domain)
	for _, f := range colorFields {
		if was := *f.value(state); f.value(plan).IsNull() && !was.IsNull() {
			diags.AddAttributeWarning(path.Root(f.attribute), summaryColorKept,
				fmt.Sprintf("The API cannot unset %s of %s, which stays %s. To change it, set another color.", f.attribute, host, was.ValueString()))
		}
	}
	for _, f := range logoFields {
		if f.path(plan).IsNull() && !f.hash(state).IsNull() {
			diags.AddAttributeWarning(path.Root(f.attribute), summaryLogoKept,
				fmt.Sprintf("The API cannot unset the logo of %s that %s set. To change it, set another file.", host, f.attribute))
		}
	}
	return diags
}

// contrastPairs lists text colors with their background.
var contrastPairs = []struct {
	on, text string
	value    func(*model) (on, text fwtype.Color)
}{
	{"color_primary", "color_primary_foreground", func(m *model) (fwtype.Color, fwtype.Color) { return m.ColorPrimary, m.ColorPrimaryForeground }},
	{"color_accent", "color_accent_foreground", func(m *model) (fwtype.Color, fwtype.Color) { return m.ColorAccent, m.ColorAccentForeground }},
}

// lowContrasts warns about pairs that are hard to read, if one color of the pair changes.
func lowContrasts(plan, state *model) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, pair := range contrastPairs {
		on, text := pair.value(plan)
		wasOn, wasText := pair.value(state)
		if on.ValueString() == "" || text.ValueString() == "" || on.Equal(wasOn) && text.Equal(wasText) {
			continue
		}
		if ratio := fwtype.ContrastRatio(on, text); ratio < fwtype.MinContrast {
			diags.AddAttributeWarning(path.Root(pair.text), summaryContrast,
				fmt.Sprintf("%s on %s of %s (%s on %s) has a contrast of %.2f:1. WCAG 2 requires at least %g:1. The colors are sent as configured.",
					pair.text, pair.on, fwtype.Display(plan.Domain), text.ValueString(), on.ValueString(), ratio, fwtype.MinContrast))
		}
	}
	return diags
}
