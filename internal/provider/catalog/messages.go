package catalog

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

func notReplaceable(name string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryNotReplaceable,
		fmt.Sprintf("Replacing %s would fail, because its code can never be created again. Nothing was changed. Run the plan without -replace. If the resource is tainted, run terraform untaint.", name))
}

func (t items) codeTaken(item *client.Item) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("code"), summaryExists,
		fmt.Sprintf("Code %s belongs to the %s %q (ID %s) permanently. Nothing was changed.\n\n"+
			"If only the resource address changed, add a moved block. If the resource is tainted, run terraform untaint. If another resource has this code, keep one of the two.\n\n"+
			"Otherwise, to manage it, add this import block with the resource's name in place of NAME and plan again:\n\nimport {\n  to = reseller_%s.NAME\n  id = %q\n}",
			item.Code, t.kind, item.Name, item.ID, t.typeName, item.Code))
}

func limitReached(k client.Kind, code string, items int) string {
	return fmt.Sprintf("The reseller has %d %ss, deactivated ones included, so %s %s cannot be created. The API allows %d and deletes none. Nothing was changed. Import %s that is no longer used, and change it instead.", items, k, k, code, client.MaxItems, withArticle(k))
}

func overLimit(k client.Kind, left int) string {
	return fmt.Sprintf("This plan brings the reseller to %d %ss. The API allows %d, so the apply returns an error for those beyond the limit.", client.MaxItems-left, k, client.MaxItems)
}

func inUse(code string, labels int) string {
	have := fmt.Sprintf("%d private labels have", labels)
	if labels == 1 {
		have = "One private label has"
	}
	return fmt.Sprintf("%s package %s, which this plan changes. The API documentation does not say when such a change takes effect for private labels that have the package.", have, code)
}

func (t items) gone(_ context.Context, _ *session.Session, m *model) diag.Diagnostic {
	return diag.NewWarningDiagnostic(summaryNotFoundRemoved,
		fmt.Sprintf("%s %s is not in the catalog, although the API deletes no catalog item. Its code stays reserved. Contact the API provider's support.", diagnostic.Capitalize(t.kind.String()), m.name()))
}

func (t items) responseLost(code string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(summaryResponseLost,
		fmt.Sprintf("The response to creating %s %s was lost. A search shows it with this name and currency, so it was created once and is in state.", t.kind, code))
}

func settingsKept(k client.Kind, code string, removed []string) string {
	return fmt.Sprintf("The API cannot unset these fields of %s %s: %s. They keep their values. To change a value, set another one.", k, code, strings.Join(removed, ", "))
}

func notInCatalog(k client.Kind, given string, items int) string {
	return fmt.Sprintf("The reseller has no %s %s among the %d items of its catalog. Check the spelling, and that the API key belongs to the right reseller.", k, given, items)
}

func notImported(k client.Kind, given string) string {
	return fmt.Sprintf("The reseller has no %s %s. Nothing was imported. Import %s by its ID (32 hex characters, such as 0123456789abcdef0123456789abcdef) or its code (such as GOLD).", k, cmp.Or(given, `""`), withArticle(k))
}

func notDeactivated(k client.Kind, code string, err error) string {
	return diagnostic.JoinParagraphs(fmt.Sprintf("%s %s was created and is active.", diagnostic.Capitalize(k.String()), code), diagnostic.Cause(err), "The next plan shows this as a change, and the next apply deactivates it.")
}

// rejectedSettings is the remedy of a value that the API does not accept.
var rejectedSettings = diagnostic.Remedy{At: path.Root("settings"), Advice: "The API rejects a value. Its documentation lists no fields beyond code, name and currency. Check the names and values in settings."}

func (t items) createFailure(code string) diagnostic.APIFailure {
	return diagnostic.APIFailure{
		Summary:   summaryCreate,
		Failed:    fmt.Sprintf("%s %s was not created", diagnostic.Capitalize(t.kind.String()), code),
		Unchanged: "Nothing was changed",
		Remedies: map[string]diagnostic.Remedy{
			client.CodeCodeInUse:      {At: path.Root("code")},
			client.CodeInvalidRequest: rejectedSettings,
		},
	}
}

func (t items) updateFailure(s *step) diagnostic.APIFailure {
	what := "changed"
	if s.action == deactivate {
		what = "deactivated"
	}
	return diagnostic.APIFailure{
		Summary:   summaryUpdate,
		Failed:    fmt.Sprintf("%s %s was not %s", diagnostic.Capitalize(t.kind.String()), s.code, what),
		Unchanged: "The state was not changed",
		Remedies:  map[string]diagnostic.Remedy{client.CodeInvalidRequest: rejectedSettings},
	}
}

// withArticle names a kind: "a package", "an add-on".
func withArticle(k client.Kind) string {
	if k == client.KindAddon {
		return "an " + k.String()
	}
	return "a " + k.String()
}
