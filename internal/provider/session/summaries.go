package session

// Summaries of what all objects share.
const (
	SummaryImmutable     = "Immutable attribute cannot be changed"
	SummaryLabelNotFound = "Private label not found"
	SummaryRenamed       = "Resource address changed without a moved block"

	summaryImportID        = "Invalid import ID"
	summaryLiveState       = "State was written with the live API"
	summaryOtherSimulator  = "State was written with other simulator data"
	summaryOtherReseller   = "API key belongs to another reseller"
	summaryPrivateRead     = "Private state is not readable"
	summaryPrivateState    = "Private state cannot be written"
	summaryProviderData    = "Unexpected provider data"
	summarySlug            = "Error reading the reseller"
	summarySigningInvalid  = "Invalid signing configuration"
	summarySigningMissing  = "Missing signing configuration"
	summaryUnknownConfig   = "Unknown provider configuration"
	summaryUnknownReseller = "Object not found, its reseller is unknown"
)
