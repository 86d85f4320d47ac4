package privatelabel

import "github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"

const phraseUnlisted = "no longer in the list of the reseller's private labels: deprovisioned, or moved by the platform"

// What the platform, the console or the client's DNS changes.
var (
	unlisted            = effect.Event{Kind: effect.Drift, Phrase: phraseUnlisted, Harm: effect.HarmGone}
	platformSuspended   = effect.Event{Kind: effect.Drift, Phrase: "suspended by the platform", Harm: effect.HarmUnusable}
	consoleSuspended    = effect.Event{Kind: effect.Drift, Phrase: "suspended in the console", Harm: effect.HarmUnusable}
	noLongerSuspended   = effect.Event{Kind: effect.Drift, Phrase: "no longer suspended"}
	hostAttached        = effect.Event{Kind: effect.Drift, Phrase: "host name attached"}
	hostDetached        = effect.Event{Kind: effect.Drift, Phrase: "host name no longer attached", Harm: effect.HarmLost}
	dnsVerified         = effect.Event{Kind: effect.Drift, Phrase: "DNS verified"}
	dnsUnverified       = effect.Event{Kind: effect.Drift, Phrase: "DNS no longer verified", Harm: effect.HarmLost}
	dnsChanged          = effect.Event{Kind: effect.Drift, Phrase: "DNS changed: {after}"}
	customDomainChanged = effect.Event{Kind: effect.Drift, Phrase: "custom domain changed in the console"}
	otherOwner          = effect.Event{Kind: effect.Drift, Phrase: "another owner"}
)

// Drift is what has changed outside of Terraform. A private label that moved to another reseller is no longer in the list,
// like one that was deprovisioned.
func (kind) Drift(was, now *model) (out []effect.Effect) {
	if now == nil {
		return []effect.Effect{{Event: unlisted}}
	}
	add := func(e effect.Event, before, after any) {
		out = append(out, effect.Effect{Event: e, Before: before, After: after})
	}
	before, after := was.Status.ValueString(), now.Status.ValueString()
	switch {
	case now.suspendedByPlatform() && !was.suspendedByPlatform():
		add(platformSuspended, before, after)
	case now.suspended() && !was.suspended():
		add(consoleSuspended, before, after)
	case was.suspended() && !now.suspended():
		add(noLongerSuspended, before, after)
	}
	switch attached := now.DomainAttached.ValueBool(); {
	case attached && !was.DomainAttached.ValueBool():
		add(hostAttached, false, true)
	case !attached && was.DomainAttached.ValueBool():
		add(hostDetached, true, false)
	}
	switch verified := now.DomainVerified.ValueBool(); {
	case verified && !was.DomainVerified.ValueBool():
		add(dnsVerified, false, true)
	case !verified && was.DomainVerified.ValueBool():
		add(dnsUnverified, true, false)
	}
	if !now.CustomDomain.Equal(was.CustomDomain) {
		add(customDomainChanged, was.CustomDomain.ValueString(), now.CustomDomain.ValueString())
	}
	if now.owner("user_id").ValueString() != was.owner("user_id").ValueString() {
		out = append(out, effect.Effect{
			Event: otherOwner, Email: effect.Text(now.owner("email")),
			Before: was.owner("email").ValueString(), After: now.owner("email").ValueString(),
		})
	}
	return out
}
