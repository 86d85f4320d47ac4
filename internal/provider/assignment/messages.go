package assignment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// What the catalog lacks, after the private label.
const (
	packageNotFound = "%sthe reseller's catalog has no package with ID %s. Nothing was changed. Check package_id, and that the API key belongs to the right reseller."
	packageInactive = "%spackage %s is inactive, so it cannot be assigned. Nothing was changed. Activate the package, or choose another one."
	addonNotFound   = "%sthe reseller's catalog has no add-on with code %s. Nothing was changed. Check the code. If this configuration creates the add-on, use (reseller_addon.NAME.code) as the key, or apply the add-on first with -target."
)

const (
	notReadBack = "the assignment could not be read after it was written."
	notAssigned = "%s has no package. Nothing was imported. Remove the import block. An apply of the resource then assigns the package."

	// The private label may turn out to be another one.
	labelLater = "if private_label_id turns out to be another private label, the apply returns an error for this resource, because an assignment cannot move. To assign a package to another private label, add another resource. " + session.DeferredHint
	// The list of private labels does not show one.
	labelMissing = "The reseller's list does not show %s. It was deprovisioned, belongs to another reseller, or is mistyped. Nothing was changed. Check the ID, and that the API key belongs to the right reseller."
	// After the private label.
	packageMoved = "%sthe package is no longer %s. Nothing was changed. Plan again without -refresh=false."
	notInEffect  = "%sthe API accepted each call, but a read afterwards shows another package or other add-ons. Not in effect: %s."
	// Of an apply whose calls the API accepted.
	assignedNotShown = "%sthe API accepted each call and does not show the assignment yet. It is in state. The next plan reads the missing attributes."
	updatedNotShown  = "%sthe API accepted each call and does not show all of it yet. Not shown: %s."

	packageChangeRejected = "%schanging the package from %[2]s to %[3]s bills up to both for the entire billing period. Nothing was changed.\n\n" +
		"If %[2]s was assigned outside of Terraform, set package_id to its ID (in the file of a client: package: %[2]s). To change it to %[3]s, set allow_package_change = true."
	// Of a create that would have to change the package, or to detach add-ons or change their quantity.
	otherPackage = "%spackage %s is already assigned. Changing it bills up to both packages, so creating this resource does not change it. Nothing was changed.\n\n" +
		"Set package_id to the ID of that package. To change it, add this import block and plan again with allow_package_change = true:\n\n%s"
	otherAddons = "%sattached are %s, and addons has another quantity or lacks them. Creating this resource changes and detaches nothing. Nothing was changed.\n\n" +
		"Set addons to what is attached. To change it, add this import block and plan again; the plan shows each change:\n\n%s"
	// Of a change of add-ons that the state does not show.
	attachedElsewhere = "%sattached are %s, which this resource does not manage yet. %s Nothing was changed.\n\n" +
		"Add them to addons with these quantities, and apply that alone, which makes no API call. Then change what you want to change."
	// Why another package is an error.
	detachesOthers = "a package change detaches all add-ons, and this resource does not manage %s yet"
)

// notRestored says why the provider did not restore what it removed.
func notRestored(s effect.Step, rejection *excessRejectedError) string {
	subject := diagnostic.Capitalize(nameWithAmount(s))
	if rejection.reason != "" {
		return fmt.Sprintf("%s exceeds the allowance. %s It was not confirmed.", subject, rejection.reason)
	}
	why := "the provider could not compare it with what the private label had allocated before"
	if len(rejection.grown) > 0 {
		why = fmt.Sprintf("it now allocates more than the private label had (in sum %s)", strings.Join(rejection.grown, ", "))
	}
	return fmt.Sprintf("%s exceeds the allowance and was not restored, because %s. To restore it, configure it with allow_excess = %s.",
		subject, why, excessInHCL(rejection.needed))
}

// pastTense is a list such as "package GOLD removed, add-on SEATS attached (quantity 2)".
func pastTense(taken []effect.Step) string {
	return strings.Join(slice.Map(taken, func(s effect.Step) string { return subject(s) + " " + participle(s) + ofAmount(s) }), ", ")
}

func notTaken(s effect.Step) string { return subject(s) + " was not " + participle(s) }

// excessInHCL is a value of allow_excess.
func excessInHCL(byItem map[string]float64) string {
	items := slice.Map(fwtype.SortedKeys(byItem), func(item string) string { return item + " = " + printable.Number(byItem[item]) })
	return "{ " + strings.Join(items, ", ") + " }"
}

// applyFailure is the error of a step, or of the read after the last one. Its first sentence names the private label and
// what was not done.
func applyFailure(c *change, host, what string, o transport.Outcome, remedies map[string]diagnostic.Remedy) diag.Diagnostic {
	failure := diagnostic.APIFailure{Summary: SummaryUpdate, Object: host, Failed: sentencePrefix(host) + what, Unchanged: report(c), Remedies: remedies}
	switch {
	case c.Destroys():
		failure.Summary = summaryDelete
	case c.Creates():
		failure.Summary = SummaryCreate
	}
	d := failure.Of(o)
	if o.State == transport.Absent {
		return d
	}
	return diag.NewErrorDiagnostic(d.Summary(), diagnostic.JoinParagraphs(d.Detail(), report(c)))
}

// packageLater warns about a package that may turn out to be another one.
func packageLater(host, code, why string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("package_id"), SummaryPackageLater,
		fmt.Sprintf("%spackage %s is assigned. If package_id turns out to be another package, the apply returns an error, because %s. %s", sentencePrefix(host), code, why, session.DeferredHint))
}

// Failed explains an apply that stopped at a step.
func (c *change) Failed(ctx context.Context, s effect.Step, o transport.Outcome) diag.Diagnostics {
	restore(ctx, c, s, o)
	host := hostOf(ctx, c.Session, c.Subject())
	s = c.completed(s)
	if c.Creates() && len(c.Done) == 0 {
		if diags := rejectUnannounced(ctx, c); diags.HasError() { // another run was faster
			return diags
		}
	}
	if excess, ok := errors.AsType[*client.ExcessError](o.Err); ok {
		return diag.Diagnostics{exceeds(host, c, s, excess)}
	}
	failure := notTaken(s) + "."
	removal := s.Verb == stepRemove || s.Verb == stepDetach
	if removal && transport.IsCode(o.Err, client.CodeNotAssigned, client.CodeAddonNotFound) { // it may be gone, and the read late
		failure = subject(s) + " could not be " + participle(s) + "."
	}
	if !errors.Is(o.Err, object.ErrChangedMeanwhile) {
		return diag.Diagnostics{applyFailure(c, host, failure, o, remedies(c, s))}
	}
	moved := sentencePrefix(host) + "the package or the add-ons changed outside of Terraform while this apply was running, so " + failure
	if now := heldBefore(nil, c.Live); s.Verb == stepRemove && len(now.Addons) > 0 {
		moved += " Attached: " + addonsInWords(now.sorted()) + "."
	}
	return movedError(c, moved)
}

func movedError(c *change, what string) diag.Diagnostics {
	return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryMoved, diagnostic.JoinParagraphs(what, report(c), "Plan again to see the change."))}
}

// What an error says before a list of steps or of what they added.
const (
	labelWritten  = "Written"
	labelRestored = "Restored"
	labelLost     = "Lost"
)

// report names what was written, what may be in effect, what was restored and what was lost.
func report(c *change) string {
	var parts []string
	say := func(what, list, rest string) {
		if list != "" {
			parts = append(parts, what+": "+list+"."+rest)
		}
	}
	say(labelWritten, pastTense(c.written()), "")
	say("May be in effect", pastTense(c.inDoubt), "")
	say(labelRestored, pastTense(c.restored), "")
	what, recovery := labelLost, "The provider could not restore it. Apply again."
	if c.unread {
		what, recovery = "May be lost", "No read shows it. Apply again."
	}
	say(what, named(c.missing), " "+cmp.Or(c.rejection, recovery))
	switch {
	case len(parts) == 0:
		return "Nothing was changed."
	case c.Creates():
		parts = append(parts, "What was written stays, and is billed for the billing period. Nothing is in state; the next apply completes the assignment.")
	case c.Destroys():
		parts = append(parts, "Apply again to remove the rest.")
	}
	return strings.Join(parts, " ")
}

func addonsInWords(addons []client.AttachedAddon) string {
	return effect.Series("and", slice.Map(addons, func(a client.AttachedAddon) string {
		return a.Code + " (quantity " + printable.Number(a.Quantity) + ")"
	}))
}

// Gone warns that an assignment was removed from state.
func (kind) Gone(ctx context.Context, s *session.Session, m *model) diag.Diagnostic {
	why := "The package was removed outside of Terraform. If it is still configured, an apply assigns it again, which is billed for the entire billing period."
	if s.LacksLabel(ctx, m.PrivateLabelID.ValueString()) {
		why = "The reseller's list no longer shows the private label: it was deprovisioned, or the platform moved it."
	}
	return diag.NewWarningDiagnostic(SummaryNotFound, "The assignment of "+hostOf(ctx, s, m)+" no longer exists. "+why)
}

// Replace: a replacement would remove the package and assign it again.
func (kind) Replace(name string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryNotReplaceable,
		"Replacing "+name+" would remove the package with its add-ons and assign it again. Nothing was changed. "+
			"If the resource is tainted, run terraform untaint. If you used -replace, run the plan without it. If only the resource address changes, add a moved block.")
}

// exceeds lists by how much the allowance would be exceeded, what the apply confirmed before, what would permit it, and
// the steps that are left.
func exceeds(host string, c *change, failed effect.Step, e *client.ExcessError) diag.Diagnostic {
	const less = "assign less, or have the allowance raised."
	why, isRefused := errors.AsType[*excessRejectedError](e)
	why = cmp.Or(why, &excessRejectedError{})
	advice := fmt.Sprintf("To allow this excess, set allow_excess = %s. Otherwise %s", excessInHCL(why.needed), less)
	switch {
	case !isRefused && e.Err != nil:
		advice = diagnostic.Capitalize(e.Err.Error()) + ". " + diagnostic.Capitalize(less)
	case why.reason != "":
		advice = why.reason + " It was not confirmed. " + diagnostic.Capitalize(less)
	}
	needs := fmt.Sprintf("%sing %s to %s needs more than the remaining allowance", diagnostic.Capitalize(failed.Verb), nameWithAmount(failed), host)
	lines := slice.Map(e.Warnings, func(w client.Warning) string {
		line := "  " + w.String()
		if before := why.confirmed[w.ItemCode]; before > 0 {
			line += fmt.Sprintf(" (this apply confirmed %s before)", printable.Number(before))
		}
		if counted := why.counted[w.ItemCode]; counted > 0 {
			line += fmt.Sprintf(" (the private label has %s, which counts because nothing remains)", printable.Number(counted))
		}
		return line
	})
	table := ". "
	if len(lines) > 0 {
		table = ":\n\n" + strings.Join(lines, "\n") + "\n\n"
	}
	return diag.NewAttributeErrorDiagnostic(path.Root("allow_excess"), SummaryExcess, needs+table+report(c)+stepsLeft(c, failed)+" "+advice)
}

// stepsLeft lists the steps after one that failed.
func stepsLeft(c *change, failed effect.Step) string {
	left := c.Steps[1+slices.IndexFunc(c.Steps, func(s effect.Step) bool { return s.Key == failed.Key }):]
	if len(left) == 0 {
		return ""
	}
	return fmt.Sprintf(" Left after this step: %s. By how much they exceed the allowance is known only when the API is asked.",
		effect.Series("and", slice.Map(left, nameWithAmount)))
}

// addonPath is the element of `addons` with a code.
func addonPath(m *model, code string) path.Path {
	if spelled := m.spelling(code); spelled != "" {
		return path.Root("addons").AtMapKey(spelled)
	}
	return path.Root("addons")
}

func remedies(c *change, failed effect.Step) map[string]diagnostic.Remedy {
	at := path.Root("package_id")
	if failed.Verb == stepAttach || failed.Verb == stepDetach {
		at = addonPath(c.Subject(), failed.Name)
	}
	return map[string]diagnostic.Remedy{
		client.CodeAlreadyAssigned: {At: at},
		client.CodeAlreadyAttached: {At: at},
		client.CodePackageInactive: {At: at},
		client.CodeAddonNotFound:   {At: at},
		client.CodeNotAssigned:     {At: path.Root("package_id")},
		client.CodeInvalidTarget:   session.NotALabel,
	}
}
