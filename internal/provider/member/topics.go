package member

import "github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"

// What plans announce.
var (
	TopicAddingMember   = effect.NewTopic("Adding a member sends an email", effect.Email)
	TopicAdoptingMember = effect.NewTopic("Existing member is adopted", effect.Email)
	TopicRemovingMember = effect.NewTopic("Removed member is signed out immediately", effect.Removed)
	TopicLeavingMembers = effect.NewTopic("Members stay and are no longer managed", effect.Forgotten)
)
