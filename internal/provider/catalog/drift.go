package catalog

import "github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"

// What the console changes.
var (
	uncataloged = effect.Event{Kind: effect.Drift, Phrase: "no longer in the catalog", Harm: effect.HarmLost}
	deactivated = effect.Event{Kind: effect.Drift, Phrase: "deactivated in the console", Harm: effect.HarmLost}
	activated   = effect.Event{Kind: effect.Drift, Phrase: "activated in the console"}
)

// Drift is what the console has changed, except for what needs no words: a review has the values of changed attributes.
func (kind) Drift(was, now *model) []effect.Effect {
	switch {
	case now == nil:
		return []effect.Effect{{Event: uncataloged}}
	case was.Active.ValueBool() && !now.Active.ValueBool():
		return []effect.Effect{{Event: deactivated, Before: true, After: false}}
	case now.Active.ValueBool() && !was.Active.ValueBool():
		return []effect.Effect{{Event: activated, Before: false, After: true}}
	default:
		return nil
	}
}
