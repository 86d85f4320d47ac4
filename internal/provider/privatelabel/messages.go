package privatelabel

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// provisionFailure maps the codes of §4.9 to what the user wrote.
func provisionFailure(host string) diagnostic.APIFailure {
	at := path.Root
	owner := at("owner")
	return diagnostic.APIFailure{
		Summary:   summaryProvision,
		Failed:    host + " was not provisioned",
		Unchanged: "Nothing was created, and no email was sent",
		Remedies: map[string]diagnostic.Remedy{
			client.CodeHostTaken:          {At: at("domain"), Advice: "The host name is in use or belonged to a deprovisioned private label, which nobody can provision again. Choose another host name, or import the private label if it is yours."},
			client.CodeHostReserved:       {At: at("domain"), Advice: "The platform reserves this host name. Choose a host name of your customer's domain."},
			client.CodeDomainInvalid:      {At: at("domain"), Advice: "Write the bare host name, such as sign.acme.example."},
			client.CodeInvalidColor:       {At: at("color_primary"), Advice: "Write color_primary and color_accent as #rgb or #rrggbb."},
			client.CodeInvalidURL:         {At: at("website_url"), Advice: "Check website_url, support_url and social_links. Each is a full http or https URL."},
			client.CodeTooManySocialLinks: {At: at("social_links"), Advice: "At most 20 social links are allowed."},
			client.CodeOwnerInvalidEmail:  {At: owner.AtName("email"), Advice: "Write one plain email address."},
			client.CodeOwnerInvalidName:   {At: owner, Advice: "Set first_name and last_name. Neither may be blank."},
			client.CodeInvalidRequest:     {At: at("app_name"), Advice: "A value is blank or longer than its field; the API documentation gives no lengths. Shorten app_name, the owner's names or the URLs, and check the names in social_links."},
		},
	}
}

var suspendRemedies = map[string]diagnostic.Remedy{
	client.CodeSuspendedByPlatform: {At: path.Root("suspended"), Advice: "Only the platform can lift this suspension. Contact support. You can keep suspended in the configuration; the provider does not act on it until then."},
	client.CodeInvalidRequest:      {At: path.Root("suspend_reason"), Advice: "A reason has at most 500 characters."},
}

func destroyPrevented(state *model) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("deletion_policy"), summaryProtected,
		fmt.Sprintf("Destroying %s (%s) would delete it with its members and documents, and its host name could never be provisioned again. "+
			"The state has deletion_policy = \"PREVENT\", so nothing was changed.\n\n"+
			"If only the resource address changed, add a moved block. If the configuration has another deletion_policy, apply that change first. "+
			"To stop managing the private label, run terraform state rm. To destroy it, set \"SUSPEND\", \"ABANDON\" or \"DEPROVISION\" and apply first.", state.Domain.ValueString(), state.ID.ValueString()))
}

func alreadyLive(s *client.PrivateLabelSummary) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("domain"), summaryExists,
		fmt.Sprintf("%s is already provisioned (ID %s), and cannot be provisioned twice. Nothing was changed.\n\n"+
			"If the resource is tainted, run terraform untaint. If you used -replace, run the plan without it. If only the resource address changed, add a moved block.\n\n"+
			"Otherwise, to manage it, add this import block with the resource's name in place of NAME and plan again:\n\n%s", s.PrimaryHost, s.TenantID, session.ImportBlock(s.TenantID)))
}

func replaceRefused(host string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryNotReplaceable,
		fmt.Sprintf("Replacing %s would delete it with its members and documents, and then fail, because its host name can never be provisioned again. Nothing was changed.\n\n"+
			"Run the plan without -replace. To delete %s permanently, set deletion_policy to \"DEPROVISION\", apply, then destroy it.", host, host))
}

func hostRetired(host string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("domain"), summaryHostRetired,
		fmt.Sprintf("The private label with host name %s no longer exists. The host name of a deprovisioned private label can never be provisioned again. Nothing was changed.\n\n"+
			"Remove the resource from the configuration, or set another host name. To destroy the other resources of the configuration, run terraform destroy -refresh=false.", host))
}
