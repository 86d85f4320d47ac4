package assignment

import "github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"

// What plans announce.
var (
	TopicBilling          = effect.NewTopic("Package is billed for the entire billing period", effect.Billed, effect.Excess)
	TopicAdopting         = effect.NewTopic("Existing assignment is adopted", effect.Billed, effect.Excess)
	TopicChangingPackage  = effect.NewTopic("Changing the package bills up to both packages", effect.Billed, effect.Excess, effect.Removed)
	TopicChangingAddons   = effect.NewTopic("Changing add-ons bills old and new quantities", effect.Billed, effect.Excess, effect.Removed)
	TopicUnassigning      = effect.NewTopic("Removed package stays billed this period", effect.Billed, effect.Removed)
	TopicKeptAssignment   = effect.NewTopic("Assignment is only removed from state", effect.Forgotten)
	TopicUnmanagingAddons = effect.NewTopic("Add-ons stay attached and are no longer managed", effect.Forgotten)
)
