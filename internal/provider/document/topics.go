package document

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// What plans announce.
var (
	TopicUploading = effect.NewTopic("Document upload cannot be undone", effect.Permanent, effect.Email)
	TopicSigning   = effect.NewTopic("Signing cannot be undone", effect.Permanent, effect.Email)
	TopicMinting   = effect.NewTopic("Minting is public and permanent", effect.Permanent)
	TopicLeaving   = effect.NewTopic("Signing resources are only removed from state", effect.Forgotten)
)

var (
	uploaded  = effect.Event{Kind: effect.Permanent, Phrase: "document uploaded"}
	signed    = effect.Event{Kind: effect.Permanent, Phrase: "document signed"}
	minted    = effect.Event{Kind: effect.Permanent, Phrase: "document minted"}
	linked    = effect.Event{Kind: effect.Email, Phrase: "link to sign a document"}
	completed = effect.Event{Kind: effect.Email, Phrase: "completed document"}
	forwarded = effect.Event{Kind: effect.Email, Phrase: "completed document, or a link to further signers"}

	leftBehind = effect.Event{Kind: effect.Forgotten, Phrase: "removed from state only"}
)

// left announces that a destroy leaves what was sent.
func left(subject types.String, act, stays string) effect.Notice {
	return effect.Notice{
		Topic:   TopicLeaving,
		Detail:  "The API cannot undo " + act + ". " + stays,
		Effects: []effect.Effect{{Event: leftBehind, Name: effect.Text(subject)}},
	}
}
