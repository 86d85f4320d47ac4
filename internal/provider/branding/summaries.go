package branding

const (
	SummaryColors = "Error updating colors"
	summaryLogos  = "Error updating logos"
	summaryRead   = "Error reading branding"

	SummaryColorKept = "Removed color keeps its value"
	SummaryContrast  = "Color contrast is low"
	SummaryGone      = "Branding removed with its private label"
	summaryImportID  = "Invalid import ID of branding"
	summaryLogoGone  = "Logo file no longer exists"
	summaryLogoSize  = "Logo may exceed the size limit"
	SummaryLogoKept  = "Removed logo stays in use"
	SummaryUploadURL = "Missing upload URL"
)
