package member

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// facts is what the API adds to prior state and plan. The zero value represents nothing.
type facts struct {
	host    string // of the private label in state, "" for unknown
	newHost string // of the planned private label, "" for unknown
	adopts  bool   // the planned person already is a member
}

// notices returns what a change of a member announces. prior is nil for a create, planned for a destroy. It
// makes no call: `review` uses it on a saved plan.
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

// replaces reports whether the plan exchanges the person. Terraform plans a replacement where a value is unknown, too.
func (m *model) replaces(prior *model) bool {
	return m.Email.IsUnknown() || m.PrivateLabelID.IsUnknown() || !m.Email.SameAs(prior.Email) || !m.PrivateLabelID.Equal(prior.PrivateLabelID)
}

// adopted reports whether the plan names the user whom the create finds. An update's first half still has the ID of
// the state.
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

// labelName names a private label in messages. host is "" where it is not known.
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

// Reviewers of a saved plan.
func Reviewers() []effect.Reviewer {
	return []effect.Reviewer{effect.NewReviewer(NewResource(), "email", review), effect.NewReviewer(NewSetResource(), "private_label_id", reviewSet)}
}

// reviewSet rests on the plan alone: the IDs of the members who are adopted are known in it.
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

// review rests on the plan alone: the ID of a member who is adopted is known in it.
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

// ActionReviewers of a saved plan.
func ActionReviewers() []effect.ActionReviewer {
	return []effect.ActionReviewer{{Type: "reseller_resend_invite", UserID: "user_id", Effect: emailTo("")}}
}
