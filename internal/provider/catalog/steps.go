package catalog

import (
	"cmp"
	"encoding/json"
	"maps"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// What a step does with an item.
const (
	create     = "create"
	update     = "update"
	deactivate = "deactivate"
)

// Steps create an item, and deactivate it in a second call: a create cannot. An update is one call.
func (resource) Steps(was, want, live *model) []effect.Step {
	switch {
	case want == nil && was.DeletionPolicy.ValueString() != effect.PolicyAbandon && was.isActive(live):
		return []effect.Step{was.step(deactivate)}
	case want == nil, was == nil && live != nil:
		return nil // check rejects the create of a code that exists
	case was == nil && want.isActive(nil):
		return []effect.Step{want.step(create)}
	case was == nil:
		return []effect.Step{want.step(create), want.step(deactivate)}
	}
	if diff, err := want.diff(was, live.item()); err == nil && diff.IsEmpty() {
		return nil
	}
	return []effect.Step{was.step(update)}
}

func (m *model) step(verb string) effect.Step {
	return effect.NewStep(verb, m.Code.Normal(), "")
}

// isActive reports whether the item is active: by the live one if the API shows it.
func (m *model) isActive(live *model) bool {
	if shown := live.item(); shown != nil && shown.HasActive() {
		return shown.Active
	}
	return m.Active.IsNull() || m.Active.IsUnknown() || m.Active.ValueBool()
}

// diff is the update that leads from the state to the plan. It leaves out what a live item has already.
func (m *model) diff(was *model, live *client.Item) (client.ItemChange, error) {
	var c client.ItemChange
	if !m.Name.Equal(was.Name) && (live == nil || live.Name != m.Name.ValueString()) {
		c.Name = m.Name.ValueStringPointer()
	}
	if !m.Active.Equal(was.Active) && (live == nil || !live.HasActive() || live.Active != m.Active.ValueBool()) {
		c.Active = m.Active.ValueBoolPointer()
	}
	set, _, err := m.settingsChange(was)
	maps.DeleteFunc(set, func(name string, value any) bool { return live != nil && isSet(live.Settings[name], value) })
	c.Settings = set
	return c, err
}

// isSet reports whether the API has a value as configured.
func isSet(live json.RawMessage, want any) bool {
	now, err := anyjson.Decode(live)
	return err == nil && anyjson.Same(fwtype.DeclaredPart(now, want), want)
}

// settingsChange returns the settings that a plan sets to other values, and the names that it no longer sets; none while
// they are unknown.
func (m *model) settingsChange(was *model) (set map[string]any, removed []string, err error) {
	if m.Settings.IsUnknown() || m.Settings.IsUnderlyingValueUnknown() || m.Settings.Equal(was.Settings) {
		return nil, nil, nil
	}
	want, errWant := settingsOf(m.Settings)
	have, errHave := settingsOf(was.Settings)
	if err := cmp.Or(errWant, errHave); err != nil {
		return nil, nil, err
	}
	set = maps.Clone(want)
	maps.DeleteFunc(set, func(name string, value any) bool {
		old, ok := have[name]
		return ok && anyjson.Same(value, old)
	})
	for _, name := range fwtype.SortedKeys(have) {
		if _, kept := want[name]; !kept {
			removed = append(removed, name)
		}
	}
	return set, removed, nil
}
