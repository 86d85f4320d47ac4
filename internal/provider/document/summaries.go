package document

const (
	summaryUpload        = "Error uploading document"
	SummaryUploadUnknown = "Document upload outcome unknown"
	summarySign          = "Error signing document"
	SummarySignUnknown   = "Document signing outcome unknown"
	summaryMint          = "Error minting document"
	SummaryMintUnknown   = "Document minting outcome unknown"

	summaryListSent       = "Error listing sent documents"
	summaryListSignatures = "Error listing signatures"
	summaryRead           = "Error reading document"

	SummaryAdopted        = "Result of an earlier run adopted"
	SummaryChangeLater    = "Change would be rejected at apply"
	summaryFileChanged    = "Sent file has changed"
	SummaryFileGone       = "Sent file no longer exists"
	summaryFileUnreadable = "Sent file cannot be compared"
	SummaryImportID       = "Invalid ID of a document or asset"
	SummaryInProgress     = "Operation is already in progress"
	SummaryLogEntry       = "Reading a document adds a log entry"
	SummaryNoMarker       = "Operation marker cannot be created"
	summaryNotReplaceable = "Signing resources cannot be replaced"
	SummarySameSigner     = "Email address of two signers"
	SummaryOverdue        = "Due date has passed"
	SummaryRecorded       = "Configured values are recorded without comparison"
	summaryUnnamedAsset   = "Minted asset has no ID"
)
