package report

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

func moreMatches(found int) string {
	return fmt.Sprintf("The search returned %d users, the API's maximum without a second page. Set domain or a longer query. The data source reseller_members lists all members of one private label.", found)
}

func rowNotRead(id string, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summaryLedger, fmt.Sprintf("Row %s of the points ledger could not be read: %s. Nothing was changed.", id, err))
}
