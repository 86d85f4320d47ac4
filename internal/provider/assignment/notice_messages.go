package assignment

import "fmt"

// What follows the steps of an apply in its announcement.
const (
	packageStaysBilled  = ". It stays billed until the end of the billing period."
	bothStayBilled      = ". Both package and add-ons stay billed until the end of the billing period."
	assigningBills      = ". This reduces the allowance immediately. The larger of allocated and used quantities is billed for the entire billing period, even if you remove them the same day."
	changingAddonsBills = ". What is attached is billed for the entire billing period, and what is detached stays billed until its end. A quantity changes by detaching and attaching, so both quantities are billed."
)

func changingPackageBills(old string) string {
	return fmt.Sprintf(". What is removed and what is assigned are both billed for the entire billing period. If the API rejects the new package, the provider reassigns %s with its add-ons.", old)
}

func staysAttached(addons string) string {
	return fmt.Sprintf("addons is no longer configured. The provider no longer manages what stays attached and billed: %s. To detach add-ons, set addons to those that are to stay, or to {}.", addons)
}
