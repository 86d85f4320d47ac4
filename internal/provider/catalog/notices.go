package catalog

import (
	"cmp"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
)

// notices announces codes, which are permanent, and deactivations.
func (t items) notices(v object.View[*model, *found], todo []*step) effect.Notices {
	switch {
	case v.Want == nil:
		return effect.Notices{t.destroyed(v.Was, todo)}
	case v.Was == nil:
		return append(effect.Notices{t.created(v.Want)}, t.deactivated(v.Want)...)
	case v.Was.isActive(nil): // a flag that no response has shown may be set
		return t.deactivated(v.Want)
	default:
		return nil
	}
}

func (t items) created(m *model) effect.Notice {
	remain := ""
	if m.remaining != nil {
		remain = fmt.Sprintf(" (at most %d remain)", max(*m.remaining, 0))
	}
	detail := fmt.Sprintf("%s code %s is permanent: it cannot be changed or reused, and it counts toward the limit of %d %ss even after deactivation%s.",
		diagnostic.Capitalize(t.kind.String()), m.Code.Normal(), client.MaxItems, t.kind, remain)
	if m.Code.IsUnknown() {
		detail = fmt.Sprintf("The code of %s is known after apply. It cannot be changed or reused once created, and it counts toward the limit of %d %ss even after deactivation%s.",
			t.named(m), client.MaxItems, t.kind, remain)
	}
	return effect.Notice{
		Topic:   t.topic,
		At:      path.Root("code"),
		Detail:  detail,
		Effects: []effect.Effect{{Kind: effect.Permanent, What: t.kind.String() + " code created", Subject: cmp.Or(m.Code.Normal(), effect.KnownAfterApply)}},
	}
}

// named is an item within a sentence: by its code, or by its name while the code is known after apply.
func (t items) named(m *model) string {
	if code := m.Code.Normal(); code != "" || m.Name.IsUnknown() {
		return t.kind.String() + " " + cmp.Or(code, "(code known after apply)")
	}
	return fmt.Sprintf("%s %q", t.kind, m.Name.ValueString())
}

// deactivated announces active = false on an item that is active, or is created.
func (t items) deactivated(m *model) effect.Notices {
	if m.Active.IsNull() || !m.Active.IsUnknown() && m.Active.ValueBool() {
		return nil
	}
	name := t.named(m)
	will := diagnostic.Capitalize(name) + " is deactivated."
	e := effect.Effect{Kind: effect.Deactivated, What: t.kind.String() + " deactivated", Subject: cmp.Or(m.Code.Normal(), effect.KnownAfterApply)}
	if m.Active.IsUnknown() {
		will = fmt.Sprintf("active of %s is known after apply. If it is false, the %s is deactivated.", name, t.kind)
		e.If = "active is false"
	}
	return effect.Notices{{
		Topic:   topicDeactivatedCode,
		At:      path.Root("active"),
		Detail:  fmt.Sprintf("%s Its code stays reserved and counts toward the limit of %d %ss.", will, client.MaxItems, t.kind),
		Effects: []effect.Effect{e},
	}}
}

func (t items) destroyed(m *model, todo []*step) effect.Notice {
	code := m.Code.Normal()
	notice := effect.Notice{Topic: topicDeactivating}
	will := "is already inactive and will only be removed from state; no API call is made."
	switch {
	case len(todo) > 0:
		will = "will be deactivated and removed from state."
		notice.Effects = []effect.Effect{{Kind: effect.Deactivated, What: t.kind.String() + " deactivated", Subject: code}}
	case m.DeletionPolicy.ValueString() == effect.PolicyAbandon:
		will = `will only be removed from state (deletion_policy is "ABANDON"); no API call is made, and it stays as it is.`
	}
	notice.Effects = append(notice.Effects, effect.Effect{Kind: effect.Forgotten, What: t.kind.String() + " removed from state", Subject: code})
	notice.Detail = fmt.Sprintf("%s %s %s Its code stays reserved and counts toward the limit of %d. To manage it again, import it by its code.",
		diagnostic.Capitalize(t.kind.String()), code, will, client.MaxItems)
	return notice
}
