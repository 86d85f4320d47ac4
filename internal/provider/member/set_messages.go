package member

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// setFailed is the error of a step.
func setFailed(ctx context.Context, c *setChange, s *setStep, err error) diag.Diagnostics {
	email, host := s.person.email, c.HostOf(ctx, c.Want.PrivateLabelID.ValueString())
	if errors.Is(err, object.ErrMoved) {
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root("members"), summarySetChanged,
			fmt.Sprintf("The members of %s changed during the apply, which would now make a change that the plan did not announce: %s.\n\n%s Plan again to see the change.", host, s.Key(), setReport(c)))}
	}
	if s.kind == setRemove {
		return diag.Diagnostics{diagnostic.APIFailure{
			Summary: summaryRemove, Failed: email + " was not removed from " + host, Unchanged: setReport(c),
			Remedies: map[string]diagnostic.Remedy{client.CodeInvalidTarget: {At: path.Root("private_label_id"), Advice: "The reseller has no such private label."}},
		}.Diagnostic(err)}
	}
	f := addFailure(email, host)
	f.Summary, f.Unchanged = summaryAdd, setReport(c)
	for code, remedy := range f.Remedies {
		if remedy.At.Equal(path.Root("email")) || remedy.At.Equal(path.Root("first_name")) {
			f.Remedies[code] = diagnostic.Remedy{At: memberPath(email), Advice: remedy.Advice}
		}
	}
	return diag.Diagnostics{f.Diagnostic(err)}
}

// setReport describes what the API calls of an apply did, and whether the state has it.
func setReport(c *setChange) string {
	by := map[setStepKind][]string{}
	for _, s := range c.Done {
		by[s.kind] = append(by[s.kind], s.person.email)
	}
	var done []string
	if len(by[setRemove]) > 0 {
		done = append(done, "removed "+inWords(by[setRemove]))
	}
	if len(by[setAdd]) > 0 {
		done = append(done, "added "+inWords(by[setAdd]))
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

func setGone(ctx context.Context, s *session.Session, m *setModel) diag.Diagnostic {
	label := m.PrivateLabelID.ValueString()
	return diag.NewWarningDiagnostic(summarySetLabelGone, session.GoneText(s.HostOf(ctx, label), label))
}

// otherMembers is the error of a create that would have to remove users.
func otherMembers(host string, others []string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("members"), summaryOtherMembers,
		fmt.Sprintf("%s of %s would have to be removed, since members lacks them. A create removes nobody, so nothing was changed.\n\n"+
			"Add them to members. To remove them, add this import block and plan again; the plan shows each removal:\n\n"+
			"import {\n  to = reseller_members.NAME\n  id = %q\n}", inWords(others), host, host))
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

func setReplaceRejected(name string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summarySetNoReplace,
		fmt.Sprintf("Replacing %s would remove nobody, but may email people, and Terraform shows no warning of it. Nothing was planned. Run the plan without -replace, and without replace_triggered_by.", name))
}

// setLeft announces that a whole set is removed from state.
func setLeft(v setView) effect.Notice {
	host := labelName(v.Names, v.Was.PrivateLabelID)
	return effect.Notice{
		Topic:   topicLeavingMembers,
		Detail:  fmt.Sprintf("All members of %s keep their seats: nobody is removed or signed out. The set is removed from state. To manage it again, import it.", host),
		Effects: []effect.Effect{{Kind: effect.Forgotten, What: "members stay and are no longer managed", Subject: strings.TrimPrefix(host, "private label ")}},
	}
}

// setUnknown announces the possible effects of a map that is known after apply.
func setUnknown(v setView) effect.Notice {
	host := labelName(v.Names, v.Want.PrivateLabelID)
	email := emailTo(effect.KnownAfterApply)
	email.If = "members adds one"
	var leaving []string
	for _, s := range setSteps(v.Was, &setModel{}, nil) {
		if s.kind == setRemove {
			leaving = append(leaving, s.person.email)
		}
	}
	if len(leaving) == 0 {
		return effect.Notice{
			Topic: topicAddingMember, At: path.Root("members"), Effects: []effect.Effect{email},
			Detail: fmt.Sprintf("members is known after apply: each person that is added to %s will receive a set-password email and will use one seat.", host),
		}
	}
	return effect.Notice{
		Topic: topicUnknownMembers, At: path.Root("members"),
		Detail: fmt.Sprintf("%s may be removed from %s, since members is known after apply: the apply removes and signs out each of them that members lacks then, and emails each person that it adds.\n\n"+
			"To see the changes in the plan, use values that are known at plan time.", inWords(leaving), host),
		Effects: append(eachPerson(leaving, perhapsRemoved), email),
	}
}
