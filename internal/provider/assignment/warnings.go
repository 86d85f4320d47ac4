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
	"github.com/hashicorp/terraform-plugin-framework/types"

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

const (
	SummaryCreate = "Error creating assignment"
	SummaryUpdate = "Error updating assignment"
	summaryDelete = "Error deleting assignment"
	summaryRead   = "Error reading assignment"
	summaryList   = "Error listing assignments"

	SummaryAddonNotFound   = "Add-on not found"
	SummaryAddonsNotShown  = "Add-ons are not shown"
	SummaryAddonTwice      = "Add-on code is declared twice"
	SummaryExcess          = "Assignment exceeds the allowance"
	SummaryLabelLater      = "Private label is known after apply"
	SummaryMoved           = "Assignment changed outside of Terraform"
	summaryNoImport        = "No assignment to import"
	SummaryNotFound        = "Assignment not found, removed from state"
	SummaryNotReplaceable  = "Assignments cannot be replaced"
	SummaryOtherAddons     = "Private label has other add-ons"
	SummaryOtherPackage    = "Private label has another package"
	SummaryPackageChange   = "Package change not allowed"
	SummaryPackageInactive = "Package is deactivated"
	SummaryPackageLater    = "Package is known after apply"
	SummaryPackageNotFound = "Package not found"
)

// What plans announce.
var (
	TopicBilling          = effect.NewTopic("Package is billed for the entire billing period", effect.Billed, effect.Excess)
	TopicAdopting         = effect.NewTopic("Existing assignment is adopted", effect.Billed, effect.Excess)
	TopicChangingPackage  = effect.NewTopic("Changing the package bills up to both packages", effect.Billed, effect.Excess, effect.Removed)
	TopicChangingAddons   = effect.NewTopic("Changing add-ons bills old and new quantities", effect.Billed, effect.Excess, effect.Removed)
	TopicUnassigning      = effect.NewTopic("Removed package stays billed this period", effect.Billed, effect.Removed)
	TopicKeptAssignment   = effect.NewTopic("Assignment is only removed from state", effect.Forgotten)
	TopicUnmanagingAddons = effect.NewTopic("Add-ons stay attached and are no longer managed", effect.Forgotten)
)

// What happens to packages and add-ons.
var (
	packageAssigned = effect.Billed.Event("package assigned and billed for the entire billing period")
	packageChanged  = effect.Billed.Event("{before} becomes {after}, both billed for the period")
	packageRemoved  = effect.Removed.Event("package removed")
	packageStays    = effect.Billed.Event("removed package stays billed until the end of the billing period")
	addonAttached   = effect.Billed.Event("add-on attached with quantity {quantity} and billed for the entire billing period")
	quantityChanged = effect.Billed.Event("quantity {before} becomes {after}, both billed for the period")
	addonAgain      = effect.Billed.Event("add-on detached and attached again with quantity {quantity}, billed up to twice for the period")
	addonDetached   = effect.Removed.Event("add-on detached with quantity {quantity}")
	addonStays      = effect.Billed.Event("detached add-on with quantity {quantity} stays billed until the end of the billing period")
	mayExceed       = effect.Excess.Event("allowance may be exceeded by up to {quantity}")
	assignmentLeft  = effect.Forgotten.Event("assignment removed from state only")
	addonLeft       = effect.Forgotten.Event("add-on stays attached with quantity {quantity} and billed, and is no longer managed")

	unassigned      = effect.HarmLost.Drift("package removed in the console")
	packageMoves    = effect.Drift.Event("package changed in the console from {before} to {after}")
	addonAppears    = effect.Drift.Event("add-on attached in the console")
	quantityMoves   = effect.Drift.Event("quantity of an add-on changed in the console from {before} to {after}")
	addonDisappears = effect.HarmLost.Drift("add-on removed in the console")
)

// sentencePrefix begins a sentence about a private label.
func sentencePrefix(host string) string {
	if host == effect.LabelLater {
		return diagnostic.Capitalize(host) + ": "
	}
	return host + ": "
}

// Warnings announce the steps of a change.
func (resource) Warnings(v view, todo []effect.Step) (out effect.Warnings) {
	todo = withCodes(todo, v.Names)
	if v.Want == nil {
		return announceDestroy(v, todo)
	}
	have := holding{}
	want := v.Want
	if v.Was != nil {
		have = v.Was.holding()
		if v.Was.managesAddons() && !want.managesAddons() && len(have.Addons) > 0 {
			out = effect.Warnings{unmanagedAddons(v.Label().String(), have)}
		}
	}
	if len(todo) == 0 {
		return out
	}
	n := effect.Warning{Effects: effectsOf(todo)}
	prefix := sentencePrefix(v.Label().String())
	fresh := todo
	adopted := ""
	if !want.changesPackage(have) {
		fresh, adopted = inEffectAlready(v.Live, todo)
	}
	switch {
	case len(fresh) == 0:
		n.Topic = TopicAdopting
		n.Detail = prefix + adopted
	case have.isEmpty():
		n.Topic = TopicBilling
		n.Detail = prefix + stepsInWords(fresh) + wholePeriod(len(fresh))
	case want.changesPackage(have):
		n.Topic = TopicChangingPackage
		n.At = path.Root("package_id")
		n.Detail = prefix + stepsInWords(fresh) + ". A deactivated package could not be restored."
	default:
		n.Topic = TopicChangingAddons
		n.At = path.Root("addons")
		n.Detail = prefix + stepsInWords(fresh) + addonsBilled(fresh)
	}
	if adopted != "" && len(fresh) > 0 {
		n.Detail += " " + diagnostic.Capitalize(adopted)
	}
	if effects, detail := announceExcess(want); len(effects) > 0 && slices.ContainsFunc(todo, adds) {
		n.Effects = append(n.Effects, effects...)
		n.Detail += " " + detail
	}
	return append(out, n)
}

// wholePeriod ends the list of what a create assigns and attaches.
func wholePeriod(steps int) string {
	if steps == 1 {
		return ". It is billed for the entire billing period, even if you remove it the same day."
	}
	return ". Each is billed for the entire billing period, even if you remove it the same day."
}

// addonsBilled ends the list of what a change attaches and detaches.
func addonsBilled(steps []effect.Step) string {
	removes := slices.ContainsFunc(steps, func(s effect.Step) bool { return !adds(s) })
	switch {
	case !removes:
		return wholePeriod(len(steps))
	case slices.ContainsFunc(steps, adds):
		return ". Up to both quantities are billed for the entire billing period."
	default:
		return ". What is detached stays billed until the end of the billing period."
	}
}

// withCodes returns the steps with the codes of the packages that the configuration has by their IDs.
func withCodes(todo []effect.Step, names object.Names) []effect.Step {
	return slice.Map(todo, func(s effect.Step) effect.Step {
		if s.Verb == stepAssign && s.Name == "" {
			s.Name = names.Code(s.ID)
		}
		return s
	})
}

// inEffectAlready separates the announced steps that are in effect when the plan is made, and says so.
func inEffectAlready(live *model, todo []effect.Step) (fresh []effect.Step, adopted string) {
	now := heldBefore(nil, live)
	var already []effect.Step
	for _, s := range todo {
		if adds(s) && inEffect(s, now) {
			already = append(already, s)
		} else {
			fresh = append(fresh, s)
		}
	}
	if len(already) > 0 {
		adopted = alreadyInWords(already) + ". No API call is made for that unless it changes."
	}
	return fresh, adopted
}

// phrases say of a package or an add-on, after its name, what a step does to it.
type phrases struct{ is, mayBe, already, done, wasNot, couldNotBe string }

var saying = map[string]phrases{
	stepDetach: {"is detached", "may be detached", "", "detached", "was not detached", "could not be detached"},
	stepRemove: {"is removed", "may be removed", "", "removed", "was not removed", "could not be removed"},
	stepAssign: {"is assigned", "may be assigned", "is already assigned", "assigned", "was not assigned", "could not be assigned"},
	stepAttach: {"is attached", "may be attached", "is already attached", "attached", "was not attached", "could not be attached"},
}

// alreadyInWords is a list of clauses: "package GOLD is already assigned".
func alreadyInWords(taken []effect.Step) string {
	return effect.Series("and", slice.Map(taken, func(s effect.Step) string { return subject(s) + " " + saying[s.Verb].already + ofAmount(s) }))
}

func announceDestroy(v view, todo []effect.Step) effect.Warnings {
	host := v.Label().String()
	have := heldBefore(v.Was, v.Live)
	if v.Was.isAbandoned() {
		code := cmp.Or(have.PackageCode, have.PackageID)
		return effect.Warnings{{
			Topic:   TopicKeptAssignment,
			Detail:  fmt.Sprintf("%spackage %s stays assigned and billed, with its add-ons; no API call is made. To manage it again, import it.", sentencePrefix(host), code),
			Effects: []effect.Effect{withCode(assignmentLeft, have.PackageCode, have.PackageID)},
		}}
	}
	billed := ". Both package and add-ons stay billed until the end of the billing period."
	if len(todo) == 1 {
		billed = ". It stays billed until the end of the billing period."
	}
	return effect.Warnings{{
		Topic: TopicUnassigning, Effects: effectsOf(todo), Detail: sentencePrefix(host) + stepsInWords(todo) + billed,
	}}
}

// unmanagedAddons announces that add-ons stay attached when `addons` is removed from the configuration.
func unmanagedAddons(host string, have holding) effect.Warning {
	return effect.Warning{
		Topic: TopicUnmanagingAddons, At: path.Root("addons"),
		Detail: fmt.Sprintf("%saddons is no longer configured. The provider no longer manages what stays attached and billed: %s. To detach add-ons, set addons to those that are to stay, or to {}.",
			sentencePrefix(host), addonsInWords(have.sorted())),
		Effects: slice.Map(have.sorted(), func(a client.AttachedAddon) effect.Effect {
			return effect.Effect{Event: addonLeft, Code: types.StringValue(a.Code), Quantity: types.Float64Value(a.Quantity)}
		}),
	}
}

// effectsOf are the effects of steps. What is removed and added again is one effect.
func effectsOf(todo []effect.Step) (out []effect.Effect) {
	for _, s := range todo {
		other, again := counterpart(todo, s)
		switch {
		case s.Verb == stepRemove && !again:
			out = append(out, taken(packageRemoved, s), taken(packageStays, s))
		case s.Verb == stepDetach && !again:
			out = append(out, taken(addonDetached, s), taken(addonStays, s))
		case s.Verb == stepAssign && !again:
			out = append(out, given(packageAssigned, s))
		case s.Verb == stepAttach && !again:
			out = append(out, given(addonAttached, s))
		case adds(s):
			out = append(out, changed(other, s))
		}
	}
	return out
}

// counterpart is the step that adds again, or with another quantity, what a step removes, and the reverse.
func counterpart(todo []effect.Step, s effect.Step) (other effect.Step, found bool) {
	i := slices.IndexFunc(todo, func(o effect.Step) bool {
		return adds(o) != adds(s) && isPackage(o) == isPackage(s) && (isPackage(s) || s.Name != "" && sameCode(o.Name, s.Name))
	})
	if i < 0 {
		return other, false
	}
	return todo[i], true
}

// withCode returns what happens to a package or an add-on, by its ID if its code is not known.
func withCode(e effect.Event, code, id string) effect.Effect {
	switch {
	case code != "":
		return effect.Effect{Event: e, Code: types.StringValue(code)}
	case id != "":
		return effect.Effect{Event: e, Name: types.StringValue(id)}
	default:
		return effect.Effect{Event: e, Code: types.StringUnknown()}
	}
}

// stepEffect has no former and no new value.
func stepEffect(e effect.Event, s effect.Step) effect.Effect {
	out := withCode(e, s.Name, s.ID)
	out.If = s.If
	if !isPackage(s) {
		out.Quantity = s.Quantity
	}
	return out
}

func taken(e effect.Event, s effect.Step) effect.Effect {
	out := stepEffect(e, s)
	out.Before = valueOf(s)
	return out
}

func given(e effect.Event, s effect.Step) effect.Effect {
	out := stepEffect(e, s)
	out.After = valueOf(s)
	out.Allocates = true
	return out
}

// changed is a step that adds after another one has removed.
func changed(before, s effect.Step) effect.Effect {
	e := quantityChanged
	switch {
	case isPackage(s):
		e = packageChanged
	case before.Quantity.Equal(s.Quantity):
		e = addonAgain
	}
	out := given(e, s)
	out.Before = valueOf(before)
	return out
}

// valueOf is the code of a package or the quantity of an add-on; nil if it is known after apply.
func valueOf(s effect.Step) any {
	if !isPackage(s) {
		return effect.Number(s.Quantity)
	}
	if name := cmp.Or(s.Name, s.ID); name != "" {
		return name
	}
	return nil
}

func amount(s effect.Step) string {
	if s.Quantity.IsUnknown() {
		return "quantity known after apply"
	}
	return "quantity " + printable.Number(s.Quantity.ValueFloat64())
}

// subject names the package or add-on of a step in a sentence.
func subject(s effect.Step) string {
	noun := "add-on "
	unknown := "add-ons known after apply"
	switch {
	case isPackage(s):
		noun = "package "
		unknown = "the configured package"
	case isUnseen(s):
		unknown = "any other add-on"
	}
	if name := cmp.Or(s.Name, s.ID); name != "" {
		return noun + printable.OneLine(name)
	}
	return unknown
}

func nameWithAmount(s effect.Step) string {
	return subject(s) + ofAmount(s)
}

// named is a list such as "package GOLD and add-on SEATS (quantity 2)".
func named(them []effect.Step) string {
	return effect.Series("and", slice.Map(them, nameWithAmount))
}

// ofAmount follows the name of an add-on: " (quantity 2)".
func ofAmount(s effect.Step) string {
	if isPackage(s) || s.Name == "" {
		return ""
	}
	return " (" + amount(s) + ")"
}

// stepsInWords is a list of clauses: "package GOLD is assigned and add-on SEATS is attached (quantity 5)".
func stepsInWords(todo []effect.Step) string {
	return effect.Series("and", slice.Map(todo, func(s effect.Step) string {
		what := saying[s.Verb].is
		if s.If != "" {
			what = saying[s.Verb].mayBe
		}
		return subject(s) + " " + what + ofAmount(s)
	}))
}

// announceExcess announces the consent that steps may use.
func announceExcess(want *model) (effects []effect.Effect, detail string) {
	var parts []string
	byItem, unknown := want.allowed()
	for _, item := range fwtype.SortedKeys(byItem) {
		if most := byItem[item]; most > 0 {
			parts = append(parts, item+" by up to "+printable.Number(most))
			effects = append(effects, effect.Effect{Event: mayExceed, Code: types.StringValue(item), Quantity: types.Float64Value(most)})
		}
	}
	if unknown {
		parts = append(parts, "further items by amounts known after apply")
		effects = append(effects, effect.Effect{Event: mayExceed, Code: types.StringUnknown(), Quantity: types.Float64Unknown()})
	}
	return effects, "allow_excess permits exceeding the allowance: " + effect.Series("and", parts) + "."
}

// Drift is what the console has changed. Add-ons are in state only where `addons` is configured or was imported.
func (resource) Drift(was, now *model) (out []effect.Effect) {
	if now == nil {
		e := withCode(unassigned, was.PackageCode.ValueString(), was.PackageID.ValueString())
		e.Before = was.PackageCode.ValueString()
		return []effect.Effect{e}
	}
	if now.PackageID.ValueString() != was.PackageID.ValueString() {
		e := withCode(packageMoves, now.PackageCode.ValueString(), now.PackageID.ValueString())
		e.Before = was.PackageCode.ValueString()
		e.After = now.PackageCode.ValueString()
		out = append(out, e)
	}
	add := func(e effect.Event, a client.AttachedAddon, before, after any) {
		out = append(out, effect.Effect{
			Event: e, Code: types.StringValue(a.Code), Quantity: types.Float64Value(a.Quantity), Before: before, After: after,
		})
	}
	before := was.holding()
	after := now.holding()
	for _, a := range after.sorted() {
		if b, attached := before.addon(a.Code); !attached {
			add(addonAppears, a, nil, a.Quantity)
		} else if a.Quantity != b.Quantity {
			add(quantityMoves, a, b.Quantity, a.Quantity)
		}
	}
	for _, b := range before.sorted() {
		if _, stays := after.addon(b.Code); !stays {
			add(addonDisappears, b, b.Quantity, nil)
		}
	}
	return out
}

// What the catalog lacks, after the private label.
const (
	packageNotFound = "%sthe reseller's catalog has no package with ID %s. Check package_id, and that the API key belongs to the right reseller."
	packageInactive = "%spackage %s is deactivated, so it cannot be assigned. Activate the package, or choose a different one."
	addonNotFound   = "%sthe reseller's catalog has no add-on with code %s. Check the code. If this configuration creates the add-on, use (reseller_addon.NAME.code) as the key, or apply the add-on first with -target."
)

const (
	notReadBack = "the assignment could not be read after it was written."
	notAssigned = "%s has no package. Nothing was imported. Remove the import block. An apply of the resource then assigns the package."

	// The private label may turn out to be another one.
	labelLater = "if private_label_id turns out to be a different private label, the apply fails, because an assignment cannot move: add a resource instead. " + session.DeferredHint
	// The list of private labels does not show one.
	labelMissing = "The reseller's list does not show %s. It was deprovisioned, belongs to a different reseller, or is mistyped. Check the ID, and that the API key belongs to the right reseller."
	// After the private label.
	packageMoved = "%sthe package is no longer %s. Plan again without -refresh=false."
	notInEffect  = "%sthe API accepted each call, but a read afterwards shows a different package or different add-ons.\n\n  Not in effect: %s."
	// Of an apply whose calls the API accepted.
	assignedNotShown = "%sthe API accepted each call and does not show the assignment yet. It is in state. The next plan reads the missing attributes."
	updatedNotShown  = "%sthe API accepted each call and does not show all of it yet.\n\n  Not shown: %s."

	packageChangeRejected = "%schanging the package from %[2]s to %[3]s bills up to both for the entire billing period.\n\n" +
		"If %[2]s was assigned outside of Terraform, set package_id to its ID (in the file of a client: package: %[2]s). To change it to %[3]s, set allow_package_change = true."
	// Of a create that would have to change the package, or to detach add-ons or change their quantity.
	otherPackage = "%spackage %s is already assigned, and creating this resource does not change it.\n\n" +
		"Set package_id to the ID of that package. To change it, set allow_package_change = true and import the assignment:\n\n%s"
	otherAddons = "%saddons does not match what is already attached: %s.\n\n" +
		"Set addons to what is attached. To change it, import the assignment; the plan then shows each change:\n\n%s"
	// Of a change of add-ons that the state does not show.
	attachedElsewhere = "%sattached are %s, which this resource does not manage yet. %s\n\n" +
		"Add them to addons with these quantities and apply that alone, which makes no API call. Then make the other changes."
	// Of a package change.
	addonsNotShown = "%sthe API does not show the add-ons of this private label while it is suspended. A package change detaches all add-ons, " +
		"and the plan could not announce which.\n\nLift the suspension first, then change the package."
	// Why another package is an error.
	detachesOthers = "addons does not manage %s yet"
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
	return strings.Join(slice.Map(taken, func(s effect.Step) string { return subject(s) + " " + saying[s.Verb].done + ofAmount(s) }), ", ")
}

func notTaken(s effect.Step) string {
	return subject(s) + " " + saying[s.Verb].wasNot
}

// excessInHCL is a value of allow_excess.
func excessInHCL(byItem map[string]float64) string {
	items := slice.Map(fwtype.SortedKeys(byItem), func(item string) string { return item + " = " + printable.Number(byItem[item]) })
	return "{ " + strings.Join(items, ", ") + " }"
}

// applyFailure is the error of a step, or of the read after the last one. Its first sentence names the private label and
// what was not done.
func applyFailure(op *operation, host, what string, o transport.Outcome, remedies map[string]diagnostic.Remedy) diag.Diagnostics {
	failure := diagnostic.APIFailure{Summary: SummaryUpdate, Object: host, Failed: sentencePrefix(host) + what, Report: report(op), Remedies: remedies}
	if failure.Report == diagnostic.NothingChanged {
		failure.Report = ""
		failure.Unchanged = diagnostic.NothingChanged
	}
	switch {
	case op.Destroys():
		failure.Summary = summaryDelete
	case op.Creates():
		failure.Summary = SummaryCreate
	}
	return failure.Of(o)
}

// packageLater warns about a package that may turn out to be another one.
func packageLater(host, code, why string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("package_id"), SummaryPackageLater,
		fmt.Sprintf("%spackage %s is assigned. If package_id becomes a different package, the apply fails, because %s. %s", sentencePrefix(host), code, why, session.DeferredHint))
}

func movedError(op *operation, what string) diag.Diagnostics {
	return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryMoved, diagnostic.JoinParagraphs(what, report(op), "Plan again to see the change."))}
}

// What an error says before a list of steps or of what they added.
const (
	labelWritten  = "Written"
	labelRestored = "Restored"
	labelLost     = "Lost"
)

// report names what was written, what may be in effect, what was restored and what was lost.
func report(op *operation) string {
	var parts []string
	say := func(what, list, rest string) {
		if list != "" {
			parts = append(parts, "  "+what+": "+list+"."+rest)
		}
	}
	say(labelWritten, pastTense(op.written()), "")
	say("May be in effect", pastTense(op.inDoubt), "")
	say(labelRestored, pastTense(op.restored), "")
	what := labelLost
	recovery := "The provider could not restore it. Apply again."
	if op.unread {
		what = "May be lost"
		recovery = "No read shows it. Apply again."
	}
	say(what, named(op.missing), " "+cmp.Or(op.rejection, recovery))
	switch {
	case len(parts) == 0:
		return diagnostic.NothingChanged
	case op.Creates():
		parts = append(parts, "  Nothing is in state; the next apply completes the assignment.")
	case op.Destroys():
		parts = append(parts, "  Apply again to remove the rest.")
	}
	return strings.Join(parts, "\n")
}

func addonsInWords(addons []client.AttachedAddon) string {
	return effect.Series("and", slice.Map(addons, func(a client.AttachedAddon) string {
		return a.Code + " (quantity " + printable.Number(a.Quantity) + ")"
	}))
}

// Gone warns that an assignment was removed from state.
func (resource) Gone(ctx context.Context, s *session.Session, m *model) (removed, left diag.Diagnostic) {
	why := "The package was removed outside of Terraform. If it is still configured, an apply assigns it again, which is billed for the entire billing period."
	if s.LacksLabel(ctx, m.PrivateLabelID.ValueString()) {
		why = "The reseller's list no longer shows the private label: it was deprovisioned, or the platform moved it."
	}
	return diag.NewWarningDiagnostic(SummaryNotFound, "The assignment of "+hostOf(ctx, s, m)+" no longer exists. "+why), nil
}

// A replacement would remove the package and assign it again.
var notReplaceable = &object.Rejection{
	Summary: SummaryNotReplaceable,
	Detail: "Replacing %s would remove the package with its add-ons and assign it again. " +
		"If you renamed the resource, add a moved block. If it is tainted, run terraform untaint. If you used -replace, run the plan without it.",
}

// exceeds lists by how much the allowance would be exceeded, what the apply confirmed before, what would permit it, and
// the steps that are left.
func exceeds(host string, op *operation, failed effect.Step, e *client.ExcessError) diag.Diagnostic {
	const less = "assign less, or have the allowance raised."
	why, isRefused := errors.AsType[*excessRejectedError](e)
	why = cmp.Or(why, &excessRejectedError{})
	advice := fmt.Sprintf("To allow this excess, set allow_excess = %s. Otherwise %s Other assignments in this run change these numbers.", excessInHCL(why.needed), less)
	switch {
	case !isRefused && e.Err != nil:
		advice = diagnostic.Capitalize(e.Err.Error()) + ". " + diagnostic.Capitalize(less)
	case why.reason != "":
		advice = why.reason + " It was not confirmed. " + diagnostic.Capitalize(less)
	}
	needs := fmt.Sprintf("Attaching %s to %s needs more than the remaining allowance", nameWithAmount(failed), host)
	if failed.Verb == stepAssign {
		needs = fmt.Sprintf("Assigning %s to %s needs more than the remaining allowance", nameWithAmount(failed), host)
	}
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
	if len(lines) > 0 {
		needs += ":"
	}
	done := report(op)
	if done == diagnostic.NothingChanged {
		done, advice = "", diagnostic.NothingChanged+" "+advice
	}
	return diag.NewAttributeErrorDiagnostic(path.Root("allow_excess"), SummaryExcess,
		diagnostic.JoinParagraphs(needs, strings.Join(lines, "\n"), stepsLeft(op, failed), done, advice))
}

// stepsLeft lists the steps after one that failed.
func stepsLeft(op *operation, failed effect.Step) string {
	left := op.Steps[1+slices.IndexFunc(op.Steps, func(s effect.Step) bool { return s.Key == failed.Key }):]
	if len(left) == 0 {
		return ""
	}
	return fmt.Sprintf("  Left after this step: %s. By how much they exceed the allowance is known only when the API is asked.",
		effect.Series("and", slice.Map(left, nameWithAmount)))
}

// addonPath is the element of `addons` with a code.
func addonPath(m *model, code string) path.Path {
	if spelled := m.spelling(code); spelled != "" {
		return path.Root("addons").AtMapKey(spelled)
	}
	return path.Root("addons")
}

func remedies(op *operation, failed effect.Step) map[string]diagnostic.Remedy {
	at := path.Root("package_id")
	if failed.Verb == stepAttach || failed.Verb == stepDetach {
		at = addonPath(op.Subject(), failed.Name)
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
