package assignment

const (
	summaryCreate = "Error creating assignment"
	summaryUpdate = "Error updating assignment"
	summaryDelete = "Error deleting assignment"
	summaryRead   = "Error reading assignment"
	summaryList   = "Error listing assignments"

	summaryAddonNotFound   = "Add-on not found"
	summaryAddonTwice      = "Add-on code is declared twice"
	SummaryExcess          = "Assignment exceeds the allowance"
	summaryLabelLater      = "Private label is known after apply"
	SummaryMoved           = "Assignment changed outside of Terraform"
	summaryNoImport        = "No assignment to import"
	summaryNotFound        = "Assignment not found, removed from state"
	SummaryNotReplaceable  = "Assignments cannot be replaced"
	summaryOtherAddons     = "Private label has other add-ons"
	SummaryOtherPackage    = "Private label has another package"
	summaryPackageChange   = "Package change not allowed"
	summaryPackageInactive = "Package is inactive"
	SummaryPackageLater    = "Package is known after apply"
	summaryPackageNotFound = "Package not found"
)
