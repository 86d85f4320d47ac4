package member

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
)

// notices announces who is emailed and who is signed out.
func notices(v object.View[*model, *client.Member], todo []*step) effect.Notices {
	switch {
	case v.Want == nil && len(todo) == 0:
		return effect.Notices{left(v)}
	case v.Want == nil:
		return effect.Notices{removed(v)}
	case v.Was == nil:
		return effect.Notices{added(v)}
	default:
		return nil
	}
}

func added(v object.View[*model, *client.Member]) effect.Notice {
	m := v.Want
	host := labelName(v.Names, m.PrivateLabelID)
	n := effect.Notice{
		Topic: topicAddingMember,
		At:    path.Root("email"),
		Detail: fmt.Sprintf("%s will receive a set-password email branded for %s and will use one seat.",
			effect.NameOf(m.Email, "A member whose email address is known after apply"), host),
		Effects: []effect.Effect{emailTo(effect.SubjectOf(m.Email))},
	}
	if v.Live != nil {
		n.Detail = alreadyMember(m, host, v.Live)
	}
	return n
}

func removed(v object.View[*model, *client.Member]) effect.Notice {
	if v.Next != nil && v.Next.Email.IsUnknown() {
		return replaced(v, "email")
	}
	if v.Next != nil && v.Next.PrivateLabelID.IsUnknown() {
		return replaced(v, "private_label_id")
	}
	return effect.Notice{
		Topic: topicRemovingMember,
		Detail: fmt.Sprintf("%s will be removed from %s: the member is signed out immediately, cannot sign in, and the seat is free again.",
			v.Was.name(), labelName(v.Names, v.Was.PrivateLabelID)),
		Effects: []effect.Effect{removalOf(effect.SubjectOf(v.Was.Email))},
	}
}

// replaced explains a removal that an unknown value causes.
func replaced(v object.View[*model, *client.Member], attribute string) effect.Notice {
	return effect.Notice{
		Topic: topicReplacingMember,
		At:    path.Root(attribute),
		Detail: fmt.Sprintf("%s of %s is known after apply, so Terraform plans a replacement even if the value is equal: the member is signed out of %s and emailed again.\n\n"+
			"To keep the member, use a value that is known at plan time, or apply its source first with -target.", attribute, v.Was.name(), labelName(v.Names, v.Was.PrivateLabelID)),
		Effects: []effect.Effect{removalOf(effect.SubjectOf(v.Was.Email))},
	}
}

func left(v object.View[*model, *client.Member]) effect.Notice {
	return effect.Notice{
		Topic: topicLeavingMembers,
		Detail: fmt.Sprintf("%s stays a member of %s with a seat; no API call is made. To manage the member again, import it.",
			v.Was.name(), labelName(v.Names, v.Was.PrivateLabelID)),
		Effects: []effect.Effect{{Kind: effect.Forgotten, What: "member stays and is no longer managed", Subject: effect.SubjectOf(v.Was.Email)}},
	}
}

func emailTo(subject string) effect.Effect {
	return effect.Effect{Kind: effect.Email, What: "set-password email to a member", Subject: subject}
}

func removalOf(subject string) effect.Effect {
	return effect.Effect{Kind: effect.Removed, What: "member signed out and removed", Subject: subject}
}

// labelName names a private label in messages.
func labelName(names object.Names, label types.String) string {
	if label.IsUnknown() || label.IsNull() {
		return "the new private label"
	}
	return names.Host(label.ValueString())
}
