package document

const (
	summaryUpload        = "Error uploading document"
	summaryUploadUnknown = "Document upload outcome unknown"
	summarySign          = "Error signing document"
	summarySignUnknown   = "Document signing outcome unknown"
	summaryMint          = "Error minting document"
	summaryMintUnknown   = "Document minting outcome unknown"

	summaryListSent       = "Error listing sent documents"
	summaryListSignatures = "Error listing signatures"
	summaryRead           = "Error reading document"

	summaryAdopted        = "Result of an earlier run adopted"
	summaryChangeLater    = "Change would be rejected at apply"
	summaryFileChanged    = "Sent file has changed"
	summaryFileGone       = "Sent file no longer exists"
	summaryFileUnreadable = "Sent file cannot be compared"
	summaryImportID       = "Invalid ID of a document or asset"
	summaryInProgress     = "Operation is already in progress"
	summaryLogEntry       = "Reading a document adds a log entry"
	summaryNoMarker       = "Operation marker cannot be created"
	summaryNotReplaceable = "Signing resources cannot be replaced"
	summarySameSigner     = "Email address of two signers"
	summaryRecorded       = "Configured values are recorded without comparison"
	summaryUnnamedAsset   = "Minted asset has no ID"
)
