package branding

import (
	"cmp"
	"slices"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

const (
	sendColors = "send colors"
	sendLogos  = "send logos"
)

// Steps send what differs from the state. The API cannot be asked for colors and logos, and a destroy keeps them.
func (resource) Steps(was, want, _ *model) (todo []effect.Step) {
	if want == nil {
		return nil
	}
	if want.changedColors(was) != (client.Colors{}) {
		todo = append(todo, effect.Step{Key: sendColors})
	}
	if len(want.changedLogos(was)) > 0 {
		todo = append(todo, effect.Step{Key: sendLogos})
	}
	return todo
}

// changedColors returns the colors to send: configured, and with another value than before. was is nil for a create.
func (m *model) changedColors(was *model) (out client.Colors) {
	was = cmp.Or(was, &model{})
	for i, c := range m.colors(&out) {
		former := was.colors(&client.Colors{})[i].value
		if !c.value.IsNull() && (former.IsNull() || m.reapplies(was) || !c.value.SameAs(*former)) {
			*c.sent = c.value.ValueString()
		}
	}
	return out
}

// changedLogos returns the positions of the logos to send: configured, and with other content than before. was is nil for a
// create.
func (m *model) changedLogos(was *model) (out []int) {
	was = cmp.Or(was, &model{})
	for i, l := range m.logos(&client.Logos{}) {
		if !l.path.IsNull() && (m.reapplies(was) || !l.hash.Equal(*was.logos(&client.Logos{})[i].hash)) {
			out = append(out, i)
		}
	}
	return out
}

// reapplies reports whether the trigger has changed, which sends everything again.
func (m *model) reapplies(was *model) bool {
	return !m.ReapplyTrigger.Equal(was.ReapplyTrigger)
}

// isManaged reports whether a color or a logo is set.
func (m *model) isManaged() bool {
	return m.hasLogos() || slices.ContainsFunc(m.colors(&client.Colors{}), func(c color) bool { return !c.value.IsNull() })
}

// hasLogos reports whether a logo is configured, or was sent.
func (m *model) hasLogos() bool {
	return slices.ContainsFunc(m.logos(&client.Logos{}), func(l logo) bool { return !l.path.IsNull() || !l.hash.IsNull() })
}

// replaced is a value that an apply replaces: that of a color, or the hash of a logo.
type replaced struct {
	attribute, text, before string
	now                     effect.Textual
}

// replaced returns what an apply sends, or may send, with another value than before.
func (m *model) replaced(was *model) (all []replaced) {
	for i, c := range was.colors(&client.Colors{}) {
		now := m.colors(&client.Colors{})[i].value
		before := c.value.ValueString()
		if !c.value.IsNull() && !now.IsNull() && !now.SameAs(*c.value) {
			all = append(all, replaced{c.attribute, c.attribute + " " + before, before, now})
		}
	}
	for i, l := range was.logos(&client.Logos{}) {
		now := m.logos(&client.Logos{})[i]
		if !l.hash.IsNull() && !now.path.IsNull() && !now.hash.Equal(*l.hash) {
			all = append(all, replaced{l.attribute, "the logo of " + l.attribute, l.hash.ValueString(), now.hash})
		}
	}
	return all
}
