package provider

const (
	summaryAccessToken        = "Error exchanging API key for access token"
	summaryConfigConflict     = "Conflicting environment variables"
	summaryConfigInvalid      = "Invalid provider configuration"
	summaryConfigMissing      = "Missing provider configuration"
	summaryEnvironment        = "Invalid environment variable"
	summaryFault              = "Provider failed internally"
	summaryNoImport           = "Resource cannot be imported"
	summarySandbox            = "Sandbox mode is active"
	summarySandboxMissing     = "Build has no sandbox"
	summarySandboxUnavailable = "Error opening sandbox"
)
