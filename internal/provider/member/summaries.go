package member

const (
	summaryAdd    = "Error adding member"
	summaryInvite = "Error sending set-password email"
	summaryRead   = "Error reading member"
	summaryRemove = "Error removing member"

	summaryImportID       = "Invalid import ID of a member"
	summaryLabelGone      = "Member removed with its private label"
	summaryName           = "Member name is not updated by the API"
	SummaryNoReplace      = "Members cannot be replaced with -replace"
	summaryNotFound       = "Member not found"
	SummaryPermanentRole  = "Owners and admins cannot be removed"
	SummaryRemoved        = "Member not found, removed from state"
	summaryResponseLost   = "Response lost, member found"
	summaryDuplicateEmail = "Duplicate email address"
	summaryNoNames        = "Missing names of a member"
	summaryOtherMembers   = "Private label has other members"
	summaryPrivileged     = "Owners and admins count as present"
	summarySetChanged     = "Members changed during the apply"
	summarySetLabelGone   = "Members removed from state with private label"
	summarySetNoReplace   = "Sets of members cannot be replaced"
)
