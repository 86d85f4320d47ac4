package privatelabel

import (
	"cmp"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

var (
	hostBound     = effect.Event{Kind: effect.Permanent, Phrase: "host name bound to its private label"}
	ownerEmailed  = effect.Event{Kind: effect.Email, Phrase: "set-password email to the owner"}
	deprovisioned = effect.Event{Kind: effect.Destroyed, Phrase: "private label deprovisioned with its members"}
	signedOut     = effect.Event{Kind: effect.Suspended, Phrase: "members signed out by a suspension"}
	lifted        = effect.Event{Kind: effect.Suspended, Phrase: "suspension lifted: members can sign in again"}

	labelLeft        = effect.Event{Kind: effect.Forgotten, Phrase: "private label removed from state only"}
	suspensionLeft   = effect.Event{Kind: effect.Forgotten, Phrase: "suspension no longer managed"}
	verificationLeft = effect.Event{Kind: effect.Forgotten, Phrase: "domain verification removed from state only"}
)

// Announce announces host names that are bound, members who are signed out, and private labels that go or stay.
func (kind) Announce(v view, todo []effect.Step) (out effect.Notices) {
	switch {
	case v.Want == nil && v.Was.DeletionPolicy.ValueString() == effect.PolicyPrevent:
		return nil // an error
	case v.Want == nil:
		return destroyed(v, todo)
	case v.Was == nil:
		out = effect.Notices{provisioned(v.Want)}
	default:
		out = suspensionKept(v.Was, v.Want)
	}
	for _, s := range todo {
		switch s.Verb {
		case suspend:
			out = append(out, suspended(v.Want, hostOf(v)))
		case unsuspend:
			out = append(out, unsuspended(v.Want, hostOf(v)))
		default:
		}
	}
	return out
}

func provisioned(want *model) effect.Notice {
	bound := want.Domain.ValueString() + " is bound to its private label permanently."
	if want.Domain.IsUnknown() {
		bound = fmt.Sprintf("The host name of %s is known after apply. It is bound permanently.", effect.NameOf(want.AppName, "the private label"))
	}
	who := effect.NameOf(want.owner("email"), "The owner, whose email address is known after apply,")
	return effect.Notice{
		Topic:  TopicProvisioning,
		At:     path.Root("domain"),
		Detail: fmt.Sprintf("%s %s receives a set-password link, and the private label counts against the allowance until it is deprovisioned.", bound, who),
		Effects: []effect.Effect{
			{Event: hostBound},
			{Event: ownerEmailed, Email: effect.Text(want.owner("email"))},
		},
	}
}

// hostOf is the host name of a private label: the one in state while another value is known after apply.
func hostOf(v view) fwtype.HostName {
	if v.Was != nil && v.Want.Domain.IsUnknown() {
		return v.Was.Domain
	}
	return v.Want.Domain
}

func suspended(want *model, domain fwtype.HostName) effect.Notice {
	host := effect.NameOf(domain, "The private label")
	will, condition := host+" is suspended.", ""
	if want.Suspended.IsUnknown() {
		condition = "suspended is true"
		will = fmt.Sprintf("suspended of %s is known after apply. If it is true, the private label is suspended.", host)
	}
	return effect.Notice{
		Topic:   topicSuspending,
		At:      path.Root("suspended"),
		Detail:  will + " All its members are signed out immediately and cannot sign in until the suspension is lifted. Its data is kept and it is still billed.",
		Effects: []effect.Effect{{Event: signedOut, If: condition}},
	}
}

func unsuspended(want *model, domain fwtype.HostName) effect.Notice {
	host := effect.NameOf(domain, "the private label")
	will, condition := fmt.Sprintf("The suspension of %s is lifted.", host), ""
	if want.Suspended.IsUnknown() {
		condition = "suspended is false"
		will = fmt.Sprintf("suspended of %s is known after apply. If it is false, the suspension is lifted.", host)
	}
	return effect.Notice{
		Topic:   topicUnsuspending,
		At:      path.Root("suspended"),
		Detail:  will + " All its members can sign in again. To keep the suspension, set suspended = true.",
		Effects: []effect.Effect{{Event: lifted, If: condition}},
	}
}

// suspensionKept announces that the configuration no longer manages a suspension that lasts.
func suspensionKept(was, want *model) effect.Notices {
	if !want.Suspended.IsNull() || !was.Suspended.ValueBool() || !was.suspended() {
		return nil
	}
	host := was.Domain.ValueString()
	return effect.Notices{{
		Topic: topicKeptSuspension,
		Detail: fmt.Sprintf("%s stays suspended. The configuration no longer sets suspended, so Terraform no longer manages the suspension. "+
			"To lift it, set suspended = false.", host),
		Effects: []effect.Effect{{Event: suspensionLeft}},
	}}
}

// destroyed announces what deletion_policy does.
func destroyed(v view, todo []effect.Step) effect.Notices {
	host := v.Was.Domain.ValueString()
	switch value := v.Was.DeletionPolicy.ValueString(); {
	case value == effect.PolicyDeprovision:
		return effect.Notices{{
			Topic:   TopicDeprovisioning.ForHost(host),
			Detail:  fmt.Sprintf("The private label %s (%s) is deleted with %s. Nobody can provision the host name again.", host, v.Was.ID.ValueString(), lost(v.Live)),
			Effects: []effect.Effect{{Event: deprovisioned}},
		}}
	case len(todo) > 0:
		return effect.Notices{{
			Topic:   TopicSuspendOnly,
			Detail:  fmt.Sprintf("All members of %s will be signed out and cannot sign in. Its data is kept and it is still billed. %s", host, others),
			Effects: []effect.Effect{{Event: signedOut}, {Event: labelLeft}},
		}}
	default:
		stays := map[string]string{effect.PolicySuspend: "suspended", effect.PolicyAbandon: "live"}[value]
		return effect.Notices{{
			Topic:   topicAbandoning,
			Detail:  fmt.Sprintf("%s stays %s, and is billed while it has a package. No API call is made. %s", host, stays, others),
			Effects: []effect.Effect{{Event: labelLeft}},
		}}
	}
}

// others says what a destroy of a private label that stays does not keep.
const others = "To manage it again, import it by host name.\n\n" +
	"Its assignment and members are separate resources, which this plan may remove. To keep them, apply deletion_policy = \"ABANDON\" on them first, or use removed blocks with destroy = false."

// lost lists what is deleted with a private label.
func lost(live *model) string {
	if live == nil {
		return "its members and its package, if it has one"
	}
	now := live.shown
	members := "its members"
	switch count := now.MemberCount; {
	case count == nil:
	case *count == 1:
		members = "1 member"
	default:
		members = fmt.Sprintf("%d members", *count)
	}
	switch held := now.Assignment.Value; {
	case held != nil:
		return fmt.Sprintf("%s and package %s", members, cmp.Or(held.PackageCode, held.PackageID))
	case now.Assignment.IsGiven:
		return members + "; it has no package"
	default:
		return members + " and its package, if it has one"
	}
}
