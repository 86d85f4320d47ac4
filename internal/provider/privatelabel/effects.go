package privatelabel

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// facts is what the list of private labels adds to prior state and plan. The zero value is a list that was not read.
type facts struct {
	known   bool
	members float64
	pkg     string // code of the assigned package, "" for none
}

// notices returns what a change of a private label announces. prior is nil for a create, planned for a
// destroy. It makes no call: `review` uses it on a saved plan.
func notices(ctx context.Context, prior, planned *model, facts facts) effect.Notices {
	switch {
	case prior == nil && planned == nil:
		return nil
	case planned == nil:
		return destroyed(prior, facts)
	case prior == nil:
		return append(effect.Notices{provisioned(ctx, planned)}, labelSuspended(&model{}, planned)...)
	default:
		return append(labelSuspended(prior, planned), labelSuspensionKept(prior, planned)...)
	}
}

func provisioned(ctx context.Context, planned *model) effect.Notice {
	bound := planned.Domain.ValueString() + " is bound to its private label permanently."
	if planned.Domain.IsUnknown() {
		bound = "The host name is known after apply. It is bound to its private label permanently."
	}
	owner, _ := planned.owner(ctx)
	who := "the owner, whose email address is known after apply"
	if effect.SubjectOf(owner.Email) != effect.KnownAfterApply {
		who = owner.Email.ValueString()
	}
	return effect.Notice{
		Topic: effect.Provisioning,
		At:    path.Root("domain"),
		Detail: fmt.Sprintf("%s Applying emails a set-password link to %s, and the private label counts against the allowance until it is deprovisioned. "+
			"Check the host name and the owner before you apply.", bound, who),
		Effects: []effect.Effect{
			{Kind: effect.Permanent, What: "host name bound to its private label", Subject: effect.SubjectOf(planned.Domain)},
			{Kind: effect.Email, What: "set-password email to the owner", Subject: effect.SubjectOf(owner.Email)},
		},
	}
}

// labelSuspended announces a suspension that this plan causes. A suspension by the platform is never changed.
func labelSuspended(prior, planned *model) effect.Notices {
	want := planned.Suspended
	if prior.suspended() || want.IsNull() || !want.IsUnknown() && !want.ValueBool() {
		return nil
	}
	host := effect.NameOf(planned.Domain, "The private label")
	will := host + " will be suspended."
	if want.IsUnknown() {
		will = fmt.Sprintf("suspended of %s is known after apply. If it is true, the private label will be suspended.", host)
	}
	return effect.Notices{{
		Topic:   effect.Suspending,
		At:      path.Root("suspended"),
		Detail:  will + " All its members are signed out immediately and cannot sign in until the suspension is lifted. Its data is kept and it is still billed.",
		Effects: []effect.Effect{{Kind: effect.Suspended, What: "members signed out by a suspension", Subject: effect.SubjectOf(planned.Domain)}},
	}}
}

// labelSuspensionKept announces that the configuration no longer manages a suspension that lasts.
func labelSuspensionKept(prior, planned *model) effect.Notices {
	if !planned.Suspended.IsNull() || !prior.Suspended.ValueBool() || !prior.suspended() {
		return nil
	}
	host := prior.Domain.ValueString()
	return effect.Notices{{
		Topic: effect.KeptSuspension,
		Detail: fmt.Sprintf("%s stays suspended. The configuration no longer sets suspended, so Terraform no longer manages the suspension. "+
			"To lift it, set suspended = false.", host),
		Effects: []effect.Effect{{Kind: effect.Forgotten, What: "suspension no longer managed", Subject: host}},
	}}
}

func destroyed(prior *model, facts facts) effect.Notices {
	host := prior.Domain.ValueString()
	forgotten := effect.Effect{Kind: effect.Forgotten, What: "private label removed from state only", Subject: host}
	const importAgain = "To manage it again, import it by its host name."
	switch prior.DeletionPolicy.ValueString() {
	case policySuspend:
		if prior.suspended() {
			return effect.Notices{{
				Topic:   effect.Abandoning,
				Detail:  fmt.Sprintf("%s stays suspended and billed; no API call is made. %s", host, importAgain),
				Effects: []effect.Effect{forgotten},
			}}
		}
		return effect.Notices{{
			Topic:  effect.SuspendOnly,
			Detail: fmt.Sprintf("All members of %s will be signed out and cannot sign in. Its data is kept and it is still billed. %s", host, importAgain),
			Effects: []effect.Effect{
				{Kind: effect.Suspended, What: "members signed out by a suspension", Subject: host},
				forgotten,
			},
		}}
	case policyAbandon:
		return effect.Notices{{
			Topic:   effect.Abandoning,
			Detail:  fmt.Sprintf("%s stays live and billed; no API call is made. %s", host, importAgain),
			Effects: []effect.Effect{forgotten},
		}}
	case policyDeprovision:
		return effect.Notices{{
			Topic: effect.Deprovisioning.ForHost(host),
			Detail: fmt.Sprintf("The private label %s (%s) is deleted with %s. Nobody can provision the host name again.",
				host, prior.ID.ValueString(), facts.lost()),
			Effects: []effect.Effect{{Kind: effect.Destroyed, What: "private label deprovisioned with its members and documents", Subject: host}},
		}}
	default:
		return nil // PREVENT is an error
	}
}

// lost lists what is deleted with a private label.
func (f facts) lost() string {
	if !f.known {
		return "its members, their documents and its package, if it has one"
	}
	members := client.Amount(f.members) + " members"
	if f.members == 1 {
		members = "1 member"
	}
	if f.pkg == "" {
		return members + " and their documents; it has no package"
	}
	return fmt.Sprintf("%s, their documents and package %s", members, f.pkg)
}

// provisioningOnly are the attributes that are sent when a private label is provisioned and never again.
func (m *model) provisioningOnly() map[string]interface{ IsNull() bool } {
	return map[string]interface{ IsNull() bool }{
		"app_name": m.AppName, "owner": m.Owner, "support_url": m.SupportURL, "website_url": m.WebsiteURL,
		"color_primary": m.ColorPrimary, "color_accent": m.ColorAccent, "social_links": m.SocialLinks,
	}
}

// recordedOnly returns the attributes that an update adds to state without an API call.
func (m *model) recordedOnly(prior *model) []string {
	var added []string
	before := prior.provisioningOnly()
	now := m.provisioningOnly()
	for _, name := range fwtype.SortedKeys(now) {
		if before[name].IsNull() && !now[name].IsNull() {
			added = append(added, name)
		}
	}
	return added
}

var _ effect.Textual = types.String{}

// Reviewers of a saved plan.
func Reviewers() []effect.Reviewer {
	return []effect.Reviewer{
		effect.NewReviewer(NewResource(), "domain", func(ctx context.Context, prior, planned *model, _ effect.Names) effect.Notices {
			return notices(ctx, prior, planned, facts{})
		}),
		effect.NewReviewer(NewDomainVerificationResource(), "domain",
			func(_ context.Context, prior, planned *domainVerificationModel, _ effect.Names) effect.Notices {
				return verificationEffects(prior, planned)
			}),
	}
}

// ActionReviewers of a saved plan.
func ActionReviewers() []effect.ActionReviewer {
	return []effect.ActionReviewer{{Type: "reseller_attach_domain"}}
}
