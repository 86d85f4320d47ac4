package catalog

const (
	summaryCreate = "Error creating catalog item"
	summaryList   = "Error listing catalog items"
	summaryRead   = "Error reading catalog item"
	SummaryUpdate = "Error updating catalog item"

	SummaryExists          = "Catalog item already exists"
	SummaryInUse           = "Package in use changes"
	SummaryLimit           = "Catalog limit is reached"
	SummaryNotDeactivated  = "Catalog item created, but not deactivated"
	summaryNotFound        = "Catalog item not found"
	SummaryNotFoundRemoved = "Catalog item not found, removed from state"
	SummaryNotKept         = "Values were not kept by the API"
	SummaryNotReplaceable  = "Catalog items cannot be replaced"
	SummaryOverLimit       = "Plan exceeds the catalog limit"
	summaryResponseLost    = "Response lost, catalog item found"
	summarySettings        = "Invalid settings"
	SummarySettingsKept    = "Removed settings keep their values"
	summarySettingsRead    = "Settings cannot be read"
)
