package assignment

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// Reviewers of a saved plan.
func Reviewers() []effect.Reviewer {
	return []effect.Reviewer{effect.NewReviewer(NewResource(), "private_label_id", review)}
}

// review returns what the plan of a change announced, without an API call. What the plan read of the private label is
// in its values (see promise.go), except for the add-ons that a destroy detaches, if the state does not show them.
func review(_ context.Context, prior, planned *model, names effect.Names) effect.Notices {
	switch {
	case prior == nil && planned == nil:
		return nil
	case planned == nil:
		return reviewDestroy(prior, names)
	case prior == nil:
		return reviewCreate(planned, names)
	default:
		return reviewUpdate(prior, planned, names)
	}
}

func reviewCreate(planned *model, names effect.Names) effect.Notices {
	have := holding{}
	if !planned.PackageCode.IsUnknown() { // adopts
		have = planned.promised(cmp.Or(planned.PackageID.ValueString(), effect.KnownAfterApply))
	}
	wanted := *planned
	wanted.AllowPackageChange = types.BoolValue(false) // as in planCreate
	return reviewSteps(hostOf(planned, names), have, &wanted, false, names)
}

func reviewUpdate(prior, planned *model, names effect.Names) effect.Notices {
	host := hostOf(prior, names)
	var out effect.Notices
	if prior.managesAddons() && !planned.managesAddons() {
		out = unmanagedNotices(host, prior.holding())
	}
	if !planned.Allocated.IsUnknown() { // the plan has no steps
		return out
	}
	have := prior.holding()
	if !prior.showsAddons() {
		have.addons = planned.promised(have.packageID).addons
	}
	return append(out, reviewSteps(host, have, planned, prior.showsAddons(), names)...)
}

func reviewSteps(host string, have holding, planned *model, inState bool, names effect.Names) effect.Notices {
	want := planned.target(names.Codes[planned.PackageID.ValueString()], func(string) string { return "" })
	return notices(host, have, want, want.announced(have, steps(have, want), inState), planned.allowed())
}

func reviewDestroy(prior *model, names effect.Names) effect.Notices {
	have, want := prior.holding(), target{nothing: true}
	todo := steps(have, want)
	if !prior.showsAddons() && len(todo) > 0 {
		todo = append([]step{someDetached}, todo...)
	}
	return notices(hostOf(prior, names), have, want, todo, allowedExcess{})
}

// hostOf names the private label of an assignment.
func hostOf(m *model, names effect.Names) string {
	if m.PrivateLabelID.IsUnknown() {
		return unknownHost
	}
	id := m.PrivateLabelID.ValueString()
	return cmp.Or(names.Hosts[id], "private label "+id)
}
