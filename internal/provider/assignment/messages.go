package assignment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

const (
	unchangedText  = "Nothing was changed."
	alreadyInState = "this plan creates an assignment that is already in state. If the resource is tainted, run terraform untaint. If you used -replace, run the plan without it. If only the resource address changes, add a moved block. Otherwise the apply returns an error and changes nothing."
	notReadBack    = "the assignment could not be read after it was written."
	labelGone      = "The reseller's list no longer shows the private label: it was deprovisioned, or the platform moved it."
	packageGone    = "The package was removed outside of Terraform. An apply assigns it again, which is billed for the entire billing period."
)

func packageMoved(from string) string {
	return "the package is no longer " + from + ". Nothing was changed. Plan again without -refresh=false."
}

func notAssigned(given string) string {
	return given + " has no package. Nothing was imported. Remove the import block. An apply of the resource then assigns the package."
}

func (a *assignmentApply) summary() string {
	switch {
	case a.want.nothing:
		return summaryDelete
	case a.creates:
		return summaryCreate
	default:
		return summaryUpdate
	}
}

// explain returns the error of an apply that stopped early.
func (a *assignmentApply) explain(ctx context.Context, err error) diag.Diagnostics {
	host := a.r.HostOf(ctx, a.labelID)
	var (
		problems    *problemsError
		failed      *stepError
		excess      *client.ExcessError
		other       *otherPackageError
		unannounced *unannouncedError
	)
	if errors.As(err, &problems) {
		return problems.diags
	}
	if !errors.As(err, &failed) {
		failed = &stepError{err: err}
	}
	var d diag.Diagnostic
	switch {
	case errors.As(err, &other):
		d = otherPackage(host, other.code, a.report())
	case errors.As(err, &unannounced):
		d = diag.NewErrorDiagnostic(summaryMoved, diagnostic.JoinParagraphs(
			lead(host)+"the package or the add-ons changed after the plan. The apply would now make a change that the plan did not announce: "+stepsInWords([]step{unannounced.step})+".",
			a.report(), "Plan again to see the change."))
	case errors.Is(err, errMoved):
		d = diag.NewErrorDiagnostic(summaryMoved, diagnostic.JoinParagraphs(
			lead(host)+"the package changed while this apply was running, so it was not removed.", a.report(), "Plan again to see the change."))
	case errors.As(err, &excess):
		d = a.excess(host, failed.step, excess)
	default:
		d = applyFailure(a.summary(), host, failed.step.failure(), failed.err, a.report(), a.remedies(failed.step))
	}
	return diag.Diagnostics{d}
}

// failure says which step failed.
func (s step) failure() string {
	verb := map[stepKind]string{stepDetach: "detached", stepRemove: "removed", stepAssign: "assigned", stepAttach: "attached"}[s.kind]
	subject := s.subject()
	if s.code == "" && s.id == "" {
		subject = "the package"
	}
	return fmt.Sprintf("%s was not %s.", subject, verb)
}

// report names what was written, what was restored and what was lost.
func (a *assignmentApply) report() string {
	if len(a.done) == 0 && len(a.restored) == 0 && len(a.missing) == 0 {
		return unchangedText
	}
	var parts []string
	if len(a.done) > 0 {
		parts = append(parts, "Written: "+pastTense(a.done)+".")
	}
	if len(a.restored) > 0 {
		parts = append(parts, "Restored: "+pastTense(a.restored)+".")
	}
	if len(a.missing) > 0 {
		names := make([]string, 0, len(a.missing))
		for _, s := range a.missing {
			names = append(names, s.nameWithAmount())
		}
		parts = append(parts, "Lost: "+inSeries(names)+". "+a.recovery())
	}
	switch {
	case len(a.done) == 0:
	case a.creates:
		parts = append(parts, "What was written stays, and is billed for the billing period. Nothing is in state; the next apply adopts what is there.")
	case a.want.nothing:
		parts = append(parts, "Apply again to remove the rest.")
	}
	return strings.Join(parts, " ")
}

// recovery says how to restore what was lost. The next plan does not show a lost add-on that is not managed.
func (a *assignmentApply) recovery() string {
	if a.addons.IsNull() && slices.ContainsFunc(a.missing, func(s step) bool { return !s.isPackage() }) {
		return "The provider could not restore it. Apply again, and configure addons or attach the add-ons outside of Terraform."
	}
	return "The provider could not restore it. Apply again."
}

// pastTense is a list such as "package GOLD removed, add-on SEATS attached (quantity 2)".
func pastTense(taken []step) string {
	verbs := map[stepKind]string{stepDetach: "detached", stepRemove: "removed", stepAssign: "assigned", stepAttach: "attached"}
	parts := make([]string, 0, len(taken))
	for _, s := range taken {
		text := s.subject() + " " + verbs[s.kind]
		if !s.isPackage() {
			text += " (" + s.amount() + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func (s step) nameWithAmount() string {
	if s.isPackage() {
		return s.subject()
	}
	return s.subject() + " (" + s.amount() + ")"
}

func otherPackage(host, code, report string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("package_id"), summaryOtherPackage, diagnostic.JoinParagraphs(
		lead(host)+"package "+code+" is already assigned. Changing it bills both packages, so creating this resource does not change it.", report,
		"Set package_id to the ID of "+code+" to adopt the assignment. Once it is in state, allow_package_change = true permits a change."))
}

// excess lists by how much the allowance would be exceeded.
func (a *assignmentApply) excess(host string, failed step, e *client.ExcessError) diag.Diagnostic {
	lines, needed := make([]string, 0, len(e.Warnings)), maps.Clone(a.excessAllowed)
	if needed == nil {
		needed = map[string]float64{}
	}
	for _, w := range e.Warnings {
		lines = append(lines, "  "+w.String())
		needed[w.ItemCode] = max(needed[w.ItemCode], w.Excess)
	}
	verb := "Assigning "
	if failed.kind == stepAttach {
		verb = "Attaching "
	}
	parts := make([]string, 0, len(needed))
	for _, item := range fwtype.SortedKeys(needed) {
		parts = append(parts, fmt.Sprintf("%s = %s", item, client.Amount(needed[item])))
	}
	return diag.NewAttributeErrorDiagnostic(path.Root("allow_excess"), summaryExcess,
		fmt.Sprintf("%s%s to %s needs more than the remaining allowance:\n\n%s\n\n%s To allow this excess, set allow_excess = { %s }. Otherwise assign less, or have the allowance raised.",
			verb, failed.nameWithAmount(), host, strings.Join(lines, "\n"), a.report(), strings.Join(parts, ", ")))
}

// applyFailure is an error of the client. The first sentence names the private label and what was not done; report
// says what did and did not change.
func applyFailure(summary, host, what string, err error, report string, remedies map[string]diagnostic.Remedy) diag.Diagnostic {
	d := diagnostic.APIFailure{Summary: summary, Object: host, Failed: lead(host) + what, Unchanged: report, Remedies: remedies}.Diagnostic(err)
	if !transport.IsUnknownOutcome(err) || report == unchangedText {
		return d
	}
	return diag.NewErrorDiagnostic(d.Summary(), diagnostic.JoinParagraphs(d.Detail(), report))
}

func (a *assignmentApply) remedies(failed step) map[string]diagnostic.Remedy {
	at := path.Root("package_id")
	if failed.kind == stepAttach || failed.kind == stepDetach {
		at = addonPath(a.addons, failed.code)
	}
	return map[string]diagnostic.Remedy{
		client.CodeAlreadyAssigned:     {At: at, Advice: "The private label has another package. Plan again."},
		client.CodePackageInactive:     {At: at, Advice: "Activate the package, or choose another one."},
		client.CodeNoSubscription:      {Advice: "The reseller has no subscription, which packages require. Contact the API provider's sales."},
		client.CodeAddonNotFound:       {At: at, Advice: "Check the code of the add-on."},
		client.CodeNotAssigned:         {At: path.Root("package_id"), Advice: "The private label has no package, which add-ons require. Plan again."},
		client.CodeConfirmationInvalid: {Advice: "The API rejected the confirmation of the excess. Apply again to request a new one."},
		client.CodeInvalidTarget:       session.NotALabel,
	}
}

// declaredTwice warns about two creates for one private label.
func declaredTwice(host string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("private_label_id"), summaryDeclaredTwice,
		fmt.Sprintf("Two resources of this configuration assign a package to %s. The apply creates one assignment and returns an error for the other. Keep one of them.", host))
}

// renamed warns about a removal and a create for one private label.
func renamed(host string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(summaryManagedTwice,
		lead(host)+"this plan removes the package, and another resource of the configuration assigns one. The apply returns an error for one of the two. If only the resource address changes, add a moved block.")
}

// managedTwice is the error for removing what another resource of this apply has created or adopted.
func managedTwice(host string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryManagedHere,
		lead(host)+"another resource of this apply manages the package, so removing it would contradict that resource. Nothing was changed. "+
			"For a renamed resource, add a moved block. Otherwise run terraform state rm on one of the two.")
}

// labelMissing: the list of private labels does not show one.
func labelMissing(id string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("private_label_id"), session.SummaryLabelNotFound,
		fmt.Sprintf("The reseller's list does not show %s. It was deprovisioned, belongs to another reseller, or is mistyped. Nothing was changed. Check the ID, and that the API key belongs to the right reseller.", id))
}

// cannotReplace: a replacement would remove the package and assign it again.
func cannotReplaceAssignment(host string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryNotReplaceable,
		lead(host)+"a replacement would remove the package with its add-ons and assign it again. Nothing was changed. "+
			"If the resource is tainted, run terraform untaint. If you used -replace, run the plan without it. If only the resource address changes, add a moved block.")
}

func packageChangeRejected(host string, from, to types.String) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("package_id"), summaryPackageChange, diagnostic.JoinParagraphs(
		fmt.Sprintf("%schanging the package from %s to %s bills both for the entire billing period. Nothing was changed.", lead(host), fwtype.Display(from), fwtype.Display(to)),
		"Restore package_id, or set allow_package_change = true."))
}

// packageLater warns about a package that may turn out to be another one.
func packageLater(host, code, why string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("package_id"), summaryPackageLater,
		fmt.Sprintf("%spackage %s is assigned. If package_id turns out to be another package, the apply returns an error, because %s. %s", lead(host), code, why, session.DeferredHint))
}

// labelLater warns about a private label that may turn out to be another one.
func labelLater(host string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("private_label_id"), summaryLabelLater,
		fmt.Sprintf("%sif private_label_id turns out to be another private label, the apply returns an error for this resource, because an assignment cannot move. To assign a package to another private label, add another resource. %s", lead(host), session.DeferredHint))
}
