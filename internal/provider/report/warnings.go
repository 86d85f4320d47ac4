package report

import "fmt"

const (
	summaryAPIKeys   = "Error listing API keys"
	summaryFigures   = "Error reading reseller figures"
	summaryLedger    = "Error reading points ledger"
	SummaryMatches   = "Search results may be incomplete"
	summarySearch    = "Error searching users"
	summaryTemplates = "Error listing templates"
)

func moreMatches(found int) string {
	return fmt.Sprintf("The search returned %d users, the API's maximum without a second page. Set domain or a longer query. The data source reseller_members lists all members of one private label.", found)
}
