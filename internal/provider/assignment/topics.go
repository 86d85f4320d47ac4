package assignment

import "github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"

// What plans announce.
var (
	topicBilling          = effect.NewTopic("Package is billed for the entire billing period", effect.Billed, effect.Excess)
	topicChangingPackage  = effect.NewTopic("Changing the package bills up to both packages", effect.Billed, effect.Excess, effect.Removed)
	topicChangingAddons   = effect.NewTopic("Changing add-ons bills old and new quantities", effect.Billed, effect.Excess, effect.Removed)
	topicUnassigning      = effect.NewTopic("Removed package stays billed this period", effect.Billed, effect.Removed)
	topicKeptAssignment   = effect.NewTopic("Assignment is only removed from state", effect.Forgotten)
	topicUnmanagingAddons = effect.NewTopic("Add-ons stay attached and are no longer managed", effect.Forgotten)
)
