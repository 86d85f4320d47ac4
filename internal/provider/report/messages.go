package report

import "fmt"

func moreMatches(found int) string {
	return fmt.Sprintf("The search returned %d users, the API's maximum without a second page. Set domain or a longer query. The data source reseller_members lists all members of one private label.", found)
}
