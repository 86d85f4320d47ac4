package provider

import (
	"fmt"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// tenantID is the form of every id of the service (§2.1).
var tenantID = regexp.MustCompile(`^[0-9a-f]{32}$`)

// provisionFailure maps the codes of §4.9 to what the user wrote.
func provisionFailure(host string) failure {
	at := path.Root
	owner := at("owner")
	return failure{
		summary: host + " was not provisioned",
		undone:  "Nothing was made: no portal, no e-mail.",
		remedies: map[string]remedy{
			client.CodeHostTaken:          {at("domain"), "The host name is in use or belonged to a deprovisioned private label, which nobody can provision again. Choose another host name, or import the private label if it is yours."},
			client.CodeHostReserved:       {at("domain"), "This host is one of the service's own. Choose a host of the client's domain."},
			client.CodeDomainInvalid:      {at("domain"), "Write the bare host name, such as sign.acme.example."},
			client.CodeInvalidColor:       {at("color_primary"), "Write `color_primary` and `color_accent` as #rgb or #rrggbb."},
			client.CodeInvalidURL:         {at("website_url"), "Check `website_url`, `support_url` and `social_links`: each is a full http or https URL."},
			client.CodeTooManySocialLinks: {at("social_links"), "At most 20 social links are allowed."},
			client.CodeOwnerInvalidEmail:  {owner.AtName("email"), "Write one plain e-mail address."},
			client.CodeOwnerInvalidName:   {owner, "Give `first_name` and `last_name`; neither may be blank."},
			client.CodeInvalidRequest:     {at("app_name"), "A value is blank or longer than its field allows; the service's documents give no lengths. Shorten `app_name`, the owner's names or the URLs, and check the names in `social_links`."},
		},
	}
}

func readFailure(host string) failure {
	return failure{
		summary: host + " could not be read",
		undone:  "Nothing was changed; the state stays as it is.",
	}
}

var suspendRemedies = map[string]remedy{
	client.CodeSuspendedByPlatform: {path.Root("suspended"), "Only the platform can lift this suspension. Contact support. You can keep `suspended` in the configuration; the provider does not act on it until then."},
	client.CodeInvalidRequest:      {path.Root("suspend_reason"), "A reason has at most 500 characters."},
}

func notAmongLabels(given, slug string) diag.Diagnostic {
	whose := "the reseller"
	if slug != "" {
		whose = slug
	}
	return diag.NewErrorDiagnostic(fmt.Sprintf("%s is no live label of %s", given, whose),
		"The reseller's list of labels does not show it. It may have been deprovisioned (then it is gone for good), or belong to another reseller: check that the key is the right one. Import by the tenant id (32 hex characters, such as 0123456789abcdef0123456789abcdef) or the host name (such as sign.acme.example). Nothing was imported.")
}

func goneText(host, id string) string {
	return fmt.Sprintf("The reseller's list of labels no longer shows %s (%s): it was deprovisioned, or the platform moved it to another reseller. Its host can never be provisioned again here.", host, id)
}

func destroyPrevented(state *privateLabelModel) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("deletion_policy"), "Private label is protected from deletion",
		fmt.Sprintf("Destroying %s (%s) would delete it with its members and documents, and its host name could never be provisioned again. "+
			"deletion_policy is \"PREVENT\", so nothing was changed. To stop managing it, run terraform state rm. To destroy it, "+
			"set deletion_policy to \"SUSPEND\", \"ABANDON\" or \"DEPROVISION\" and apply first.", state.Domain.ValueString(), state.ID.ValueString()))
}

// importBlock is ready to paste, but for the resource's name, which a provider
// does not know.
func importBlock(id string) string {
	return fmt.Sprintf("import {\n  to = reseller_private_label.NAME\n  id = %q\n}", id)
}

func alreadyLive(s *client.PrivateLabelSummary) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("domain"), "Private label already exists",
		fmt.Sprintf("%s is already provisioned (ID %s). A host name is provisioned once, so the private label cannot be replaced either. Nothing was changed.\n\n"+
			"To manage it, add this import block with the resource's name in place of NAME and plan again:\n\n%s\n\n"+
			"If the resource is tainted, run terraform untaint. If you used -replace, run the plan without it.", s.PrimaryHost, s.TenantID, importBlock(s.TenantID)))
}

func replaceRefused(host string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Private labels cannot be replaced",
		fmt.Sprintf("Replacing %s would delete it with its members and documents, and then fail, because its host name can never be provisioned again. Nothing was planned.\n\n"+
			"Run the plan without -replace. To delete %s permanently, set deletion_policy to \"DEPROVISION\", apply, then destroy it.", host, host))
}

func hostRetired(host string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("domain"), "Host name cannot be reused",
		fmt.Sprintf("The private label with host name %s no longer exists. The host name of a deprovisioned private label can never be provisioned again. Nothing was planned.\n\n"+
			"Remove the resource from the configuration, or set another host name. To destroy the other resources of the configuration, run terraform destroy -refresh=false.", host))
}

// declaredTwice is the error of the second of two resources for one object, before its call.
func declaredTwice(at path.Path, object string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Object is declared twice",
		fmt.Sprintf("Another resource of this apply creates %s. This resource made no API call. Remove one of the two resources from the configuration.", object))
}
