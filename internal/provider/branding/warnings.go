package branding

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

const (
	SummaryColors = "Error updating colors"
	summaryLogos  = "Error updating logos"
	summaryRead   = "Error reading branding"

	SummaryColorKept = "Removed color keeps its value"
	SummaryContrast  = "Color contrast is low"
	SummaryGone      = "Branding removed with its private label"
	summaryImportID  = "Invalid import ID of branding"
	summaryLogoGone  = "Logo file no longer exists"
	summaryLogoSize  = "Logo may exceed the size limit"
	SummaryLogoKept  = "Removed logo stays in use"
	SummaryUploadURL = "Missing upload URL"
)

// What plans announce.
var (
	TopicKeptBranding = effect.NewTopic("Branding is only removed from state", effect.Forgotten)
	TopicOverwriting  = effect.NewTopic("Replaced colors and logos are not kept", effect.Overwritten)
)

var (
	valuesReplaced  = effect.Overwritten.Event("{attributes} replaced, and the former value is not kept")
	earlierReplaced = effect.Overwritten.Event("earlier colors and logos replaced, and the former value is not kept")
	brandingLeft    = effect.Forgotten.Event("branding removed from state only")
)

// Warnings announce what replaces earlier colors and logos, and that a destroy, and a replacement for another host name,
// leave them as they are.
func (resource) Warnings(v view, _ []effect.Step) effect.Warnings {
	if v.Want != nil {
		return overwritten(v)
	}
	host := v.Was.Domain.ValueString()
	return effect.Warnings{{
		Topic:   TopicKeptBranding,
		Detail:  fmt.Sprintf("The branding of %s is removed from state. The API cannot unset colors and logos, so no API call is made.", host),
		Effects: []effect.Effect{{Event: brandingLeft}},
	}}
}

// overwritten announces what an apply replaces.
func overwritten(v view) effect.Warnings {
	was := cmp.Or(v.Was, &model{})
	if !was.isManaged() && v.Want.isManaged() {
		return firstValues(v)
	}
	certain := effect.Effect{Event: valuesReplaced}
	possible := effect.Effect{Event: valuesReplaced, If: "the value differs"}
	var former, later []string
	for _, r := range v.Want.replaced(was) {
		former = append(former, r.text)
		if r.now.IsUnknown() {
			later = append(later, r.attribute)
			possible.Before = with(possible.Before, r.attribute, r.before)
			continue
		}
		certain.Before = with(certain.Before, r.attribute, r.before)
		certain.After = with(certain.After, r.attribute, r.now.ValueString())
	}
	n := effect.Warning{Topic: TopicOverwriting}
	for _, e := range []effect.Effect{certain, possible} {
		if e.Before != nil {
			n.Effects = append(n.Effects, e)
		}
	}
	if len(n.Effects) == 0 {
		return nil
	}
	perhaps := ""
	if len(later) > 0 {
		perhaps = fmt.Sprintf(" New values of %s are known after apply, and may be equal.", effect.Series("and", later))
	}
	n.Detail = fmt.Sprintf("The branding of %s replaces %s.%s The API keeps no history. "+
		"To be able to restore them, note the colors and save the logos before you apply.", v.Want.Domain.ValueString(), effect.Series("and", former), perhaps)
	return effect.Warnings{n}
}

// firstValues announces the first branding of a private label: no read shows what it has. One that the plan provisions has
// nothing that was set before.
func firstValues(v view) effect.Warnings {
	e := effect.Effect{Event: earlierReplaced}
	switch host := v.Want.Domain; {
	case host.IsUnknown():
		e.If = "the private label has any"
	case v.Names.IsNew(host.ValueString()):
		return nil
	}
	return effect.Warnings{{
		Topic: TopicOverwriting, Effects: []effect.Effect{e},
		Detail: fmt.Sprintf("Applying overwrites the current colors and logos of %s, which the API cannot return. Save them first if you may need them.",
			effect.NameOf(v.Want.Domain, "a private label whose host name is known after apply")),
	}}
}

// with adds a value to those of an effect.
func with(values any, attribute string, value any) any {
	all, _ := values.(map[string]any)
	if all == nil {
		all = map[string]any{}
	}
	all[attribute] = value
	return all
}

// keptValues warns about values that are removed from the configuration and that the API keeps. The branding of a
// replacement belongs to another host name.
func keptValues(plan, state *model) (diags diag.Diagnostics) {
	if plan.Domain.IsUnknown() || !plan.Domain.SameAs(state.Domain) {
		return diags
	}
	host := fwtype.Display(state.Domain)
	for i, former := range state.colors(&client.Colors{}) {
		if plan.colors(&client.Colors{})[i].value.IsNull() && !former.value.IsNull() {
			diags.AddAttributeWarning(path.Root(former.attribute), SummaryColorKept,
				fmt.Sprintf("The API cannot unset %s of %s, which stays %s. To change it, set a different color.", former.attribute, host, former.value.ValueString()))
		}
	}
	for i, former := range state.logos(&client.Logos{}) {
		if plan.logos(&client.Logos{})[i].path.IsNull() && !former.hash.IsNull() {
			diags.AddAttributeWarning(path.Root(former.attribute), SummaryLogoKept,
				fmt.Sprintf("The API cannot unset the logo of %s that %s set. To change it, set a different file.", host, former.attribute))
		}
	}
	return diags
}

// lowContrasts warns about pairs that are hard to read, if one color of the pair changes.
func lowContrasts(plan, state *model) (diags diag.Diagnostics) {
	pairs := plan.colors(&client.Colors{})[:4]
	former := state.colors(&client.Colors{})
	for i := 0; i < len(pairs); i += 2 { // a background, and the text on it
		on := pairs[i]
		text := pairs[i+1]
		unchanged := on.value.Equal(*former[i].value) && text.value.Equal(*former[i+1].value)
		if unchanged || on.value.ValueString() == "" || text.value.ValueString() == "" {
			continue
		}
		if ratio := fwtype.ContrastRatio(*on.value, *text.value); ratio < fwtype.MinContrast {
			diags.AddAttributeWarning(path.Root(text.attribute), SummaryContrast,
				fmt.Sprintf("%s on %s of %s (%s on %s) has a contrast of %.2f:1. WCAG 2 requires at least %g:1. The colors are sent as configured.",
					text.attribute, on.attribute, fwtype.Display(plan.Domain), text.value.ValueString(), on.value.ValueString(), ratio, fwtype.MinContrast))
		}
	}
	return diags
}

func colorsFailure(want *model) diagnostic.APIFailure {
	return diagnostic.APIFailure{
		Summary:   SummaryColors,
		Failed:    "The colors of " + want.Domain.ValueString() + " were not changed",
		Unchanged: "No logo was sent",
		Remedies: map[string]diagnostic.Remedy{
			client.CodeUnauthorized: session.NotOurHost,
			client.CodeNotFound:     {At: path.Root("domain")},
			client.CodeDomainEmpty:  {At: path.Root("domain")},
		},
	}
}

func logosFailure(want *model) diagnostic.APIFailure {
	var at path.Path // of the only logo; a code does not say which of two it is about
	switch {
	case want.BannerLogoPath.IsNull():
		at = path.Root("logo_path")
	case want.LogoPath.IsNull():
		at = path.Root("banner_logo_path")
	}
	return diagnostic.APIFailure{
		Summary:   summaryLogos,
		Failed:    "The logos of " + want.Domain.ValueString() + " were not changed",
		Unchanged: "The next apply sends the logos again",
		Remedies: map[string]diagnostic.Remedy{
			client.CodeUnauthorized:        session.NotOurHost,
			client.CodeInvalidImage:        {At: at},
			client.CodeLimitFileSize:       {At: at},
			client.CodeLimitUnexpectedFile: {At: at},
			client.CodeDomainInvalid:       {At: path.Root("domain")},
		},
	}
}

const mayBeTooLarge = "%s, a logo of %s, has %d bytes. The API accepts 1 MB, and may count it as 1,000,000 or as 1,048,576 bytes. It is sent, and the API may reject it."

func (resource) Gone(_ context.Context, _ *session.Session, m *model) (removed, left diag.Diagnostic) {
	return diag.NewWarningDiagnostic(SummaryGone,
		"The reseller's list no longer shows "+m.Domain.ValueString()+": the private label was deprovisioned, or the platform moved it. Its branding was removed from state."), nil
}

const notAHostName = "%q is not a host name. Nothing was imported. Import branding by the host name of its private label, such as sign.acme.example, without scheme or path."
