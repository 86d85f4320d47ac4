package catalog

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// catalogFacts is what the catalog adds to prior state and plan. The zero value is a catalog that was not read.
type catalogFacts struct {
	known   bool
	items   int // in the catalog now, deactivated ones included
	planned int // that this plan is known to create, including this one
}

// remaining returns how many items the limit still allows after the apply.
func (f catalogFacts) remaining() int { return client.MaxItems - f.items - f.planned }

// notices returns what a change of a package or an add-on announces. prior is nil for a create, planned for a
// destroy. It makes no call: `review` uses it on a saved plan.
func notices(k client.Kind, prior, planned *model, facts catalogFacts) effect.Notices {
	switch {
	case prior == nil && planned == nil:
		return nil
	case planned == nil:
		return effect.Notices{destroyed(k, prior)}
	case prior == nil:
		return append(effect.Notices{created(k, planned, facts)}, deactivated(k, planned)...)
	case prior.Active.ValueBool():
		return deactivated(k, planned)
	default:
		return nil
	}
}

func created(k client.Kind, planned *model, facts catalogFacts) effect.Notice {
	topic := effect.PackageCode
	if k == client.KindAddon {
		topic = effect.AddonCode
	}
	remain := ""
	if left := facts.remaining(); facts.known && left >= 0 {
		remain = fmt.Sprintf(" (at most %d remain after this apply)", left)
	}
	detail := permanentCode(k, planned.Code.Normal(), remain)
	if planned.Code.IsUnknown() {
		detail = permanentUnknownCode(k, remain)
	}
	return effect.Notice{
		Topic:   topic,
		At:      path.Root("code"),
		Detail:  detail,
		Effects: []effect.Effect{{Kind: effect.Permanent, What: k.String() + " code created", Subject: subject(planned)}},
	}
}

// deactivated announces active = false on an item that is active, or is created.
func deactivated(k client.Kind, planned *model) effect.Notices {
	if planned.Active.IsNull() || !planned.Active.IsUnknown() && planned.Active.ValueBool() {
		return nil
	}
	name := diagnostic.Capitalize(k.String()) + " (code known after apply)"
	if !planned.Code.IsUnknown() {
		name = fmt.Sprintf("%s %s", diagnostic.Capitalize(k.String()), planned.Code.Normal())
	}
	will := name + " will be deactivated."
	if planned.Active.IsUnknown() {
		will = fmt.Sprintf("active of %s is known after apply. If it is false, the %s will be deactivated.", name, k)
	}
	return effect.Notices{{
		Topic:   effect.DeactivatedCode,
		At:      path.Root("active"),
		Detail:  fmt.Sprintf("%s Its code stays reserved and counts toward the limit of %d %ss.", will, client.MaxItems, k),
		Effects: []effect.Effect{{Kind: effect.Deactivated, What: k.String() + " deactivated", Subject: subject(planned)}},
	}}
}

func destroyed(k client.Kind, prior *model) effect.Notice {
	code := prior.Code.Normal()
	notice := effect.Notice{Topic: effect.Deactivating}
	will := "is already inactive and will only be removed from state; no API call is made."
	if prior.Active.ValueBool() {
		will = "will be deactivated and removed from state."
		notice.Effects = []effect.Effect{{Kind: effect.Deactivated, What: k.String() + " deactivated", Subject: code}}
	}
	notice.Effects = append(notice.Effects, effect.Effect{Kind: effect.Forgotten, What: k.String() + " removed from state", Subject: code})
	notice.Detail = fmt.Sprintf("%s %s %s Its code stays reserved and counts toward the limit of %d. To manage it again, import it by its code.",
		diagnostic.Capitalize(k.String()), code, will, client.MaxItems)
	return notice
}

func subject(m *model) string {
	if m.Code.IsUnknown() || m.Code.IsNull() {
		return effect.KnownAfterApply
	}
	return m.Code.Normal()
}

// Reviewers of a saved plan.
func Reviewers() []effect.Reviewer {
	return []effect.Reviewer{reviewer(NewPackageResource(), client.KindPackage), reviewer(NewAddonResource(), client.KindAddon)}
}

func reviewer(r resource.Resource, k client.Kind) effect.Reviewer {
	return effect.NewReviewer(r, "code", func(_ context.Context, prior, planned *model, _ effect.Names) effect.Notices {
		return notices(k, prior, planned, catalogFacts{})
	})
}

// withArticle names a kind: "a package", "an add-on".
func withArticle(k client.Kind) string {
	if k == client.KindAddon {
		return "an " + k.String()
	}
	return "a " + k.String()
}
