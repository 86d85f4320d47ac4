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
			client.CodeHostTaken:          {at("domain"), "The host is in use, or was once: the host of a deprovisioned label can never be provisioned again, by anybody. Choose another host; if it is a label of yours, import it."},
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
	client.CodeSuspendedByPlatform: {path.Root("suspended"), "The platform suspended this label, and only the platform can lift that. Ask the service's support; until then take `suspended` out of the configuration or leave it: the provider does not fight it."},
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
	host := state.Domain.ValueString()
	return diag.NewAttributeErrorDiagnostic(path.Root("deletion_policy"),
		host+" is protected from being destroyed",
		fmt.Sprintf("Destroying it would lose the portal %s (%s) with its people and documents, and its host could never be provisioned again. deletion_policy is PREVENT, so nothing was sent and the label stays in state.\n\n"+
			"Keep the resource; or `terraform state rm` it to leave the portal alone and forget it; or set deletion_policy to SUSPEND, ABANDON or DEPROVISION, apply that first, and destroy then.", host, state.ID.ValueString()))
}

// importBlock is ready to paste, but for the resource's name, which a provider
// does not know.
func importBlock(id string) string {
	return fmt.Sprintf("import {\n  to = reseller_private_label.NAME\n  id = %q\n}", id)
}

func alreadyLive(s *client.PrivateLabelSummary) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("domain"),
		s.PrimaryHost+" is already live on this reseller",
		fmt.Sprintf("The label %s exists and cannot be provisioned again; a host is never free again, so it cannot be replaced either. Nothing was planned.\n\n"+
			"To manage it with Terraform, add this block with the resource's name in place of NAME, and plan again:\n\n%s\n\n"+
			"If Terraform made this label and marks it as tainted, or if you passed -replace: run `terraform untaint` on it, or leave -replace away.", s.TenantID, importBlock(s.TenantID)))
}

func replaceRefused(host string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(host+" cannot be replaced",
		"Replacing a private label would deprovision the portal with its people and documents, and then fail: the host of a deprovisioned label can never be provisioned again. Nothing was planned.\n\nLeave -replace away. To be rid of the label for good, set deletion_policy to DEPROVISION, apply, and destroy it.")
}
