package assignment

const (
	summaryCreate = "Error creating assignment"
	summaryUpdate = "Error updating assignment"
	summaryDelete = "Error deleting assignment"
	summaryRead   = "Error reading assignment"
	summaryList   = "Error listing assignments"

	summaryAddonInactive   = "Add-on is inactive"
	summaryAddonNotFound   = "Add-on not found"
	summaryAddonTwice      = "Add-on code is declared twice"
	summaryCurrencies      = "Add-on and package have different currencies"
	summaryDeclaredTwice   = "Assignment is declared twice"
	summaryExcess          = "Assignment exceeds the allowance"
	summaryInState         = "Assignment is already in state"
	summaryLabelLater      = "Private label is known after apply"
	summaryManagedHere     = "Assignment is managed by another resource"
	summaryManagedTwice    = "Assignment is managed by two resources"
	summaryMoved           = "Assignment changed outside of Terraform"
	summaryNoImport        = "No assignment to import"
	summaryNotFound        = "Assignment not found, removed from state"
	summaryNotReplaceable  = "Assignments cannot be replaced"
	summaryOtherPackage    = "Private label has another package"
	summaryPackageChange   = "Package change not allowed"
	summaryPackageInactive = "Package is inactive"
	summaryPackageLater    = "Package is known after apply"
	summaryPackageNotFound = "Package not found"
)
