package member

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// facts is what reads of the API add to prior state and plan. The zero value adds nothing.
type facts struct {
	host    string // of the private label in state, "" if unknown
	newHost string // of the planned private label, "" if unknown
	adopts  bool   // the planned user already is a member
}

// notices returns the announced effects of a change of a member. prior is nil for a create, planned for a destroy. It
// makes no API call, so that `review` can use it on a saved plan.
func notices(prior, planned *model, facts facts) effect.Notices {
	switch {
	case prior == nil && planned == nil:
		return nil
	case planned == nil:
		return effect.Notices{removed(prior, facts)}
	case prior == nil && (facts.adopts || planned.adopted(nil)):
		return nil
	case prior == nil:
		return effect.Notices{added(planned, facts)}
	case !planned.replaces(prior):
		return nil
	case planned.Email.IsUnknown():
		return effect.Notices{replaced(prior, planned, "email", facts)}
	case planned.PrivateLabelID.IsUnknown():
		return effect.Notices{replaced(prior, planned, "private_label_id", facts)}
	case facts.adopts || planned.adopted(prior):
		return effect.Notices{removed(prior, facts)}
	default:
		return effect.Notices{removed(prior, facts), added(planned, facts)}
	}
}

// replaces reports whether the plan removes one member and adds another. Terraform plans a replacement also for unknown
// values.
func (m *model) replaces(prior *model) bool {
	return m.Email.IsUnknown() || m.PrivateLabelID.IsUnknown() || !m.Email.SameAs(prior.Email) || !m.PrivateLabelID.Equal(prior.PrivateLabelID)
}

// adopted reports whether the plan has the ID of the user whom the create adopts. The first half of a replacement still
// has the ID from the state.
func (m *model) adopted(prior *model) bool {
	if m.ID.IsNull() || m.ID.IsUnknown() {
		return false
	}
	return prior == nil || !m.ID.Equal(prior.ID)
}

func added(planned *model, facts facts) effect.Notice {
	who := effect.NameOf(planned.Email, "A member whose email address is known after apply")
	return effect.Notice{
		Topic:   effect.AddingMember,
		At:      path.Root("email"),
		Detail:  fmt.Sprintf("%s will receive a set-password email branded for %s and will use one seat.", who, labelName(facts.newHost, planned.PrivateLabelID)),
		Effects: []effect.Effect{emailTo(effect.SubjectOf(planned.Email))},
	}
}

func removed(prior *model, facts facts) effect.Notice {
	return effect.Notice{
		Topic: effect.RemovingMember,
		Detail: fmt.Sprintf("%s will be removed from %s: the member is signed out immediately, cannot sign in, and the seat is free again.",
			prior.name(), labelName(facts.host, prior.PrivateLabelID)),
		Effects: []effect.Effect{removalOf(effect.SubjectOf(prior.Email))},
	}
}

func emailTo(subject string) effect.Effect {
	return effect.Effect{Kind: effect.Email, What: "set-password email to a member", Subject: subject}
}

func removalOf(subject string) effect.Effect {
	return effect.Effect{Kind: effect.Removed, What: "member signed out and removed", Subject: subject}
}

// labelName names a private label in messages. host is "" if unknown.
func labelName(host string, label types.String) string {
	switch {
	case host != "":
		return host
	case label.IsUnknown() || label.IsNull():
		return "the new private label"
	default:
		return "private label " + label.ValueString()
	}
}

// Reviewers returns the reviewers of member resources in a saved plan.
func Reviewers() []effect.Reviewer {
	return []effect.Reviewer{effect.NewReviewer(NewResource(), "email", review), effect.NewReviewer(NewSetResource(), "private_label_id", reviewSet)}
}

// reviewSet uses the plan alone, which has the IDs of the adopted members.
func reviewSet(_ context.Context, prior, planned *setModel, names effect.Names) effect.Notices {
	var f setFacts
	if prior != nil {
		f.host = names.Hosts[prior.PrivateLabelID.ValueString()]
	}
	if planned != nil {
		f.newHost = names.Hosts[planned.PrivateLabelID.ValueString()]
	}
	return setNotices(prior, planned, f)
}

// review uses the plan alone, which has the ID of an adopted member.
func review(_ context.Context, prior, planned *model, names effect.Names) effect.Notices {
	var f facts
	if prior != nil {
		f.host = names.Hosts[prior.PrivateLabelID.ValueString()]
	}
	if planned != nil {
		f.newHost = names.Hosts[planned.PrivateLabelID.ValueString()]
	}
	return notices(prior, planned, f)
}

// ActionReviewers returns the reviewers of member actions in a saved plan.
func ActionReviewers() []effect.ActionReviewer {
	return []effect.ActionReviewer{{Type: "reseller_resend_invite", UserID: "user_id", Effect: emailTo("")}}
}
