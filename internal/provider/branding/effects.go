package branding

import (
	"context"
	"fmt"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// notices returns what a change of a branding announces: its destroy, and a replacement for another host name,
// leave colors and logos as they are. It makes no call: `review` uses it on a saved plan.
func notices(prior, planned *model) effect.Notices {
	if prior == nil || planned != nil && !planned.Domain.IsUnknown() && planned.Domain.SameAs(prior.Domain) {
		return nil
	}
	host := prior.Domain.ValueString()
	return effect.Notices{{
		Topic:   effect.KeptBranding,
		Detail:  fmt.Sprintf("Colors and logos of %s stay as they are; the API cannot unset them and no API call is made.", host),
		Effects: []effect.Effect{{Kind: effect.Forgotten, What: "branding removed from state only", Subject: host}},
	}}
}

// Reviewers of a saved plan.
func Reviewers() []effect.Reviewer {
	return []effect.Reviewer{effect.NewReviewer(NewResource(), "domain", func(_ context.Context, prior, planned *model, _ effect.Names) effect.Notices {
		return notices(prior, planned)
	})}
}
