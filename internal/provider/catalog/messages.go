package catalog

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func nameOf(code fwtype.ItemCode) string { return effect.NameOf(code, "(code known after apply)") }

func permanentCode(k client.Kind, code, remain string) string {
	return fmt.Sprintf("%s code %s is permanent: it cannot be changed or reused, and it counts toward the limit of %d %ss even after deactivation%s. Check the code before you apply.", diagnostic.Capitalize(k.String()), code, client.MaxItems, k, remain)
}

func permanentUnknownCode(k client.Kind, remain string) string {
	return fmt.Sprintf("The %s code is known after apply. It cannot be changed or reused once created, and it counts toward the limit of %d %ss even after deactivation%s.", k, client.MaxItems, k, remain)
}

func notReplaceable(k client.Kind, code string) string {
	return fmt.Sprintf("Replacing %s %s would fail, because its code can never be created again. Nothing was changed. Run the plan without -replace.", k, code)
}

func (r *Resource) codeTaken(item *client.Item) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("code"), summaryExists,
		fmt.Sprintf("Code %s belongs to the %s %q (ID %s) permanently. Nothing was changed.\n\n"+
			"If the resource is tainted, run terraform untaint. If only the resource address changed, add a moved block.\n\n"+
			"Otherwise, to manage it, add this import block with the resource's name in place of NAME and plan again:\n\nimport {\n  to = reseller_%s.NAME\n  id = %q\n}",
			item.Code, r.kind, item.Name, item.ID, r.typeName, item.Code))
}

func limitReached(k client.Kind, code string, items int) string {
	return fmt.Sprintf("The reseller has %d %ss, deactivated ones included, so %s %s cannot be created. The API allows %d and deletes none. Nothing was changed. Import %s that is no longer used, and change it instead.", items, k, k, code, client.MaxItems, withArticle(k))
}

func declaredTwice(k client.Kind, code string) string {
	return fmt.Sprintf("Two resources of this configuration create %s %s (codes are compared without case). The apply creates one and returns an error for the other. Keep one of them.", k, code)
}

func overLimit(k client.Kind, code string, total int) string {
	return fmt.Sprintf("With %s %s, this plan brings the reseller to %d %ss, deactivated ones included. The API allows %d, so the apply returns an error for those beyond the limit.", k, code, total, k, client.MaxItems)
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

func (r *Resource) createFailure(code string) diagnostic.APIFailure {
	return diagnostic.APIFailure{
		Summary:   summaryCreate,
		Failed:    fmt.Sprintf("%s %s was not created", diagnostic.Capitalize(r.kind.String()), code),
		Unchanged: "Nothing was changed",
		Remedies: map[string]diagnostic.Remedy{
			client.CodeCodeInUse:      {At: path.Root("code"), Advice: "The code belongs to another item permanently, even after deactivation, and in upper or lower case. Import that item, or choose another code."},
			client.CodeInvalidRequest: rejectedSettings,
		},
	}
}
