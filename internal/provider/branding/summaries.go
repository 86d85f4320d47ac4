package branding

const (
	summaryColors = "Error updating colors"
	summaryLogos  = "Error updating logos"
	summaryRead   = "Error reading branding"

	summaryColorKept = "Removed color keeps its value"
	summaryContrast  = "Color contrast is low"
	summaryGone      = "Branding removed with its private label"
	summaryImportID  = "Invalid import ID of branding"
	summaryLogoSize  = "Logo may exceed the size limit"
	summaryLogoKept  = "Removed logo stays in use"
	summaryUploadURL = "Missing upload URL"
)
