package file

// Summaries of what is wrong with a file.
const (
	SummaryInvalid = "Invalid file"
	SummaryChanged = "File changed after the plan"
	SummaryLarge   = "File may be too large"

	SummaryDamaged  = "Image may be damaged"
	SummaryFileName = "File name may be rejected"
)
