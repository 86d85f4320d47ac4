package diagnostic

// Summaries that several objects share. A summary is constant for its kind, so that the CLI folds equal warnings; the
// object is in the detail. internal/tool/wording holds the rules for all of them.
const (
	SummaryInvalidValue       = "Invalid attribute value"
	SummaryInvalidCombination = "Invalid attribute combination"
	SummaryOutcomeUnknown     = "API call outcome unknown"
	SummaryRateLimit          = "Rate limit exhausted"
	SummaryInvalidKey         = "Invalid API key"

	SummaryReadLabel   = "Error reading private label"
	SummaryListLabels  = "Error listing private labels"
	SummaryListMembers = "Error listing members"
	SummaryFault       = "Provider failed internally"
	SummaryPresence    = "Error checking whether object exists"
)
