package member

const (
	SummaryAdd    = "Error adding member"
	SummaryInvite = "Error sending set-password email"
	summaryRead   = "Error reading member"
	SummaryRemove = "Error removing member"

	summaryImportID       = "Invalid import ID of a member"
	SummaryLabelGone      = "Member removed with its private label"
	SummaryName           = "Member name is not updated by the API"
	SummaryNoReplace      = "Members cannot be replaced with -replace"
	summaryNotFound       = "Member not found"
	SummaryPermanentRole  = "Owners and admins cannot be removed"
	SummaryRemoved        = "Member not found, removed from state"
	SummaryResponseLost   = "Response lost, member found"
	SummaryDuplicateEmail = "Duplicate email address"
	summaryNoNames        = "Missing names of a member"
	SummaryOtherMembers   = "Private label has other members"
	SummaryPrivileged     = "Owners and admins count as present"
	summarySetChanged     = "Members changed during the apply"
	SummarySetLabelGone   = "Members removed from state with private label"
	SummarySetNoReplace   = "Sets of members cannot be replaced"
)
