package provider

const (
	SummaryAccessToken          = "Error exchanging API key for access token"
	summaryConfigConflict       = "Conflicting environment variables"
	summaryConfigInvalid        = "Invalid provider configuration"
	summaryConfigMissing        = "Missing provider configuration"
	summaryEnvironment          = "Invalid environment variable"
	summaryNotMoved             = "Moved block changes the resource type"
	summaryNotGenerated         = "Configuration cannot be generated"
	SummarySimulator            = "Simulator mode is active"
	summarySimulatorConflict    = "Conflicting provider configuration"
	summarySimulatorMissing     = "Build has no simulator"
	SummarySimulatorUnavailable = "Error opening simulator"
)
