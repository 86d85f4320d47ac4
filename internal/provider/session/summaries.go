package session

// Summaries of what all objects share.
const (
	SummaryImmutable     = "Immutable attribute cannot be changed"
	SummaryLabelNotFound = "Private label not found"
	SummaryPrivateState  = "Private state cannot be written"

	summaryDeclaredTwice   = "Object is declared twice"
	summaryIdentity        = "Error setting resource identity"
	summaryImportID        = "Invalid import ID"
	summaryLiveState       = "State was written with the live API"
	summaryOtherSandbox    = "State was written with another sandbox"
	summaryOtherReseller   = "API key belongs to another reseller"
	summaryPrivateRead     = "Private state is not readable"
	summaryProviderData    = "Unexpected provider data"
	summarySigningInvalid  = "Invalid signing configuration"
	summarySigningMissing  = "Missing signing configuration"
	summaryState           = "Error reading state"
	summaryUnknownConfig   = "Unknown provider configuration"
	summaryUnknownReseller = "Object not found, its reseller is unknown"
)
