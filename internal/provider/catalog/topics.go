package catalog

import "github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"

// What plans announce.
var (
	TopicPackageCode     = effect.NewTopic("Package code is permanent", effect.Permanent)
	TopicAddonCode       = effect.NewTopic("Add-on code is permanent", effect.Permanent)
	topicDeactivatedCode = effect.NewTopic("Deactivated code stays reserved", effect.Deactivated)
	TopicDeactivating    = effect.NewTopic("Catalog items cannot be deleted", effect.Deactivated, effect.Forgotten)
)
