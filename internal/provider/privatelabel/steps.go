package privatelabel

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// What an apply does with a private label: the verbs of its steps.
const (
	provision   = "provision"
	attach      = "attach"
	suspend     = "suspend"
	unsuspend   = "lift the suspension of"
	deprovision = "deprovision"
)

// Steps of a change. The host name of a new private label is attached when it is provisioned. A suspension by the
// platform is never changed.
func (resource) Steps(was, want, live *model) (todo []effect.Step) {
	if was == nil {
		todo = append(todo, want.step(provision))
		if want.Suspended.IsUnknown() || want.Suspended.ValueBool() {
			todo = append(todo, want.step(suspend))
		}
		return todo
	}
	current := *was
	if live != nil {
		current.fill(live.shown)
	}
	if want == nil {
		return current.stepsToDestroy(live)
	}
	if current.detached() {
		todo = append(todo, current.step(attach))
	}
	switch {
	case want.Suspended.IsNull() || current.suspendedByPlatform() || want.Suspended.Equal(current.suspension()):
		return todo
	case current.suspended():
		return append(todo, current.stepToUnsuspend(was))
	default:
		return append(todo, current.step(suspend))
	}
}

func (m *model) stepsToDestroy(live *model) []effect.Step {
	switch value := m.DeletionPolicy.ValueString(); {
	case value == effect.PolicySuspend && !m.suspended():
		return []effect.Step{m.step(suspend)}
	case value == effect.PolicyDeprovision:
		s := m.step(deprovision)
		if live != nil {
			s.Loses = live.shown.lost()
		}
		return []effect.Step{s}
	default:
		return nil
	}
}

// stepToUnsuspend lifts the suspension that the state shows. A later one, perhaps for another reason, is another step.
func (m *model) stepToUnsuspend(was *model) effect.Step {
	s := m.step(unsuspend)
	if began := m.SuspendedAt; !was.SuspendedAt.IsNull() && !began.IsNull() && !began.Equal(was.SuspendedAt) {
		s.Key += ", which was suspended again at " + began.ValueString()
	}
	return s
}

func (m *model) step(verb string) effect.Step {
	return effect.NewStep(verb, m.Domain.ValueString(), "")
}

// lost is who and what is deleted with the private label.
func (l *shown) lost() (names []string) {
	for _, m := range l.members {
		names = append(names, "member "+cmp.Or(m.Email, m.ID))
	}
	slices.Sort(names)
	if held := l.Assignment.Value; held != nil {
		names = append(names, "package "+cmp.Or(held.PackageCode, held.PackageID))
	}
	return names
}

// Steps: a create waits, and an update that requires what is not verified yet. A destroy only removes from state.
func (verificationResource) Steps(was, want, live *verificationModel) []effect.Step {
	switch {
	case want == nil, was != nil && (was.Verified.ValueBool() || !want.isRequired()):
		return nil
	case was != nil && live != nil && live.Verified.ValueBool():
		return nil
	}
	return []effect.Step{effect.NewStep("wait for", "", want.PrivateLabelID.ValueString())}
}

// isRequired: a configuration without the attribute has its default, and one that is known after apply may require it.
func (m *verificationModel) isRequired() bool {
	return m.Required.IsNull() || m.Required.IsUnknown() || m.Required.ValueBool()
}

// recordedOnly returns the attributes that an update changes in state without an API call.
func (m *model) recordedOnly(prior *model) (changed []string) {
	before := prior.provisioningOnly()
	now := m.provisioningOnly()
	for _, name := range fwtype.SortedKeys(now) {
		if !now[name].IsUnknown() && !before[name].Equal(now[name]) {
			changed = append(changed, name)
		}
	}
	return changed
}

// provisioningOnly are the attributes that are sent when a private label is provisioned and never again.
func (m *model) provisioningOnly() map[string]attr.Value {
	values := map[string]attr.Value{
		"app_name": m.AppName, "support_url": m.SupportURL, "website_url": m.WebsiteURL,
		"color_primary": m.ColorPrimary, "color_accent": m.ColorAccent, "social_links": m.SocialLinks,
	}
	for _, name := range []string{"email", "first_name", "last_name"} {
		values["owner."+name] = m.owner(name)
	}
	return values
}

// hasOtherOwner reports whether an update names another owner than the state.
func (m *model) hasOtherOwner(prior *model) bool {
	was := prior.owner("email")
	want := m.owner("email")
	return !was.IsNull() && !want.IsNull() && !want.IsUnknown() && !sameEmail(was.ValueString(), want.ValueString())
}

func sameEmail(a, b string) bool {
	return fwtype.NewText[fwtype.EmailKind](a).SameAs(fwtype.NewText[fwtype.EmailKind](b))
}
