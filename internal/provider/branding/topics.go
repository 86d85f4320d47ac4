package branding

import "github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"

// What plans announce.
var (
	TopicKeptBranding = effect.NewTopic("Branding is only removed from state", effect.Forgotten)
	topicOverwriting  = effect.NewTopic("Replaced colors and logos are not kept", effect.Overwritten)
)
