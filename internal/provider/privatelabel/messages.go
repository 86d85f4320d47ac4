package privatelabel

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// provisionRemedies are those of the codes of §4.9.
var provisionRemedies = map[string]diagnostic.Remedy{
	client.CodeHostTaken:          {At: path.Root("domain")},
	client.CodeHostReserved:       {At: path.Root("domain")},
	client.CodeDomainInvalid:      {At: path.Root("domain")},
	client.CodeInvalidColor:       {Advice: "Write color_primary and color_accent as #rgb or #rrggbb."},
	client.CodeTooManySocialLinks: {At: path.Root("social_links")},
	client.CodeOwnerInvalidEmail:  {At: path.Root("owner").AtName("email")},
	client.CodeOwnerInvalidName:   {At: path.Root("owner")},
	client.CodeInvalidRequest:     {Advice: "A value is blank or longer than its field; the API documentation gives no lengths. Shorten app_name, the owner's names or the URLs, and check the names in social_links."},
}

var suspendRemedies = map[string]diagnostic.Remedy{
	client.CodeSuspendedByPlatform: {At: path.Root("suspended")},
	client.CodeInvalidRequest:      {At: path.Root("suspend_reason"), Advice: "A reason has at most 500 characters."},
}

// failures are those of the steps; the host name precedes Failed.
var failures = map[string]diagnostic.APIFailure{
	provision:   {Summary: SummaryProvision, Failed: " was not provisioned", Unchanged: "Nothing was created, and no email was sent", Remedies: provisionRemedies},
	attach:      {Summary: SummaryAttach, Failed: " was not attached", Unchanged: "The next apply retries"},
	suspend:     {Summary: summarySuspend, Failed: " was not suspended", Unchanged: "It stays live", Remedies: suspendRemedies},
	unsuspend:   {Summary: summaryUnsuspend, Failed: " is still suspended", Unchanged: "Nothing was changed", Remedies: suspendRemedies},
	deprovision: {Summary: summaryDeprovision, Failed: " was not deprovisioned", Unchanged: "It is still in state"},
}

// failureOf describes a step that failed.
func failureOf(s effect.Step, destroys bool) diagnostic.APIFailure {
	f := failures[s.Verb]
	f.Failed = s.Name + f.Failed
	if s.Verb != provision { // which has the host name in its call
		f.Object = s.Name
	}
	if s.Verb == suspend && destroys {
		f.Unchanged += " and is still in state"
	}
	return f
}

// whetherActive is what is known of a new private label that was to be suspended.
func whetherActive(o transport.Outcome) string {
	if o.State == transport.Absent {
		return " and is active"
	}
	return ""
}

func alreadyLive(s *shown) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("domain"), SummaryExists,
		fmt.Sprintf("%s is already provisioned (ID %s), and cannot be provisioned twice. Nothing was changed.\n\n"+
			"If the resource is tainted, run terraform untaint. If you used -replace, run the plan without it. If only the resource address changed, add a moved block.\n\n"+
			"Otherwise, to manage it, add this import block, with the address of this error in to, and plan again:\n\n%s", s.Host(), s.TenantID, session.ImportRemedy("reseller_private_label", s.TenantID)))
}

func (kind) Replace(name string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryNotReplaceable,
		fmt.Sprintf("Replacing %[1]s would delete it with its members, and then fail, because its host name can never be provisioned again. Nothing was changed.\n\n"+
			"Run the plan without -replace. If the resource is tainted, run terraform untaint. To delete %[1]s permanently, set deletion_policy to \"DEPROVISION\", apply, then destroy it.", name))
}

// notALabel is the remedy of an ID in the configuration that is of no private label.
var notALabel = map[string]diagnostic.Remedy{client.CodeInvalidTarget: session.NotALabel}

// Texts that begin with, or are about, a host name.
const (
	hostRetired = "The private label with host name %s no longer exists: it was deprovisioned, or the platform moved it to another reseller. The host name of a deprovisioned private label can never be provisioned again. Nothing was changed.\n\n" +
		"Remove the resource from the configuration, or set another host name. To destroy the other resources of the configuration, run terraform destroy -refresh=false."
	appNameMissing = "%[1]s is not among the reseller's private labels. Provisioning it requires app_name, the name of the portal, such as \"Acme Sign\".\n\n" + orGone
	ownerMissing   = "%[1]s is not among the reseller's private labels. Provisioning it requires an owner with email, first_name and last_name. The owner receives a set-password email.\n\n" + orGone
	orGone         = "If %[1]s existed before, it was deprovisioned or moved to another reseller: remove its block, or the client's file. If it exists, import it."
	recordedOnly   = "%s is already provisioned, so no API call sends %s. Terraform only records the change in state. To change what the portal shows, use the reseller console."
	reasonFixed    = "%s is suspended with the reason %q, and the API keeps the reason while the suspension lasts. Nothing was changed.\n\n" +
		"Restore suspend_reason. For another reason, apply suspended = false first, which lets members sign in, and then suspend it again."
	otherReason         = "%s is suspended with the reason %q, set outside of Terraform; the configuration has %q. The API keeps the reason while the suspension lasts, so no change is planned."
	foundProvisioned    = "The response to provisioning %s was lost. The list of private labels shows it with this owner, so it was provisioned once and is in state. The owner was emailed once."
	foundDeprovisioned  = "The response to deprovisioning %s was lost. The list of private labels no longer shows it, so it was deprovisioned and removed from state."
	notAttached         = "%s was provisioned, but the API could not attach its host name. The next apply attaches it."
	notAttachedAgain    = "The API accepted the call, but shows %s as not attached. The next apply retries."
	provisionedNotShown = "%s was provisioned and is in state, and the API does not show it yet. The next plan reads the missing attributes."
	waitsForDNS         = "The apply waits until the API has verified the DNS of %s, for at most %s; %s. It does not wait for a host name that is verified already."
	goesOn              = "The resource is in state with verified = false, and nothing waits for it. Each plan looks again, with one call, until the host name is verified."
	acceptedNotAttached = "The API accepted the call, but shows %s as not attached. Nothing else was changed. Invoke the action again later. If the error persists, contact the API provider's support."
)

func (kind) Gone(_ context.Context, _ *session.Session, m *model) diag.Diagnostic {
	return diag.NewWarningDiagnostic(SummaryNotFound, session.GoneText(m.Domain.ValueString(), m.ID.ValueString())+
		"\n\nRemove the resource from the configuration, or set another host name. If the platform moved the private label by mistake, contact support, and import it when it is back.")
}

func suspendedByPlatform(m *model) diag.Diagnostic {
	since := ""
	if at, diags := m.SuspendedAt.ValueRFC3339Time(); !diags.HasError() {
		since = " on " + at.UTC().Format(time.DateOnly)
	}
	return diag.NewWarningDiagnostic(SummaryPlatform,
		fmt.Sprintf("The platform suspended %s%s. Only the platform can lift this suspension, so the provider plans no change.", m.Domain.ValueString(), since))
}

func expectedRecord(host string, setup client.DomainSetup) string {
	setup = setupOf(host, setup)
	if len(setup.Records) == 0 {
		return "The API returns no DNS record to create. Contact the API provider's support."
	}
	record := setup.Records[0]
	return printable.OneLine(fmt.Sprintf("Create this DNS record: type %s, name %s, value %s", record.Type, record.Name, record.Value))
}
