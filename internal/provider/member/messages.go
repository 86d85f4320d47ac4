package member

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

const (
	cannotReplace = "Replacing %s, %s of %s, would remove the member first, which the API does not allow (CANNOT_REMOVE_OWNER). Nothing was changed.\n\n" +
		"Restore email and private_label_id and run the plan without -replace. Add another member as another resource."
	responseLost = "A call to add %s failed, or its response was lost. The user is a member of %s now. At most one set-password email was sent. If none arrived, send another one with the action reseller_resend_invite."
	// Of a create that would have to remove members.
	otherMembers = "%s of %s would have to be removed, since members lacks them. A create removes nobody, so nothing was changed.\n\n" +
		"Add them to members. To remove them, add this import block and plan again; the plan shows each removal:\n\n%s"
	notAMember      = "%s is not a member of %s. Nothing was imported. Recipients of documents are not members. Remove the import block; an apply of the resource then adds the member."
	invalidImportID = "%q does not name a member. Nothing was imported. Import a member by private label ID or host name, a slash, and user ID or email address, such as sign.acme.example/bob@acme.example."
)

func (kind) Replace(name string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryNoReplace,
		fmt.Sprintf("Replacing %s would sign the member out and email the member again, and Terraform shows no warning of it. Nothing was changed.\n\n"+
			"Run the plan without -replace, and remove replace_triggered_by. If the resource is tainted, run terraform untaint. To send another set-password email, use the action reseller_resend_invite. "+
			"To add the member again, remove the resource from the configuration, apply, and restore it.", name))
}

// alreadyMember says what a create of an existing member does not do, and what a destroy will.
func alreadyMember(m *model, host string, live *model) string {
	as, later := "a member", " Destroying this resource removes the member."
	if live.administers() {
		as, later = "an "+live.Role.ValueString(), " The API does not allow removing owners and admins, so destroying this resource returns an error."
	}
	if live.Role.ValueString() == client.RoleOwner {
		as = "the owner"
	}
	if m.DeletionPolicy.ValueString() != effect.PolicyRemove {
		later = ""
	}
	return fmt.Sprintf("%s is already %s of %s. No email is sent unless the member is removed before the apply.%s\n\n"+
		"If a resource in state manages this member, run terraform untaint if it is tainted, or add a moved block.", m.Email.ValueString(), as, host, later)
}

func cannotRemove(m *model, host, role string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryPermanentRole,
		fmt.Sprintf("The API does not allow removing %s, %s of %s (CANNOT_REMOVE_OWNER). Nothing was changed.\n\n"+
			"To stop managing the member, use a removed block with destroy = false. No API call changes a role: the API documentation does not say who can make an admin a member again.", m.name(), role, host))
}

// addFailure maps error codes of adding a member (Reseller API §4.16) to attributes.
func addFailure(email, host, unchanged string, address, names path.Path) diagnostic.APIFailure {
	return diagnostic.APIFailure{
		Summary:   SummaryAdd,
		Object:    host,
		Failed:    email + " was not added to " + host,
		Unchanged: unchanged,
		Remedies: map[string]diagnostic.Remedy{
			client.CodeSeatQuotaReached: {At: path.Root("private_label_id")},
			client.CodeInvalidEmail:     {At: address},
			client.CodeInvalidName:      {At: names},
			client.CodeInvalidRequest:   {At: names, Advice: "A value is longer than its field; the API documentation gives no lengths. Shorten the names."},
			client.CodeInvalidTarget:    session.NotALabel,
		},
	}
}

// notListed is the error of a list of members that could not be read.
func notListed(ctx context.Context, s *session.Session, label string, err error) diag.Diagnostic {
	return s.NotOfLabel(ctx, diagnostic.SummaryListMembers, label, "The members list of "+s.HostOf(ctx, label), err)
}

func (kind) Gone(ctx context.Context, s *session.Session, m *model) diag.Diagnostic {
	label := m.PrivateLabelID.ValueString()
	host := s.HostOf(ctx, label)
	if s.LacksLabel(ctx, label) {
		return diag.NewWarningDiagnostic(SummaryLabelGone, fmt.Sprintf("%s was removed from state. %s", m.name(), session.GoneText(host, label)))
	}
	return diag.NewWarningDiagnostic(SummaryRemoved,
		fmt.Sprintf("%s was removed from %s outside of Terraform. The next apply adds and emails the member again while the resource is configured.", m.name(), host))
}

func inviteFailure(host, user string, err error) diagnostic.APIFailure {
	again := "in five minutes"
	if answer, ok := errors.AsType[*transport.Error](err); ok && answer.RetryAfter > 0 {
		again = "after " + answer.RetryAfter.Round(time.Second).String()
	}
	return diagnostic.APIFailure{
		Summary:   SummaryInvite,
		Object:    host,
		Failed:    fmt.Sprintf("User %s of %s was not sent a set-password email", user, host),
		Unchanged: "This call sent no email",
		Remedies: map[string]diagnostic.Remedy{
			client.CodeTooFrequent:   {Advice: "The API rejects an invitation for five minutes after the last set-password email of a user, including the one sent when the member was added. Invoke the action again " + again + "."},
			client.CodeInternal:      {Advice: "The API could not send the email. Invoke the action again after five minutes; the failed attempt counts."},
			client.CodeUserNotFound:  {At: path.Root("user_id")},
			client.CodeInvalidTarget: session.NotALabel,
		},
	}
}

// Failed is the error of a step.
func (c *setChange) Failed(ctx context.Context, s effect.Step, o transport.Outcome) diag.Diagnostics {
	email, host := s.Name, c.HostOf(ctx, c.Want.PrivateLabelID.ValueString())
	if errors.Is(o.Err, object.ErrChangedMeanwhile) {
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("members"), summarySetChanged,
			fmt.Sprintf("The members of %s changed during the apply, which would now make a change that the plan did not announce: %s.\n\n%s Plan again to see the change.", host, s.Key, setReport(c)))}
	}
	if s.Verb == verbRemove {
		return diag.Diagnostics{diagnostic.APIFailure{
			Summary: SummaryRemove, Object: host, Failed: email + " was not removed from " + host, Unchanged: setReport(c),
			Remedies: map[string]diagnostic.Remedy{client.CodeInvalidTarget: {At: path.Root("private_label_id"), Advice: "The reseller has no such private label."}},
		}.Of(o)}
	}
	at := memberPath(email)
	return diag.Diagnostics{addFailure(email, host, setReport(c), at, at).Of(o)}
}

// setReport describes what the API calls of an apply did, and whether the state has it.
func setReport(c *setChange) string {
	by := map[string][]string{}
	for _, s := range c.Done {
		if !c.released[s.Name] {
			by[s.Verb] = append(by[s.Verb], s.Name)
		}
	}
	var done []string
	if len(by[verbRemove]) > 0 {
		done = append(done, "removed "+inWords(by[verbRemove]))
	}
	if len(by[verbAdd]) > 0 {
		done = append(done, "added "+inWords(by[verbAdd]))
	}
	switch {
	case len(done) == 0:
		return "Nothing was changed."
	case c.Creates():
		return fmt.Sprintf("Before that, this apply %s. The next apply adds the rest without another email to them.", strings.Join(done, " and "))
	default:
		return fmt.Sprintf("Before that, this apply %s, which is in state. Apply again for the rest.", strings.Join(done, " and "))
	}
}

func (setKind) Gone(ctx context.Context, s *session.Session, m *setModel) diag.Diagnostic {
	label := m.PrivateLabelID.ValueString()
	return diag.NewWarningDiagnostic(SummarySetLabelGone, session.GoneText(s.HostOf(ctx, label), label))
}

// notRemoved warns that an announced removal does not happen.
func notRemoved(email, host string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("members"), SummaryPermanentRole,
		fmt.Sprintf("%s of %s was not removed: the person is now owner or admin, whom the API does not allow removing. The seat stays, and the person is no longer managed.", email, host))
}

// countAsPresent warns about owners and admins in the map.
func countAsPresent(people []string, host string) diag.Diagnostic {
	be := "is"
	if len(people) > 1 {
		be = "are"
	}
	return diag.NewAttributeWarningDiagnostic(path.Root("members"), SummaryPrivileged,
		fmt.Sprintf("%s %s owner or admin of %s. Nothing is sent for an owner or admin in members: role, seat and name stay, and removing the entry does not remove the person.", inWords(people), be, host))
}

func (setKind) Replace(name string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummarySetNoReplace,
		fmt.Sprintf("Replacing %s would remove nobody, but may email people, and Terraform shows no warning of it. Nothing was planned. Run the plan without -replace, and without replace_triggered_by.", name))
}
