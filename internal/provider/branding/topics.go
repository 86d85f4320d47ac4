package branding

import "github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"

// What plans announce.
var (
	TopicKeptBranding = effect.NewTopic("Branding is only removed from state", effect.Forgotten)
	TopicOverwriting  = effect.NewTopic("Replaced colors and logos are not kept", effect.Overwritten)
)

var (
	valuesReplaced  = effect.Event{Kind: effect.Overwritten, Phrase: "{attributes} replaced, and the former value is not kept"}
	earlierReplaced = effect.Event{Kind: effect.Overwritten, Phrase: "earlier colors and logos replaced, and the former value is not kept"}
	brandingLeft    = effect.Event{Kind: effect.Forgotten, Phrase: "branding removed from state only"}
)
