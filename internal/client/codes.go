package client

// Codes of the API. Any endpoint may return the first ones (§4, §7.1).
const (
	CodeUnauthorized      = "UNAUTHORIZED" // with 400: a host name that is not the reseller's (§7.2)
	CodeInsufficientScope = "INSUFFICIENT_SCOPE"
	CodeForbidden         = "FORBIDDEN"
	CodeSessionRequired   = "SESSION_REQUIRED"
	CodeNotFound          = "NOT_FOUND"
	CodeInternal          = "INTERNAL_SERVER_ERROR"
	CodeInvalidRequest    = "INVALID_REQUEST"
	CodeInvalidTarget     = "INVALID_TARGET"

	// Hosts, branding and config (§7.2).
	CodeHostTaken          = "HOST_TAKEN"
	CodeHostReserved       = "HOST_RESERVED"
	CodeDomainInvalid      = "DOMAIN_INVALID"
	CodeDomainEmpty        = "DOMAIN_EMPTY"
	CodeDomainNotFound     = "DOMAIN_NOT_FOUND"
	CodeInvalidColor       = "INVALID_COLOR"
	CodeInvalidURL         = "INVALID_URL"
	CodeTooManySocialLinks = "TOO_MANY_SOCIAL_LINKS"

	// Members, seats and suspension (§7.2).
	CodeInvalidEmail        = "INVALID_EMAIL"
	CodeInvalidName         = "INVALID_NAME"
	CodeOwnerInvalidEmail   = "OWNER_INVALID_EMAIL"
	CodeOwnerInvalidName    = "OWNER_INVALID_NAME"
	CodeAlreadyInDomain     = "ALREADY_IN_DOMAIN"
	CodeSeatQuotaReached    = "SEAT_QUOTA_REACHED"
	CodeUserNotFound        = "USER_NOT_FOUND"
	CodeCannotRemoveOwner   = "CANNOT_REMOVE_OWNER"
	CodeSuspendedByPlatform = "SUSPENDED_BY_PLATFORM"
	CodeTooFrequent         = "TOO_FREQUENT" // a 429 that is not a rate limit

	// The logo upload (§4.7).
	CodeNoFiles             = "NO_FILES"
	CodeInvalidData         = "INVALID_DATA"
	CodeInvalidImage        = "INVALID_IMAGE"
	CodeLimitFileSize       = "LIMIT_FILE_SIZE"
	CodeLimitUnexpectedFile = "LIMIT_UNEXPECTED_FILE"

	// Packages, add-ons and their assignment (§3.2, §7.2).
	CodeConfirmationInvalid = "CONFIRMATION_INVALID"
	CodeConfirmationExpired = "CONFIRMATION_EXPIRED"
	CodeAlreadyAssigned     = "ALREADY_ASSIGNED"
	CodeAlreadyAttached     = "ALREADY_ATTACHED"
	CodeNotAssigned         = "NOT_ASSIGNED"
	CodeAddonNotFound       = "ADDON_NOT_FOUND"
	CodeCodeInUse           = "CODE_IN_USE"
	CodeNoSubscription      = "NO_SUBSCRIPTION"
	CodePackageInactive     = "PACKAGE_INACTIVE"
	CodeInvalidQuery        = "INVALID_QUERY"
)
