package simulator

// questions is the one list of what the API documentation leaves open and the simulator can answer in more than one form.
// ASSUMPTIONS.md contains the list as a table.
var questions = []question{
	{"envelope", "2.2", "Whether an envelope has fields that are not documented", []form{
		{"documented", "`status` with `data` or `error`", false},
		{"more", "also `meta`, and `error: null` beside `data`", false},
	}},
	{"empty-arrays", "2.2", "An empty array in a response", []form{
		{"array", "an empty array", false},
		{"null", "null", false},
		{"omitted", "omitted where a count of 0 stands beside it", false},
	}},
	{"null-fields", "2.2", "A text, number or time that is null, such as `customDomain` and `suspendedAt`", []form{
		{"null", "null", false},
		{"omitted", "omitted", false},
	}},
	{"figure-fields", "2.3, 2.4, Signing 2.6", "`metrics`, `memberCount`, `templateQuota.total`, trust scores and verify flags", []form{
		{"shown", "shown", false},
		{"null", "null", false},
		{"omitted", "omitted", false},
	}},
	{"label-figures", "2.3, 2.4", "Numbers in the list and in the detail of private labels", []form{
		{"numbers", "numbers", false},
		{"text", "texts", false},
	}},
	{"detail-addons", "2.4", "Add-ons in the detail of a private label", []form{
		{"shown", "shown", false},
		{"omitted", "no field", true},
		{"no-quantity", "without their quantities", true},
		{"no-code", "without their codes", true},
	}},
	{"status-case", "2.3, 2.8", "Case of the values of `status`", []form{
		{"documented", "`Active`, `Suspended`", false},
		{"lower", "`active`, `suspended`", false},
	}},
	{"late", "6, 7.4", "When a read shows a write", []form{
		{"now", "immediately", false},
		{"6s", "6 seconds after it", false},
		{"20s", "20 seconds after it", false},
		{"2m", "two minutes after it", false},
	}},
	{"late-reads", "6, 7.4", "Which reads show a write late", []form{
		{"all", "all of the following", false},
		{"list", "the list of private labels", false},
		{"detail", "the detail of a private label", false},
		{"members", "the members of a private label", false},
		{"package", "`…/package`", false},
		{"search", "the searches of packages and add-ons", false},
		{"item", "`/get`", false},
	}},
	{"primary-host", "2.3, 2.4", "The hosts of a private label", []form{
		{"asked", "`primaryHost` is the host name that it was provisioned with", false},
		{"platform", "`primaryHost` is a subdomain of the platform, and `customDomain` that host name", false},
	}},
	{"host-case", "2.1", "Case of a host name", []form{
		{"folded", "stored in lowercase; compared without case", false},
		{"exact", "stored as sent; flat endpoints compare with case", false},
	}},
	{"record-name", "2.5", "The name of a DNS record", []form{
		{"host", "the host name", false},
		{"relative", "relative to its domain; `@` for a whole domain", false},
		{"dot", "the host name with a final dot; the value of a CNAME has one as well", false},
	}},
	{"suspended-detail", "3.1, 4", "The detail of a suspended private label", []form{
		{"live", "as of any other", false},
		{"rejected", "400 INVALID_TARGET: it is not live", false},
	}},
	{"no-endpoint", "7.1", "404 for a path or a method that no endpoint has", []form{
		{"envelope", "NOT_FOUND in an envelope", false},
		{"json", "a router's own JSON", false},
		{"page", "a page", false},
	}},
	{"times", "2.1, 4.21", "Times in the responses of §4.21", []form{
		{"milliseconds", "integer milliseconds", false},
		{"digits", "the same as a text", false},
		{"text", "RFC 3339", false},
	}},
	{"gone-label", "4", "Endpoints of a deprovisioned private label: the row for 403 names it, the row for INVALID_TARGET fits as well", []form{
		{"forbidden", "403 FORBIDDEN", false},
		{"invalid-target", "400 INVALID_TARGET", false},
	}},
	{"expires-in", "4.1", "`expires_in`", []form{
		{"number", "a number", false},
		{"text", "a text", false},
	}},
	{"scope-list", "4.1", "How `scope` has the scopes", []form{
		{"spaces", "a text, joined with spaces", false},
		{"commas", "a text, joined with commas", false},
		{"array", "an array of texts", false},
	}},
	{"upload-at-base", "4.7", "How the API blocks an upload to the base URL", []form{
		{"page", "403 with a page instead of an envelope, for every caller; the call counts in the console limit", false},
		{"not-found", "404 NOT_FOUND", false},
	}},
	{"logo-size", "4.7", "What 1 MB is", []form{
		{"binary", "1,048,576 bytes, which are allowed", false},
		{"decimal", "1,000,000 bytes", true},
	}},
	{"logo-type", "4.7", "What determines the type of an image", []form{
		{"content", "its content", false},
		{"part", "the `Content-Type` of its part", false},
	}},
	{"bad-period", "4.8", "The code for an invalid period", []form{
		{"invalid-request", "400 INVALID_REQUEST", false},
		{"invalid-query", "400 INVALID_QUERY", false},
	}},
	{"empty-package", "4.9", "A `package` without a packageId, which is not required", []form{
		{"none", "provisioning without a package", false},
		{"rejected", "400 INVALID_REQUEST; nothing is created", false},
	}},
	{"limit-headers", "8", "Which limit the headers report", []form{
		{"fewest", "the one with the fewest calls left; the allocation limit on an allocation", false},
		{"own", "the route's own", false},
	}},
	{"reset", "8", "`RateLimit-Reset`", []form{
		{"seconds", "seconds from now, rounded up", false},
		{"epoch", "seconds since 1970", false},
		{"epoch-ms", "milliseconds since 1970", false},
		{"date", "a date of HTTP", false},
	}},

	{"seats-no-package", "3.4", "The seat cap without a package", []form{
		{"unlimited", "none", false},
		{"none", "SEAT_QUOTA_REACHED", true},
	}},
	{"seats-of-zero", "3.4", "The seat cap of a package that includes no seats, such as a package with fields that the simulator does not know", []form{
		{"unlimited", "none", false},
		{"none", "SEAT_QUOTA_REACHED", true},
	}},
	{"unsent-email", "3.4", "Adding a member when the email cannot be sent", []form{
		{"succeeds", "200: the member exists, and the five minutes begin", false},
		{"fails", "500, although the member has a seat", false},
	}},
	{"added-again", "3.4, 4.16", "The ID of a removed member who is added again on the path of the private label", []form{
		{"same-id", "the same, with the names as sent now and no admin rights; `created`; the seat cap applies; the member is emailed again", false},
		{"new-id", "a new one; the old one stays known as removed", false},
	}},
	{"email-case", "4.4, 4.16", "Spelling of a stored email address; which are equal is Unicode's simple folding", []form{
		{"as-sent", "as sent", false},
		{"lowercase", "each letter in lowercase", false},
		{"uppercase", "each letter in uppercase", false},
		{"words", "lowercase of whole words, with a final `ς` and a dotted `i̇`", false},
	}},
	{"foreign-host", "4.4", "Adding to a host name that is not the reseller's", []form{
		{"not-found-first", "DOMAIN_NOT_FOUND if no live private label and no reseller has it, else UNAUTHORIZED", false},
		{"unauthorized", "UNAUTHORIZED, except DOMAIN_NOT_FOUND for a deprovisioned private label of the reseller", false},
	}},
	{"removed-again", "4.5", "Removing a member by host name who was removed before", []form{
		{"unknown", "USER_NOT_FOUND", false},
		{"succeeds", "200", false},
	}},
	{"foreign-search", "4.3", "Searching a domain that is not administered", []form{
		{"unauthorized", "400 UNAUTHORIZED, as §7.2 says for flat endpoints", false},
		{"empty", "no user is found", false},
	}},

	{"get", "4.21", "Method of `/get`", []form{
		{"post", "POST with `{packageId}` or `{addonId}`", false},
		{"query", "GET with the ID in the query", false},
	}},
	{"update", "4.21", "Method of `/update`", []form{
		{"post", "POST", false},
		{"put", "PUT", false},
		{"patch", "PATCH", false},
	}},
	{"update-omitted", "4.21", "Fields that an update omits", []form{
		{"kept", "unchanged; null removes a field", false},
		{"removed", "removed, and `name` is required", false},
	}},
	{"update-nested", "4.21", "A nested object of an update", []form{
		{"replaced", "replaces the stored one", false},
		{"merged", "its fields are merged into the stored one", false},
	}},
	{"update-whole", "4.21", "Fields of an update that cannot change, such as `code` and `createdAt`, with their present value", []form{
		{"accepted", "accepted", false},
		{"rejected", "400 INVALID_REQUEST", false},
		{"invalid-data", "400 INVALID_DATA", false},
		{"code-in-use", "400 CODE_IN_USE", false},
		{"conflict", "409 CODE_IN_USE", false},
		{"unprocessable", "422 INVALID_DATA", false},
	}},
	{"rows", "4.21", "Rows of a search and of the points ledger, with `total`, `page`, `pageSize`", []form{
		{"by-kind", "`data.packages`, `data.addons`; `data.rows` of the ledger", false},
		{"items", "`data.items`", false},
		{"rows", "`data.rows`", false},
		{"nested", "`data.packages.rows`; `data.rows.rows` of the ledger", false},
	}},
	{"search-rows", "4.21", "Fields of a row of a search", []form{
		{"whole", "all that `/get` has", false},
		{"summaries", "ID, code, name, currency, active flag and `createdAt`", false},
	}},
	{"search-inactive", "4.21", "Deactivated items in a search", []form{
		{"found", "found", false},
		{"hidden", "not found, and not in `total`", false},
	}},
	{"settings", "2.11", "Fields of an item that the documentation does not name", []form{
		{"kept", "kept as sent", false},
		{"dropped", "dropped, except `included`", false},
		{"text", "kept; a number becomes a text", false},
	}},
	{"addon-fields", "2.11", "Whether an add-on has a currency and an active flag (§2.11 names its code and name only)", []form{
		{"full", "yes, like a package", false},
		{"bare", "neither is in a response", false},
		{"currency", "a currency only", false},
		{"active", "an active flag only", false},
	}},
	{"item-id", "4.21", "The ID of an item", []form{
		{"named", "`packageId`, `addonId`", false},
		{"plain", "`id`", false},
		{"nested", "`package.packageId`, with the whole item one level down", false},
		{"nested-id", "`package.id`, with the whole item one level down", false},
		{"nested-alone", "`packageId`, `addonId`; outside of a search, the whole item is one level down", false},
	}},
	{"active-flag", "4.21", "The active flag, true if omitted; the other spellings are INVALID_REQUEST", []form{
		{"active", "`active`, true or false", false},
		{"is-active", "`isActive`, true or false", false},
		{"status", "`status` of `Active` and `Inactive`", false},
		{"none", "in no response; `active` is accepted", true},
	}},
	{"unknown-package", "3.2, 4.21", "An unknown package, also in `package.error` of provisioning", []form{
		{"package-not-found", "PACKAGE_NOT_FOUND", false},
		{"invalid-request", "INVALID_REQUEST", false},
	}},
	{"assign-order", "3.2", "Order of the checks of an assignment after the body", []form{
		{"package-first", "unknown ID, ALREADY_ASSIGNED, NO_SUBSCRIPTION, PACKAGE_INACTIVE, allowance", false},
		{"subscription-first", "NO_SUBSCRIPTION, unknown ID, PACKAGE_INACTIVE, ALREADY_ASSIGNED, allowance", false},
	}},
	{"late-confirmation", "3.2", "A confirmation key a day after it expired", []form{
		{"expired", "CONFIRMATION_EXPIRED", false},
		{"invalid", "CONFIRMATION_INVALID, like an unknown one", false},
	}},
	{"remaining", "2.7, 4.21", "`remaining` of warnings and quota after an excess", []form{
		{"floor", "never below 0", false},
		{"negative", "what was confirmed before counts, and an excess includes it", false},
	}},
	{"removed-item", "1", "Items that were removed from a private label in a period", []form{
		{"held", "stay allocated in that period, each at its largest quantity. §1 leaves open how they are summed, so that a change bills up to both: " +
			"here, a changed package bills both packages, and the same package again is billed once", false},
		{"freed", "no longer use the allowance", false},
	}},
	{"removal", "4.21", "Removing a package or an add-on from a private label", []form{
		{"delete", "DELETE `…/package`, DELETE `…/package/addons/:id`", false},
		{"post-path", "POST `…/remove` after the same paths", false},
		{"post-body", "POST `…/package/remove`, POST `…/package/addons/remove` with the ID in the body", false},
	}},
	{"removal-id", "4.21", "Which ID removes an add-on", []form{
		{"attachment", "`subscriptionAddonId`", false},
		{"addon", "`addonId`", false},
	}},
	{"removed", "4.12, 4.18, 4.21", "Response to a removal", []form{
		{"status", "200 with `{status}`", false},
		{"empty", "204 without a body", false},
	}},
	{"assignment-read", "4.21", "Read of `…/package`", []form{
		{"assignment", "`data.assignment` as in §2.4", false},
		{"bare", "`data` itself", false},
		{"package", "`data.package`", false},
		{"missing", "404 NOT_FOUND", false},
	}},
	{"assignment-addons", "4.21", "Add-ons in that read", []form{
		{"shown", "as in the detail", false},
		{"omitted", "no field", false},
		{"empty", "an empty list", false},
	}},
	{"no-assignment", "4.21", "That read without a package", []form{
		{"null", "null", false},
		{"not-assigned", "NOT_ASSIGNED", false},
	}},
	{"figures", "4.21", "Numbers of usage, quota, points, ledger and of `allocated` in the read of `…/package`", []form{
		{"numbers", "numbers", false},
		{"text", "texts", false},
	}},
	{"usage", "4.21", "The usage report", []form{
		{"totals", "`{period, rows: [{tenantId, primaryHost, documents, …}], totals}`", false},
		{"items", "`{period, items: [{itemCode, used}], rows}`", false},
		{"rows", "`{period, rows}`", false},
		{"by-code", "`{period, items}`, an object by item code of `{used}`", false},
		{"flat", "`{period, documents, …}`", false},
	}},
	{"quota", "4.21", "The quota", []form{
		{"list", "`{period, items: [{itemCode, allowance, billed, used, remaining}]}`", false},
		{"by-code", "`items` is an object by item code", false},
		{"sections", "`{period, allowance, billed, used, remaining}`, each an object by item code", false},
		{"rows", "`{period, rows: [{itemCode, …}]}`", false},
		{"flat", "`{period, documents: {…}, …}`", false},
	}},
	{"points-pool", "4.21", "The points pool", []form{
		{"flat", "`{granted, used, remaining, writtenAt, renewsAt}`", false},
		{"nested", "the same in `pool`", false},
	}},
	{"ledger", "4.21", "A row of the points ledger; above 0 was used, below 0 was returned", []form{
		{"amount", "`{id, itemCode, amount, createdAt}`", false},
		{"points", "`{id, itemCode, points, type, createdAt}`, never below 0, with a `type` of `Used` or `Returned`", false},
	}},

	{"signing-result", "Signing 4.1", "Where an upload's response has `message` and `docId`", []form{
		{"by-family", "`data` in family A, `data.result` in family B", false},
		{"flat", "`data` in both", false},
		{"nested", "`data.result` in both", false},
	}},
	{"signing-status", "Signing 7", "HTTP statuses of errors", []form{
		{"by-code", "401 INVALID_USER_API_KEY, 403 NO_PERMISSION, 400 for the others", false},
		{"ok", "200", false},
		{"bad-request", "400", false},
	}},
	{"signing-wrong-key", "Signing 5, 7", "The error for a wrong or missing key, except for upload and mint", []form{
		{"user-key", "INVALID_USER_API_KEY there as well", false},
		{"internal-key", "INVALID_API_KEY", false},
	}},
	{"signing-domain", "Signing 4.3, 4.4", "A `domain` that is omitted or null when signing and viewing", []form{
		{"optional", "the personal-account domain", false},
		{"required", "INVALID_DATA", true},
	}},
	{"strange-domain", "Signing 2.1", "A host name of no private label as domain: accounts of businesses without a portal also send documents", []form{
		{"accepted", "a domain like any other", false},
		{"rejected", "NO_PERMISSION", true},
	}},
	{"upload-arrays", "Signing 2.1", "Names of the arrays of an upload", []form{
		{"plural", "`viewers`, `signers`", false},
		{"singular", "`viewer`, `signer`", true},
	}},
	{"upload-size", "Signing 8", "What 10 MB are", []form{
		{"binary", "10 MiB: 10,485,759 bytes fit", false},
		{"decimal", "9,999,999 bytes fit", true},
	}},
	{"annotation-page", "Signing 2.5", "The number of the first page", []form{
		{"any", "any number is accepted", false},
		{"one", "1: a smaller `page` is INVALID_DATA", true},
		{"zero", "0: a smaller `page` is INVALID_DATA", true},
	}},
	{"viewed-due-date", "Signing 2.6", "The `dueDate` of a viewed document", []form{
		{"text", "dd-mm-yyyy, as it was sent", false},
		{"milliseconds", "milliseconds since 1970", false},
		{"object", "`{day, month, year}`", false},
	}},
	{"viewed-type", "Signing 2.6", "The `type` of a viewed annotation", []form{
		{"object", "`{type, filePath}`", false},
		{"text", "the type, as a text", false},
	}},
	{"viewed-font-size", "Signing 2.6", "The `fontSize` of a viewed annotation", []form{
		{"text", "a number followed by pt, as a text", false},
		{"number", "a number", false},
	}},
	{"signing-body", "Signing 4.3, 4.4", "The body of a request, which is sent as text of a JSON value", []form{
		{"value", "the JSON value", false},
		{"quoted", "a JSON text that contains it", true},
	}},
	{"sign-for-others", "Signing 5", "Signing annotations of other signers", []form{
		{"allowed", "allowed: the user may view and sign all documents", false},
		{"rejected", "NO_PERMISSION", true},
	}},
	{"signed-again", "Signing 4.3", "Signing an annotation again with its present content", []form{
		{"accepted", "changes nothing", false},
		{"rejected", "INVALID_DATA", false},
	}},
	{"sent-method", "Signing 4.2", "Method of the list of sent documents", []form{
		{"post", "POST, with `domain` in the body", false},
		{"get", "GET, with `domain` in the query", false},
	}},
	{"sent-path", "Signing 4.2", "Where family B has sent documents", []form{
		{"family-a", "at the path of family A only", false},
		{"both", "also at `/signing-api/documents/sent-documents`", false},
	}},
	{"signing-rows", "Signing 4.2, 4.5", "Sent documents and stored signatures", []form{
		{"named", "`data.documents`, `data.signatures`", false},
		{"bare", "`data` is the array", false},
		{"by-id", "the same, each an object by ID", false},
		{"two-lists", "`data.documents`, `data.signatures`, with an empty `data.shared` beside it", false},
	}},
	{"signature-row", "Signing 4.5", "An entry of the stored signatures", []form{
		{"object", "`{id, type}`", false},
		{"text", "the ID", false},
		{"odd", "the first one has no ID", false},
	}},
	{"arc69", "Signing 4.6", "The response to minting by ARC69", []form{
		{"full", "as for ARC3", false},
		{"short", "`assetId` and `transactionId` only", false},
	}},
}
