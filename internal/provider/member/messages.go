package member

import (
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

func replaceRejected(email, host string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryNoReplace,
		fmt.Sprintf("Replacing %s of %s would sign the member out and email the member again, and Terraform shows no warning of it. Nothing was changed.\n\n"+
			"Run the plan without -replace, and remove replace_triggered_by. To send another set-password email, use the action reseller_resend_invite. "+
			"To add the member again, remove the resource from the configuration, apply, and restore it.", email, host))
}

func declaredTwice(email, host string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("email"), summaryDeclaredTwice,
		fmt.Sprintf("Two resources of this configuration manage %s on %s (email addresses are compared without case). The apply creates one and returns an error for the other. Keep one of them.", email, host))
}

func managedByTwo(email, host string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(summaryManagedTwice,
		fmt.Sprintf("%s of %s is in state, and another resource of this plan adopts the member. Destroying one of them removes the member for both.\n\n"+
			"If the resource is tainted, run terraform untaint. If only the resource address changed, add a moved block. Otherwise keep one of the two.", email, host))
}

// adoptionWarning says what does not change when a member is adopted.
func adoptionWarning(email, host, role string) diag.Diagnostic {
	detail := fmt.Sprintf("%s is already a member of %s. Seat and name stay, and no email is sent. Destroying this resource will remove the member.", email, host)
	if role == client.RoleOwner || role == client.RoleAdmin {
		detail = fmt.Sprintf("%s is already %s of %s. Seat, role and name stay, and no email is sent. The API does not allow removing owners and admins, so destroying this resource returns an error.", email, role, host)
	}
	return diag.NewAttributeWarningDiagnostic(path.Root("email"), summaryAdopted,
		detail+"\n\nIf a resource in state manages this member, run terraform untaint if it is tainted, or add a moved block.")
}

func cannotRemove(m *model, host, role string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryPermanentRole,
		fmt.Sprintf("The API does not allow removing %s, %s of %s (CANNOT_REMOVE_OWNER). Nothing was changed.\n\n"+
			"To stop managing the member, use a removed block with destroy = false. To remove an admin, change the role to member in the console first.", m.name(), role, labelName(host, m.PrivateLabelID)))
}

func cannotReplace(email, host, role string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryPermanentRole,
		fmt.Sprintf("Replacing %s, %s of %s, would remove the member first, which the API does not allow (CANNOT_REMOVE_OWNER). Nothing was changed.\n\n"+
			"Restore email and private_label_id and run the plan without -replace. Add another member as another resource.", email, role, host))
}

// addFailure maps error codes of adding a member (Reseller API §4.16) to attributes.
func addFailure(email, host string) diagnostic.APIFailure {
	at := path.Root
	return diagnostic.APIFailure{
		Summary:   summaryAdd,
		Object:    host,
		Failed:    email + " was not added to " + host,
		Unchanged: "No seat was used. Another apply is safe: a member who was added nevertheless is adopted without a second email",
		Remedies: map[string]diagnostic.Remedy{
			client.CodeSeatQuotaReached: {At: at("private_label_id"), Advice: "Every seat of the private label's package is used. Attach an add-on with seats, assign a larger package (reseller_assignment), or remove a member."},
			client.CodeInvalidEmail:     {At: at("email"), Advice: "Write one plain email address, such as ada@acme.example."},
			client.CodeInvalidName:      {At: at("first_name"), Advice: "Set first_name and last_name. Neither may be blank."},
			client.CodeInvalidRequest:   {At: at("first_name"), Advice: "A value is longer than its field; the API documentation gives no lengths. Shorten the names."},
			client.CodeInvalidTarget:    session.NotALabel,
		},
	}
}

func memberGone(name, host string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(summaryRemoved,
		fmt.Sprintf("%s was removed from %s outside of Terraform. The next apply adds and emails the member again while the resource is configured.", name, host))
}

// tainted is the error of a replacement that would remove the member that its create adopts.
func tainted(m *model, host string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryTainted,
		fmt.Sprintf("%s is a member of %s, and this apply adopts the member as it is. Removing the member first would sign the member out. Nothing was changed. Run terraform untaint on the resource.", m.name(), host))
}

// managedTwice is the error of removing a user whom another resource of this apply has added or adopted.
func managedTwice(m *model, host string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryManagedHere,
		fmt.Sprintf("Another resource of this apply manages %s on %s, so removing the member would contradict it. Nothing was changed. "+
			"If only the resource address changed, add a moved block. Otherwise run terraform state rm on one of the two.", m.name(), host))
}

func nameOnlyInState(name string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(summaryName, fmt.Sprintf("The name of %s changes only in state. The member can change it in the portal.", name))
}

// leftAfterPlan is the error of a create that would have to email a user whom the plan adopts.
func leftAfterPlan(at path.Path, email, host string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, summaryLeft,
		fmt.Sprintf("%s was a member of %s when the plan was made, and no longer is. Adding the member would send an email that the plan did not announce, so nothing was changed. Plan again.", email, host))
}

func responseLost(at path.Path, email, host string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(at, summaryResponseLost,
		fmt.Sprintf("The response to adding %s was lost, and the call was retried. The user is a member of %s now. At most one set-password email was sent. If none arrived, send another one with the action reseller_resend_invite.", email, host))
}

func notAMember(person, label string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryNotFound,
		fmt.Sprintf("%s is not a member of %s. Nothing was imported. Recipients of documents are not members. Remove the import block; an apply of the resource then adds the member.", person, label))
}

func invalidImportID(id string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryImportID,
		fmt.Sprintf("%q does not name a member. Nothing was imported. Import a member by private label ID or host name, a slash, and user ID or email address, such as sign.acme.example/bob@acme.example.", id))
}

func inviteFailure(host, user string, err error) diagnostic.APIFailure {
	again := "in five minutes"
	var answer *transport.Error
	if errors.As(err, &answer) && answer.RetryAfter > 0 {
		again = "after " + answer.RetryAfter.Round(time.Second).String()
	}
	return diagnostic.APIFailure{
		Summary:   summaryInvite,
		Object:    host,
		Failed:    fmt.Sprintf("User %s of %s was not sent a set-password email", user, host),
		Unchanged: "This call sent no email",
		Remedies: map[string]diagnostic.Remedy{
			client.CodeTooFrequent:   {Advice: "A user receives at most one set-password email in five minutes, including the one sent when the member was added. Invoke the action again " + again + "."},
			client.CodeInternal:      {Advice: "The API could not send the email. Invoke the action again after five minutes; the failed attempt counts."},
			client.CodeUserNotFound:  {At: path.Root("user_id"), Advice: "No member of the private label has this ID. The data source reseller_members lists all members."},
			client.CodeInvalidTarget: session.NotALabel,
		},
	}
}

func replaced(prior, planned *model, attribute string, facts facts) effect.Notice {
	return effect.Notice{
		Topic: effect.ReplacingMember,
		At:    path.Root(attribute),
		Detail: fmt.Sprintf("%s of %s is known after apply, so Terraform plans a replacement even if the value is equal: the member is signed out of %s and emailed again.\n\n"+
			"To keep the member, use a value that is known at plan time, or apply its source first with -target.", attribute, prior.name(), labelName(facts.host, prior.PrivateLabelID)),
		Effects: []effect.Effect{removalOf(effect.SubjectOf(prior.Email)), emailTo(effect.SubjectOf(planned.Email))},
	}
}
