package report

const (
	summaryAPIKeys   = "Error listing API keys"
	summaryFigures   = "Error reading reseller figures"
	summaryLedger    = "Error reading points ledger"
	SummaryMatches   = "Search results may be incomplete"
	summarySearch    = "Error searching users"
	summaryTemplates = "Error listing templates"
)
