package catalog

const (
	summaryCreate = "Error creating catalog item"
	summaryList   = "Error listing catalog items"
	summaryRead   = "Error reading catalog item"
	summaryUpdate = "Error updating catalog item"

	SummaryExists          = "Catalog item already exists"
	summaryInUse           = "Package in use changes"
	summaryLimit           = "Catalog limit is reached"
	summaryNotDeactivated  = "Catalog item created, but not deactivated"
	summaryNotFound        = "Catalog item not found"
	summaryNotFoundRemoved = "Catalog item not found, removed from state"
	summaryNotReplaceable  = "Catalog items cannot be replaced"
	summaryOverLimit       = "Plan exceeds the catalog limit"
	summaryResponseLost    = "Response lost, catalog item found"
	summarySettings        = "Invalid settings"
	summarySettingsKept    = "Removed settings keep their values"
	summarySettingsRead    = "Settings cannot be read"
)
