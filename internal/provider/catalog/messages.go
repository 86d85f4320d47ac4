package catalog

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

func (kind) Replace(name string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryNotReplaceable,
		fmt.Sprintf("Replacing %s would fail, because its code can never be created again. Nothing was changed. Run the plan without -replace. If the resource is tainted, run terraform untaint.", name))
}

func (k kind) codeTaken(item *client.Item) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("code"), SummaryExists,
		fmt.Sprintf("Code %s belongs to the %s %q (ID %s) permanently. Nothing was changed.\n\n"+
			"If only the resource address changed, add a moved block. If the resource is tainted, run terraform untaint. If another resource has this code, keep one of the two.\n\n"+
			"Otherwise, to manage it, add this import block, with the address of this error in to, and plan again:\n\n%s",
			item.Code, k.items, item.Name, item.ID, session.ImportRemedy("reseller_"+k.typeName, item.Code)))
}

// Texts about an item of a kind.
const (
	limitReached = "The reseller has %d %[2]ss, deactivated ones included, so %[2]s %[3]s cannot be created. The API allows %[4]d and deletes none. Nothing was changed. Import %[5]s that is no longer used, and change it instead."
	overLimit    = "This plan brings the reseller to %d %ss. The API allows %d, so the apply returns an error for those beyond the limit."
	settingsKept = "The API cannot unset these fields of %s %s: %s. They keep their values. To change a value, set another one."
	notInCatalog = "The reseller has no %s %s among the %d items of its catalog. Check the spelling, and that the API key belongs to the right reseller."
	notImported  = "The reseller has no %s %s. Nothing was imported. Import %s by its ID (32 hex characters, such as 0123456789abcdef0123456789abcdef) or its code (such as GOLD)."
	notKeptByAPI = "%s %s was created, but the API does not show these values as they were sent: %s. The next plan shows what the API has. Check the names in settings."
	responseLost = "The response to creating %s %s was lost. A search shows it with this name and currency, so it was created once and is in state."
)

func inUse(code string, labels int) string {
	have := fmt.Sprintf("%d private labels have", labels)
	if labels == 1 {
		have = "One private label has"
	}
	return fmt.Sprintf("%s package %s, which this plan changes. The API documentation does not say when such a change takes effect for private labels that have the package.", have, code)
}

func (k kind) Gone(_ context.Context, _ *session.Session, m *model) diag.Diagnostic {
	return diag.NewWarningDiagnostic(SummaryNotFoundRemoved,
		fmt.Sprintf("%s %s is not in the catalog, although the API deletes no catalog item. Its code stays reserved. Contact the API provider's support.", diagnostic.Capitalize(k.items.String()), m.name()))
}

func notDeactivated(k client.Kind, code string, o transport.Outcome) string {
	known := " and is active"
	if o.State != transport.Absent {
		known = ""
	}
	return diagnostic.JoinParagraphs(fmt.Sprintf("%s %s was created%s.", diagnostic.Capitalize(k.String()), code, known), diagnostic.Cause(o.Err), "The next plan shows this as a change, and the next apply deactivates it.")
}

// rejectedSettings is the remedy of a value that the API does not accept.
var rejectedSettings = diagnostic.Remedy{At: path.Root("settings"), Advice: "The API rejects a value. Its documentation lists no fields beyond code, name and currency. Check the names and values in settings."}

func (k kind) failure(s effect.Step, o transport.Outcome) diagnostic.APIFailure {
	what := map[string]string{create: "created", update: "changed", deactivate: "deactivated"}[s.Verb]
	f := diagnostic.APIFailure{
		Summary:   SummaryUpdate,
		Failed:    fmt.Sprintf("%s %s was not %s", diagnostic.Capitalize(k.items.String()), s.Name, what),
		Unchanged: "The state was not changed",
		Remedies:  map[string]diagnostic.Remedy{client.CodeInvalidRequest: rejectedSettings},
	}
	if shown, ok := errors.AsType[*transport.ContradictedError](o.Err); ok && shown.Partly {
		f.Failed = fmt.Sprintf("The update of %s %s was accepted, but not all of it is shown", k.items, s.Name)
	}
	if s.Verb == create {
		f.Summary, f.Unchanged, f.Remedies[client.CodeCodeInUse] = summaryCreate, "Nothing was changed", diagnostic.Remedy{At: path.Root("code")}
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
