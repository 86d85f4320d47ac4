package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

const (
	summaryCreate = "Error creating catalog item"
	summaryList   = "Error listing catalog items"
	summaryRead   = "Error reading catalog item"
	SummaryUpdate = "Error updating catalog item"

	SummaryExists          = "Catalog item already exists"
	SummaryInUse           = "Package in use changes"
	SummaryLimit           = "Catalog limit is reached"
	SummaryNotDeactivated  = "Catalog item created, but not deactivated"
	summaryNotFound        = "Catalog item not found"
	SummaryNotFoundRemoved = "Catalog item not found, removed from state"
	SummaryNotKept         = "Values were not kept by the API"
	SummaryNotReplaceable  = "Catalog items cannot be replaced"
	SummaryOverLimit       = "Plan exceeds the catalog limit"
	summaryResponseLost    = "Response lost, catalog item found"
	summarySettings        = "Invalid settings"
	SummarySettingsKept    = "Removed settings keep their values"
	summarySettingsRead    = "Settings cannot be read"
)

// What plans announce.
var (
	TopicPackageCode     = effect.NewTopic("Package code is permanent", effect.Permanent)
	TopicAddonCode       = effect.NewTopic("Add-on code is permanent", effect.Permanent)
	topicDeactivatedCode = effect.NewTopic("Deactivated code stays reserved", effect.Deactivated)
	TopicDeactivating    = effect.NewTopic("Catalog items cannot be deleted", effect.Deactivated, effect.Forgotten)
)

// Warnings announce codes, which are permanent, and deactivations.
func (k resource) Warnings(v view, todo []effect.Step) effect.Warnings {
	switch {
	case v.Want == nil:
		return effect.Warnings{k.destroyed(v.Was, todo)}
	case v.Was == nil:
		return append(effect.Warnings{k.created(v.Want)}, k.deactivated(v.Want)...)
	case v.Was.isActive(nil): // a flag that no response has shown may be set
		return k.deactivated(v.Want)
	default:
		return nil
	}
}

// effect is what happens to an item, after its noun.
func (k resource) effect(m *model, of effect.Kind, what string) effect.Effect {
	e := effect.Effect{Event: of.Event(k.items.String() + what), Code: types.StringUnknown()}
	if code := m.Code.Normal(); code != "" {
		e.Code = types.StringValue(code)
	}
	return e
}

func (k resource) created(m *model) effect.Warning {
	remain := ""
	if m.remaining != nil {
		remain = fmt.Sprintf(" (at most %d remain)", max(*m.remaining, 0))
	}
	detail := fmt.Sprintf("%s code %s is permanent: it cannot be changed or reused, and it counts toward the limit of %d %ss even after deactivation%s.",
		diagnostic.Capitalize(k.items.String()), m.Code.Normal(), client.MaxItems, k.items, remain)
	if m.Code.IsUnknown() {
		detail = fmt.Sprintf("The code of %s is known after apply. It cannot be changed or reused once created, and it counts toward the limit of %d %ss even after deactivation%s.",
			k.named(m), client.MaxItems, k.items, remain)
	}
	return effect.Warning{
		Topic:   k.topic,
		At:      path.Root("code"),
		Detail:  detail,
		Effects: []effect.Effect{k.effect(m, effect.Permanent, " code created")},
	}
}

// named is an item within a sentence: by its code, or by its name while the code is known after apply.
func (k resource) named(m *model) string {
	if code := m.Code.Normal(); code != "" || m.Name.IsUnknown() {
		return k.items.String() + " " + cmp.Or(code, "(code known after apply)")
	}
	return fmt.Sprintf("%s %q", k.items, m.Name.ValueString())
}

// deactivated announces active = false on an item that is active, or is created.
func (k resource) deactivated(m *model) effect.Warnings {
	if m.Active.IsNull() || !m.Active.IsUnknown() && m.Active.ValueBool() {
		return nil
	}
	name := k.named(m)
	will := diagnostic.Capitalize(name) + " is deactivated."
	e := k.effect(m, effect.Deactivated, " deactivated")
	if m.Active.IsUnknown() {
		will = fmt.Sprintf("active of %s is known after apply. If it is false, the %s is deactivated.", name, k.items)
		e.If = "active is false"
	}
	return effect.Warnings{{
		Topic:   topicDeactivatedCode,
		At:      path.Root("active"),
		Detail:  fmt.Sprintf("%s Its code stays reserved and counts toward the limit of %d %ss.", will, client.MaxItems, k.items),
		Effects: []effect.Effect{e},
	}}
}

func (k resource) destroyed(m *model, todo []effect.Step) effect.Warning {
	code := m.Code.Normal()
	warning := effect.Warning{Topic: TopicDeactivating}
	will := "is already deactivated and is only removed from state, without an API call."
	switch {
	case len(todo) > 0:
		will = "will be deactivated and removed from state."
		warning.Effects = []effect.Effect{k.effect(m, effect.Deactivated, " deactivated")}
	case m.DeletionPolicy.ValueString() == effect.PolicyAbandon:
		will = `is only removed from state (deletion_policy is "ABANDON"), without an API call.`
	}
	warning.Effects = append(warning.Effects, k.effect(m, effect.Forgotten, " removed from state"))
	warning.Detail = fmt.Sprintf("%s %s %s Its code stays reserved and counts toward the limit of %d. To manage it again, import it by its code.",
		diagnostic.Capitalize(k.items.String()), code, will, client.MaxItems)
	return warning
}

// What the console changes.
var (
	uncataloged = effect.HarmLost.Drift("no longer in the catalog")
	deactivated = effect.HarmLost.Drift("deactivated in the console")
	activated   = effect.Drift.Event("activated in the console")
)

// Drift is what the console has changed, except for what needs no words: a review has the values of changed attributes.
func (resource) Drift(was, now *model) []effect.Effect {
	switch {
	case now == nil:
		return []effect.Effect{{Event: uncataloged}}
	case was.Active.ValueBool() && !now.Active.ValueBool():
		return []effect.Effect{{Event: deactivated, Before: true, After: false}}
	case now.Active.ValueBool() && !was.Active.ValueBool():
		return []effect.Effect{{Event: activated, Before: false, After: true}}
	default:
		return nil
	}
}

var notReplaceable = &object.Rejection{
	Summary: SummaryNotReplaceable,
	Detail:  "Replacing %s would fail, because its code can never be created again. Run the plan without -replace. If the resource is tainted, run terraform untaint.",
}

// codeTaken rejects a create of a code that exists.
func (op *operation) codeTaken(item *client.Item) diag.Diagnostic {
	k := op.item
	fact := fmt.Sprintf("Code %s already exists: %s %q (ID %s)", item.Code, k.items, item.Name, item.ID)
	toImport := fmt.Sprintf(".\n\nIf you renamed the resource, add a moved block. If it is tainted, run terraform untaint. "+
		"If a different resource has this code, keep one of the two. Otherwise, import it:\n\n%s",
		session.ImportBlock("reseller_"+k.typeName, item.Code, ""))
	return diag.NewAttributeErrorDiagnostic(path.Root("code"), SummaryExists, fact+cmp.Or(op.ExistsInState(k.typeName, item.ID), toImport))
}

// Texts about an item of a kind.
const (
	limitReached = "The reseller has %d %[2]ss, deactivated ones included, so %[2]s %[3]s cannot be created. The API allows %[4]d and deletes none. Import %[5]s that is no longer used, and change it instead."
	overLimit    = "This plan brings the reseller to %d %ss. The API allows %d, so the apply fails for those beyond the limit."
	settingsKept = "The API cannot unset these fields of %s %s: %s. They keep their values. To change a value, set a different one."
	notInCatalog = "The reseller has no %s %s among the %d items of its catalog. Check the spelling, and that the API key belongs to the right reseller."
	notImported  = "The reseller has no %s %s. Nothing was imported. Import %s by its ID (32 hex characters, such as 0123456789abcdef0123456789abcdef) or its code (such as GOLD)."
	notKeptByAPI = "%s %s was created, but the API does not show these values as they were sent: %s. The next plan shows what the API has. Check the names in settings."
	responseLost = "The response to creating %s %s was lost. A search shows it with this name and currency, so it was created once and is in state."
)

func inUse(code string, labels int) string {
	use := fmt.Sprintf("%d private labels use", labels)
	if labels == 1 {
		use = "One private label uses"
	}
	return fmt.Sprintf("%s package %s, which this plan changes. The API documentation does not say when the change takes effect for private labels that have the package.", use, code)
}

func (k resource) Gone(_ context.Context, _ *session.Session, m *model) (removed, left diag.Diagnostic) {
	return diag.NewWarningDiagnostic(SummaryNotFoundRemoved,
		fmt.Sprintf("%s %s is not in the catalog, although the API deletes no catalog item. Its code stays reserved. Contact the API provider's support.", diagnostic.Capitalize(k.items.String()), m.name())), nil
}

func notDeactivated(k client.Kind, code string, o transport.Outcome) string {
	known := " and is active"
	if o.State != transport.Absent {
		known = ", but no read afterwards shows it yet as deactivated"
	}
	return diagnostic.JoinParagraphs(fmt.Sprintf("%s %s was created%s. The next apply deactivates it.", diagnostic.Capitalize(k.String()), code, known), diagnostic.Cause(o.Err))
}

// rejectedSettings is the remedy of a value that the API does not accept.
var rejectedSettings = diagnostic.Remedy{At: path.Root("settings"), Advice: "The API rejects a value. Its documentation lists no fields beyond code, name and currency. Check the names and values in settings."}

func (k resource) failure(s effect.Step, o transport.Outcome) diagnostic.APIFailure {
	what := map[string]string{create: "created", update: "changed", deactivate: "deactivated"}[s.Verb]
	f := diagnostic.APIFailure{
		Summary:   SummaryUpdate,
		Failed:    fmt.Sprintf("%s %s was not %s", diagnostic.Capitalize(k.items.String()), s.Name, what),
		Unchanged: "The state was not changed",
		Remedies:  map[string]diagnostic.Remedy{client.CodeInvalidRequest: rejectedSettings},
	}
	if shown, ok := errors.AsType[*transport.ContradictedError](o.Err); ok && shown.Partly {
		f.Failed = fmt.Sprintf("%s %s was not completely changed", diagnostic.Capitalize(k.items.String()), s.Name)
	}
	if s.Verb == create {
		f.Summary = summaryCreate
		f.Unchanged = "Nothing was changed"
		f.Remedies[client.CodeCodeInUse] = diagnostic.Remedy{At: path.Root("code")}
	}
	return f
}

// withArticle names a kind: "a package", "an add-on".
func withArticle(k client.Kind) string {
	if k == client.KindAddon {
		return "an " + k.String()
	}
	return "a " + k.String()
}
