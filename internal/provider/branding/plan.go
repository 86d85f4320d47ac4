package branding

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// planLogo plans the hash of a file. The plan compares its content, not its path: a file that is not sent keeps the path.
func planLogo(s *session.Session, plan *model, l logo, state *model, former logo) (diags diag.Diagnostics) {
	at := path.Root(l.attribute)
	switch {
	case l.path.IsNull():
		*l.hash = types.StringNull()
		return nil
	case s != nil && len(s.Pending) == 0 && !s.CanUpload:
		diags.AddAttributeError(at, summaryUploadURL,
			fmt.Sprintf("The logo of %s requires upload_url. Set it in the provider block, or set RESELLER_UPLOAD_URL.", fwtype.Display(plan.Domain)))
		return diags
	case l.path.IsUnknown():
		*l.hash = types.StringUnknown()
		return nil
	}
	where := l.path.ValueString()
	checked, err := files(s).Open(where)
	if err != nil {
		diags.AddAttributeError(at, file.SummaryInvalid, file.AboutFile(err, where)+". The logo of "+fwtype.Display(plan.Domain)+" was not planned.")
		return diags
	}
	*l.hash = types.StringValue(checked.SHA256)
	switch {
	case !former.path.IsNull() && l.hash.Equal(*former.hash) && !plan.reapplies(state):
		*l.path = *former.path
	case checked.MayBeTooLarge():
		diags.AddAttributeWarning(at, summaryLogoSize, mayBeTooLarge(where, fwtype.Display(plan.Domain), checked.Size))
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
	for i, former := range state.colors(&client.Colors{}) {
		if plan.colors(&client.Colors{})[i].value.IsNull() && !former.value.IsNull() {
			diags.AddAttributeWarning(path.Root(former.attribute), summaryColorKept,
				fmt.Sprintf("The API cannot unset %s of %s, which stays %s. To change it, set another color.", former.attribute, host, former.value.ValueString()))
		}
	}
	for i, former := range state.logos(&client.Logos{}) {
		if plan.logos(&client.Logos{})[i].path.IsNull() && !former.hash.IsNull() {
			diags.AddAttributeWarning(path.Root(former.attribute), summaryLogoKept,
				fmt.Sprintf("The API cannot unset the logo of %s that %s set. To change it, set another file.", host, former.attribute))
		}
	}
	return diags
}

// lowContrasts warns about pairs that are hard to read, if one color of the pair changes.
func lowContrasts(plan, state *model) diag.Diagnostics {
	var diags diag.Diagnostics
	pairs, former := plan.colors(&client.Colors{})[:4], state.colors(&client.Colors{})
	for i := 0; i < len(pairs); i += 2 { // a background, and the text on it
		on, text := pairs[i], pairs[i+1]
		unchanged := on.value.Equal(*former[i].value) && text.value.Equal(*former[i+1].value)
		if unchanged || on.value.ValueString() == "" || text.value.ValueString() == "" {
			continue
		}
		if ratio := fwtype.ContrastRatio(*on.value, *text.value); ratio < fwtype.MinContrast {
			diags.AddAttributeWarning(path.Root(text.attribute), summaryContrast,
				fmt.Sprintf("%s on %s of %s (%s on %s) has a contrast of %.2f:1. WCAG 2 requires at least %g:1. The colors are sent as configured.",
					text.attribute, on.attribute, fwtype.Display(plan.Domain), text.value.ValueString(), on.value.ValueString(), ratio, fwtype.MinContrast))
		}
	}
	return diags
}
