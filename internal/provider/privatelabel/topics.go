package privatelabel

import "github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"

// What plans announce.
var (
	TopicProvisioning     = effect.NewTopic("Provisioning is permanent and emails the owner", effect.Permanent, effect.Email)
	TopicDeprovisioning   = effect.NewTopic("Deprovisioning is permanent", effect.Destroyed)
	topicSuspending       = effect.NewTopic("Suspending a private label signs out its members", effect.Suspended)
	topicUnsuspending     = effect.NewTopic("Lifting a suspension lets its members sign in", effect.Suspended)
	TopicSuspendOnly      = effect.NewTopic("Private label is suspended and removed from state", effect.Suspended, effect.Forgotten)
	topicAbandoning       = effect.NewTopic("Private label will only be removed from state", effect.Forgotten)
	topicKeptSuspension   = effect.NewTopic("Suspension stays and is no longer managed", effect.Forgotten)
	topicKeptVerification = effect.NewTopic("Domain verification is only removed from state", effect.Forgotten)
)
