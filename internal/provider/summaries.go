package provider

const (
	summaryAccessToken          = "Error exchanging API key for access token"
	summaryConfigConflict       = "Conflicting environment variables"
	summaryConfigInvalid        = "Invalid provider configuration"
	summaryConfigMissing        = "Missing provider configuration"
	summaryEnvironment          = "Invalid environment variable"
	summaryNotGenerated         = "Configuration cannot be generated"
	summarySimulator            = "Simulator mode is active"
	summarySimulatorConflict    = "Conflicting provider configuration"
	summarySimulatorMissing     = "Build has no simulator"
	summarySimulatorUnavailable = "Error opening simulator"
)
