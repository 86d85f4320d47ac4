package session

// Summaries of what all objects share.
const (
	SummaryImmutable     = "Immutable attribute cannot be changed"
	SummaryLabelNotFound = "Private label not found"
	SummaryRenamed       = "Resource address changed without a moved block"

	SummaryNotShown        = "Object is not shown by the API yet"
	SummaryHeldTwice       = "Two resources manage one object"
	summaryImportID        = "Invalid import ID"
	SummaryLiveState       = "State was written with the live API"
	SummaryOtherSimulator  = "State was written with other simulator data"
	SummaryOtherReseller   = "API key belongs to another reseller"
	SummaryPrivateRead     = "Private state is not readable"
	summaryPrivateState    = "Private state cannot be written"
	summaryProviderData    = "Unexpected provider data"
	SummarySlug            = "Error reading the reseller"
	SummarySigningInvalid  = "Invalid signing configuration"
	summarySigningMissing  = "Missing signing configuration"
	SummaryKeptElsewhere   = "Object is removed here and kept elsewhere"
	SummaryDisputed        = "Two resources want different members"
	SummaryStoredElsewhere = "Object has another resource address now"
	summaryUnknownConfig   = "Unknown provider configuration"
	summaryUnknownReseller = "Object not found, its reseller is unknown"
	SummaryNotRestorable   = "Package could not be restored"
)
