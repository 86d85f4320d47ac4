package session

// Summaries of what all objects share.
const (
	SummaryImmutable     = "Immutable attribute cannot be changed"
	SummaryLabelNotFound = "Private label not found"
	SummaryRenamed       = "Resource address changed without a moved block"

	summaryHeldTwice       = "Two resources manage one object"
	summaryImportID        = "Invalid import ID"
	summaryLiveState       = "State was written with the live API"
	summaryOtherSimulator  = "State was written with other simulator data"
	SummaryOtherReseller   = "API key belongs to another reseller"
	summaryPrivateRead     = "Private state is not readable"
	summaryPrivateState    = "Private state cannot be written"
	summaryProviderData    = "Unexpected provider data"
	summarySlug            = "Error reading the reseller"
	summarySigningInvalid  = "Invalid signing configuration"
	summarySigningMissing  = "Missing signing configuration"
	summaryReplacesItself  = "Replacement of an object by itself"
	summarySplit           = "Object is destroyed and also kept"
	summaryStoredElsewhere = "Object has another resource address now"
	summaryUnknownConfig   = "Unknown provider configuration"
	summaryUnknownReseller = "Object not found, its reseller is unknown"
	summaryNotRestorable   = "Package could not be restored"
)
