package member

import (
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// errManaged: another resource of this apply adds or removes the user.
var errManaged = errors.New("another resource of this apply manages the member")

// failure is the error of a step.
func (a *setApply) failure(s setStep, err error) diag.Diagnostic {
	email := s.person.email
	if errors.Is(err, errManaged) {
		return diag.NewErrorDiagnostic(summaryManagedHere,
			diagnostic.JoinParagraphs(fmt.Sprintf("Another resource of this apply manages %s on %s.", email, a.host), a.report(), "Remove the person from one of the two."))
	}
	if s.kind == setRemove {
		return diagnostic.APIFailure{
			Summary: summaryRemove, Unchanged: fmt.Sprintf("%s was not removed from %s. %s", email, a.host, a.report()),
			Remedies: map[string]diagnostic.Remedy{client.CodeInvalidTarget: {At: path.Root("private_label_id"), Advice: "The reseller has no such private label."}},
		}.Diagnostic(err)
	}
	f := addFailure(email, a.host)
	f.Summary, f.Unchanged = summaryAdd, fmt.Sprintf("%s was not added to %s. %s", email, a.host, a.report())
	for code, remedy := range f.Remedies {
		if remedy.At.Equal(path.Root("email")) || remedy.At.Equal(path.Root("first_name")) {
			f.Remedies[code] = diagnostic.Remedy{At: memberPath(email), Advice: remedy.Advice}
		}
	}
	return f.Diagnostic(err)
}

// otherMembers is the error of a create that would have to remove users. importID imports the set.
func otherMembers(importID, host string, others []string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("members"), summaryOtherMembers,
		fmt.Sprintf("%s of %s would have to be removed, since members lacks them. A create removes nobody, so nothing was changed.\n\n"+
			"Add them to members. To remove them, add this import block and plan again; the plan shows each removal:\n\n"+
			"import {\n  to = reseller_members.NAME\n  id = %q\n}", inWords(others), host, importID))
}

// joinedAfterPlan warns that an announced email is not sent.
func joinedAfterPlan(email, host, role string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(memberPath(email), summaryAdopted,
		fmt.Sprintf("%s is already %s of %s. Seat and name stay, and no email is sent.", email, role, host))
}

// notRemoved warns that an announced removal does not happen.
func notRemoved(email, host string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("members"), summaryPermanentRole,
		fmt.Sprintf("%s of %s was not removed: the person is now owner or admin, whom the API does not allow removing. The seat stays, and the person is no longer managed.", email, host))
}

// countAsPresent warns about owners and admins in the map.
func countAsPresent(people []string, host string) diag.Diagnostic {
	be := "is"
	if len(people) > 1 {
		be = "are"
	}
	return diag.NewAttributeWarningDiagnostic(path.Root("members"), summaryPrivileged,
		fmt.Sprintf("%s %s owner or admin of %s. Nothing is sent for an owner or admin in members: role, seat and name stay, and removing the entry does not remove the person.", inWords(people), be, host))
}

func setDeclaredTwice(host string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("private_label_id"), summarySetTwice,
		fmt.Sprintf("Two resources of this configuration manage the members of %s. Each removes the members that only the other one has. Keep one of them.", host))
}

// managedByTwoTypes warns about a set and single members of one private label.
func managedByTwoTypes(host string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(summaryTwoTypes,
		fmt.Sprintf("This plan has reseller_members and reseller_member of %s. Each removes or adds members that the other one manages. Keep one of the two.\n\n"+
			"To move from reseller_member to reseller_members, replace the old blocks with removed blocks that have destroy = false.", host))
}

func setReplaceRejected(host string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summarySetNoReplace,
		fmt.Sprintf("Replacing the members of %s would remove nobody, but may email people, and Terraform shows no warning of it. Nothing was planned. Run the plan without -replace, and without replace_triggered_by.", host))
}

// setLeft announces that a whole set is removed from state.
func setLeft(prior *setModel, facts setFacts) effect.Notice {
	subject := facts.host
	if subject == "" {
		subject = prior.PrivateLabelID.ValueString()
	}
	return effect.Notice{
		Topic:   effect.LeavingMembers,
		Detail:  fmt.Sprintf("All members of %s keep their seats: nobody is removed or signed out. The set is removed from state. To manage it again, import it.", labelName(facts.host, prior.PrivateLabelID)),
		Effects: []effect.Effect{{Kind: effect.Forgotten, What: "members stay and are no longer managed", Subject: subject}},
	}
}

// setUnknown announces the possible effects of a map that is known after apply.
func setUnknown(prior, planned *setModel, facts setFacts) effect.Notice {
	host := labelName(facts.newHost, planned.PrivateLabelID)
	email := effect.Effect{Kind: effect.Email, What: "set-password email to each person that is added", Subject: effect.KnownAfterApply}
	var leaving []string
	for _, s := range setSteps(prior, &setModel{}) {
		if s.kind == setRemove {
			leaving = append(leaving, s.person.email)
		}
	}
	if len(leaving) == 0 {
		return effect.Notice{
			Topic: effect.AddingMember, At: path.Root("members"), Effects: []effect.Effect{email},
			Detail: fmt.Sprintf("members is known after apply: each person that is added to %s will receive a set-password email and will use one seat.", host),
		}
	}
	return effect.Notice{
		Topic: effect.UnknownMembers, At: path.Root("members"),
		Detail: fmt.Sprintf("%s may be removed from %s, since members is known after apply: the apply removes and signs out each of them that members lacks then, and emails each person that it adds.\n\n"+
			"To see the changes in the plan, use values that are known at plan time.", inWords(leaving), host),
		Effects: append(eachPerson(leaving, mayBeRemoved), email),
	}
}
