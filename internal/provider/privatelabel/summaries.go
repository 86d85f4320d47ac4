package privatelabel

const (
	summaryAttach      = "Error attaching host name"
	summaryDashboard   = "Error reading dashboard"
	summaryDeprovision = "Error deprovisioning private label"
	summaryProvision   = "Error provisioning private label"
	summarySuspend     = "Error suspending private label"
	summaryUnsuspend   = "Error lifting suspension"
	summaryVerify      = "Error checking domain verification"

	summaryExists           = "Private label already exists"
	summaryHostRetired      = "Host name cannot be reused"
	summaryMissingAppName   = "Missing app_name for provisioning"
	summaryMissingOwner     = "Missing owner for provisioning"
	summaryNotAttached      = "Host name is not attached yet"
	summaryNotFound         = "Private label not found, removed from state"
	summaryNotRead          = "Private label created, but not read"
	summaryNotReplaceable   = "Private labels cannot be replaced"
	summaryNotSuspended     = "Private label created, but not suspended"
	summaryNotVerified      = "Host name is not verified yet"
	summaryOtherReason      = "Suspension has another reason"
	summaryPlatform         = "Private label is suspended by the platform"
	summaryReasonFixed      = "Suspension reason cannot be changed"
	summaryRecordedOnly     = "Provisioning attributes are only recorded in state"
	summaryResponseLost     = "Response lost, private label found"
	summaryResponseLostGone = "Response lost, private label deprovisioned"
	summaryVerificationGone = "Domain verification removed with its private label"
)
