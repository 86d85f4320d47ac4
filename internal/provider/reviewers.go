package provider

import (
	"slices"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/branding"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/catalog"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
)

// Reviewers are those of all resources and actions, for the subcommand `review`.
func Reviewers() effect.Reviewers {
	return effect.Reviewers{
		Resources: slices.Concat(
			privatelabel.Reviewers(),
			catalog.Reviewers(),
			assignment.Reviewers(),
			member.Reviewers(),
			branding.Reviewers(),
			document.Reviewers(),
		),
		Actions: slices.Concat(member.ActionReviewers(), privatelabel.ActionReviewers()),
	}
}
