package assignment

const (
	SummaryCreate = "Error creating assignment"
	SummaryUpdate = "Error updating assignment"
	summaryDelete = "Error deleting assignment"
	summaryRead   = "Error reading assignment"
	summaryList   = "Error listing assignments"

	SummaryAddonNotFound   = "Add-on not found"
	SummaryAddonTwice      = "Add-on code is declared twice"
	SummaryExcess          = "Assignment exceeds the allowance"
	SummaryLabelLater      = "Private label is known after apply"
	SummaryMoved           = "Assignment changed outside of Terraform"
	summaryNoImport        = "No assignment to import"
	SummaryNotFound        = "Assignment not found, removed from state"
	SummaryNotReplaceable  = "Assignments cannot be replaced"
	SummaryOtherAddons     = "Private label has other add-ons"
	SummaryOtherPackage    = "Private label has another package"
	SummaryPackageChange   = "Package change not allowed"
	SummaryPackageInactive = "Package is inactive"
	SummaryPackageLater    = "Package is known after apply"
	SummaryPackageNotFound = "Package not found"
)
