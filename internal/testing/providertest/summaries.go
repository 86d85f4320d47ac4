package providertest

import (
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/catalog"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
)

// The summaries of objects that several tests expect. The text of each is in the golden file of the wording.

// What plans announce.
var (
	SumBilled        = assignment.TopicBilling.Summary
	SumPackage       = assignment.TopicChangingPackage.Summary
	SumAddons        = assignment.TopicChangingAddons.Summary
	SumRemoved       = assignment.TopicUnassigning.Summary
	SumUnmanaged     = assignment.TopicUnmanagingAddons.Summary
	SumPackageCode   = catalog.TopicPackageCode.Summary
	SumAddonCode     = catalog.TopicAddonCode.Summary
	SumDeactivating  = catalog.TopicDeactivating.Summary
	SumSigningLeft   = document.TopicLeaving.Summary
	SumMemberAdded   = member.TopicAddingMember.Summary
	SumMemberRemoved = member.TopicRemovingMember.Summary
	SumMembersLeft   = member.TopicLeavingMembers.Summary
	SumProvisioned   = privatelabel.TopicProvisioning.Summary
)

// What plans and applies reject, and what a read reports.
const (
	SumExcess               = assignment.SummaryExcess
	SumMoved                = assignment.SummaryMoved
	SumNotReplaceable       = assignment.SummaryNotReplaceable
	SumOtherPackage         = assignment.SummaryOtherPackage
	SumPackageLater         = assignment.SummaryPackageLater
	SumItemExists           = catalog.SummaryExists
	SumMemberNotReplaceable = member.SummaryNoReplace
	SumPermanentRole        = member.SummaryPermanentRole
	SumMemberGone           = member.SummaryRemoved
	SumLabelExists          = privatelabel.SummaryExists
	SumHostRetired          = privatelabel.SummaryHostRetired

	// Terraform's own error if a plan differs at apply; see assignment_promise.go.
	SumInconsistent = "Provider produced inconsistent final plan"
)
