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
	summaryInProgress     = "Operation is already in progress"
	summaryInState        = "Object is already in state"
	summaryLogEntry       = "Reading a document adds a log entry"
	summaryNoImport       = "Signing resources cannot be imported"
	summaryNoMarker       = "Operation marker cannot be created"
	summaryNotReplaceable = "Signing resources cannot be replaced"
	summaryResponseLost   = "Response lost, document found"
	summaryUnnamedAsset   = "Minted asset has no ID"
)
