package catalog

import (
	"cmp"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// Announce announces codes, which are permanent, and deactivations.
func (k kind) Announce(v view, todo []effect.Step) effect.Notices {
	switch {
	case v.Want == nil:
		return effect.Notices{k.destroyed(v.Was, todo)}
	case v.Was == nil:
		return append(effect.Notices{k.created(v.Want)}, k.deactivated(v.Want)...)
	case v.Was.isActive(nil): // a flag that no response has shown may be set
		return k.deactivated(v.Want)
	default:
		return nil
	}
}

// effect is what happens to an item, after its noun.
func (k kind) effect(m *model, of effect.Kind, what string) effect.Effect {
	e := effect.Effect{Event: effect.Event{Kind: of, Phrase: k.items.String() + what}, Code: types.StringUnknown()}
	if code := m.Code.Normal(); code != "" {
		e.Code = types.StringValue(code)
	}
	return e
}

func (k kind) created(m *model) effect.Notice {
	remain := ""
	if m.remaining != nil {
		remain = fmt.Sprintf(" (at most %d remain)", max(*m.remaining, 0))
	}
	detail := fmt.Sprintf("%s code %s is permanent: it cannot be changed or reused, and it counts toward the limit of %d %ss even after deactivation%s.",
		diagnostic.Capitalize(k.items.String()), m.Code.Normal(), client.MaxItems, k.items, remain)
	if m.Code.IsUnknown() {
		detail = fmt.Sprintf("The code of %s is known after apply. It cannot be changed or reused once created, and it counts toward the limit of %d %ss even after deactivation%s.",
			k.named(m), client.MaxItems, k.items, remain)
	}
	return effect.Notice{
		Topic:   k.topic,
		At:      path.Root("code"),
		Detail:  detail,
		Effects: []effect.Effect{k.effect(m, effect.Permanent, " code created")},
	}
}

// named is an item within a sentence: by its code, or by its name while the code is known after apply.
func (k kind) named(m *model) string {
	if code := m.Code.Normal(); code != "" || m.Name.IsUnknown() {
		return k.items.String() + " " + cmp.Or(code, "(code known after apply)")
	}
	return fmt.Sprintf("%s %q", k.items, m.Name.ValueString())
}

// deactivated announces active = false on an item that is active, or is created.
func (k kind) deactivated(m *model) effect.Notices {
	if m.Active.IsNull() || !m.Active.IsUnknown() && m.Active.ValueBool() {
		return nil
	}
	name := k.named(m)
	will := diagnostic.Capitalize(name) + " is deactivated."
	e := k.effect(m, effect.Deactivated, " deactivated")
	if m.Active.IsUnknown() {
		will = fmt.Sprintf("active of %s is known after apply. If it is false, the %s is deactivated.", name, k.items)
		e.If = "active is false"
	}
	return effect.Notices{{
		Topic:   topicDeactivatedCode,
		At:      path.Root("active"),
		Detail:  fmt.Sprintf("%s Its code stays reserved and counts toward the limit of %d %ss.", will, client.MaxItems, k.items),
		Effects: []effect.Effect{e},
	}}
}

func (k kind) destroyed(m *model, todo []effect.Step) effect.Notice {
	code := m.Code.Normal()
	notice := effect.Notice{Topic: TopicDeactivating}
	will := "is already inactive and will only be removed from state; no API call is made."
	switch {
	case len(todo) > 0:
		will = "will be deactivated and removed from state."
		notice.Effects = []effect.Effect{k.effect(m, effect.Deactivated, " deactivated")}
	case m.DeletionPolicy.ValueString() == effect.PolicyAbandon:
		will = `will only be removed from state (deletion_policy is "ABANDON"); no API call is made, and it stays as it is.`
	}
	notice.Effects = append(notice.Effects, k.effect(m, effect.Forgotten, " removed from state"))
	notice.Detail = fmt.Sprintf("%s %s %s Its code stays reserved and counts toward the limit of %d. To manage it again, import it by its code.",
		diagnostic.Capitalize(k.items.String()), code, will, client.MaxItems)
	return notice
}
