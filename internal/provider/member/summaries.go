package member

const (
	summaryAdd    = "Error adding member"
	summaryInvite = "Error sending set-password email"
	summaryRead   = "Error reading member"
	summaryRemove = "Error removing member"

	summaryAdopted       = "Existing member is adopted"
	summaryDeclaredTwice = "Member is declared twice"
	summaryImportID      = "Invalid import ID of a member"
	summaryLabelGone     = "Member removed with its private label"
	summaryLeft          = "Member left after the plan"
	summaryManagedHere   = "Member is managed by another resource"
	summaryManagedTwice  = "Member is managed by two resources"
	summaryName          = "Member name is not updated by the API"
	summaryNoReplace     = "Members cannot be replaced with -replace"
	summaryNotFound      = "Member not found"
	summaryNotRead       = "Member added, but not read"
	summaryPermanentRole = "Owners and admins cannot be removed"
	summaryRemoved       = "Member not found, removed from state"
	summaryResponseLost  = "Response lost, member found"
	summaryTainted       = "Tainted member cannot be replaced"
)
