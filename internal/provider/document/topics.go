package document

import "github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"

// What plans announce.
var (
	topicUploading = effect.NewTopic("Document upload cannot be undone", effect.Permanent, effect.Email)
	topicSigning   = effect.NewTopic("Signing cannot be undone", effect.Permanent, effect.Email)
	topicMinting   = effect.NewTopic("Minting is public and permanent", effect.Permanent)
	topicLeaving   = effect.NewTopic("Signing resources are only removed from state", effect.Forgotten)
)
