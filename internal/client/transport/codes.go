package transport

// Codes of access tokens and their exchange (§4.1, §5.5).
const (
	CodeInvalidRequestGrant = "invalid_request"
	CodeInvalidClient       = "invalid_client"
	CodeJSONWebTokenError   = "JSON_WEB_TOKEN_ERROR"
)
