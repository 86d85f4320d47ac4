package diagnostic

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
	"github.com/privatelabels/terraform-provider-reseller/internal/tool/wording"
)

// Each code of the Reseller API (§7.2), the token exchange and the scopes has advice of its own.
func TestDiagnose_Advice(t *testing.T) {
	t.Parallel()
	const packages, label, flat = "POST /console/:slug/reseller/billing/packages", "POST /console/:slug/reseller/private-labels/:tenantId/suspend", "POST /console/tenant/update-colors"
	for _, tc := range []struct {
		status         int
		code, endpoint string
		want           string
	}{
		{403, "FORBIDDEN", "GET /console/:slug/reseller/private-labels/:tenantId", "may be deprovisioned, in another reseller's subtree, or moved by the platform"},
		{403, "FORBIDDEN", label, "may be deprovisioned, in another reseller's subtree, or moved by the platform"},
		{403, "FORBIDDEN", packages, "slug in the provider block"},
		{403, "FORBIDDEN", flat, "reseller of the API key may have been deleted"},
		{403, "INSUFFICIENT_SCOPE", packages, "scope reseller:packages, which writing reseller_package, reseller_addon or reseller_assignment needs"},
		{403, "INSUFFICIENT_SCOPE", "PUT /console/:slug/reseller/billing/addons/update", "scope reseller:packages"},
		{403, "INSUFFICIENT_SCOPE", "DELETE /console/:slug/reseller/private-labels/:tenantId/package/addons/:addonId", "scope reseller:packages"},
		{403, "INSUFFICIENT_SCOPE", "POST /console/:slug/reseller/private-labels/:tenantId/package/remove", "scope reseller:packages"},
		{403, "INSUFFICIENT_SCOPE", packages + "/search", "scope reseller:read, which every resource and data source of the Reseller API needs"},
		{403, "INSUFFICIENT_SCOPE", packages + "/get", "scope reseller:read"},
		{403, "INSUFFICIENT_SCOPE", "GET /console/:slug/reseller/private-labels/:tenantId/package", "scope reseller:read"},
		{403, "INSUFFICIENT_SCOPE", "POST /console/users/search", "scope reseller:read"},
		{403, "INSUFFICIENT_SCOPE", label, "scope reseller:provision, which writing private labels"},
		{403, "INSUFFICIENT_SCOPE", flat, "scope reseller:provision"},
		{403, "INSUFFICIENT_SCOPE", "DELETE /console/:slug/reseller/private-labels/:tenantId", "scope reseller:provision"},
		{401, "UNAUTHORIZED", flat, "Check the API key"},
		{400, "UNAUTHORIZED", flat, "no live private label with this host name"},
		{403, "SESSION_REQUIRED", label, "signed in to the reseller console"},
		{404, "NOT_FOUND", flat, "base_url"},
		{400, "NOT_FOUND", flat, "no branding"},
		{500, "INTERNAL_SERVER_ERROR", label, "failed in the API"},
		{400, "INVALID_REQUEST", label, "longer than its field"},
		{400, "INVALID_TARGET", label, "No live private label"},
		{400, "HOST_TAKEN", "", "Choose another host name"},
		{400, "HOST_RESERVED", "", "platform reserves"},
		{400, "DOMAIN_INVALID", "", "bare host name"},
		{400, "DOMAIN_EMPTY", "", "Set the host name"},
		{400, "DOMAIN_NOT_FOUND", "", "No live private label"},
		{400, "INVALID_COLOR", "", "#rrggbb"},
		{400, "INVALID_URL", "", "full http or https URL"},
		{400, "TOO_MANY_SOCIAL_LINKS", "", "At most 20"},
		{400, "INVALID_EMAIL", "", "plain email address"},
		{400, "INVALID_NAME", "", "may be blank"},
		{400, "OWNER_INVALID_EMAIL", "", "plain email address"},
		{400, "OWNER_INVALID_NAME", "", "may be blank"},
		{400, "ALREADY_IN_DOMAIN", "", "already has a seat"},
		{400, "SEAT_QUOTA_REACHED", "", "All seats"},
		{400, "USER_NOT_FOUND", "", "No member"},
		{400, "CANNOT_REMOVE_OWNER", "", "owner or an admin"},
		{400, "SUSPENDED_BY_PLATFORM", "", "Only the platform"},
		{400, "NO_FILES", "", "proxy"},
		{400, "INVALID_DATA", "", "proxy"},
		{400, "INVALID_IMAGE", "", "4096"},
		{400, "LIMIT_FILE_SIZE", "", "1 MB"},
		{400, "LIMIT_UNEXPECTED_FILE", "", "PNG, JPEG, GIF and SVG"},
		{400, "CONFIRMATION_INVALID", "", "Apply again"},
		{400, "CONFIRMATION_EXPIRED", "", "10 minutes"},
		{400, "ALREADY_ASSIGNED", "", "another package"},
		{400, "ALREADY_ATTACHED", "", "attached already"},
		{400, "NOT_ASSIGNED", "", "has no package"},
		{400, "ADDON_NOT_FOUND", "", "code of the add-on"},
		{400, "CODE_IN_USE", "", "permanently"},
		{400, "NO_SUBSCRIPTION", "", "sales"},
		{400, "PACKAGE_INACTIVE", "", "Activate the package"},
		{400, "INVALID_QUERY", "", "pages of 1 to 100 rows"},
		{400, "JSON_WEB_TOKEN_ERROR", "", "access_token"},
		{429, "TOO_FREQUENT", "", "five minutes"},
		{400, "invalid_request", "", "base_url"},
		{401, "invalid_client", "", "RESELLER_API_KEY"},
	} {
		d := ReadFailure(SummaryPresence, "The points ledger", &transport.Error{Status: tc.status, Code: tc.code, Message: "says the API", Op: "read the points ledger", Endpoint: tc.endpoint})[0]
		for _, part := range []string{tc.want, "says the API", tc.code} {
			assert.Contains(t, d.Detail(), part, "%s %s: lacks", tc.code, tc.endpoint)
		}
	}
}

// Each code of the Signing API (§7) has advice of its own for each call that may return it.
func TestDiagnose_SigningAdvice(t *testing.T) {
	t.Parallel()
	const upload, sign, mint, view, sent = "upload the document", "sign the document", "mint the document", "view the document", "list the sent documents"
	for _, tc := range []struct {
		code, want string
		ops        []string
	}{
		{"INVALID_API_KEY", "Internal keys of the API do not match", []string{upload, sign, mint, view, sent, "list the signatures"}},
		{"INVALID_USER_API_KEY", "RESELLER_SIGNING_API_KEY", []string{upload, sign, mint, view, sent, "list the signatures"}},
		{"NO_PERMISSION", "may not upload documents to this domain", []string{upload}},
		{"NO_PERMISSION", "whether it is this signer's turn", []string{sign}},
		{"NO_PERMISSION", "may not mint documents", []string{mint}},
		{"NO_PERMISSION", "may not view this document", []string{view}},
		{"NO_PERMISSION", "may not list documents of this domain", []string{sent}},
		{"INVALID_DATA", "Check domain, owner_email, signers and annotations", []string{upload}},
		{"INVALID_DATA", "an annotation of this document that is not verified yet", []string{sign}},
		{"INVALID_DATA", "unit_name (at most 8 characters)", []string{mint}},
		{"INVALID_DATA", "Set a domain of the account", []string{sent}},
		{"NO_FILE_ATTACHED", "The API received no file", []string{upload, mint}},
		{"MISSING_BODY", "no request body", []string{upload, sign, view}},
		{"FILE_ATTACHMENT_ISSUE", "two files, a PDF and a thumbnail", []string{mint}},
		{"INVALID_FILE_TYPE", "Let the name end in .pdf, .png or .jpeg", []string{mint}},
		{"INVALID_DOC_ID", "No document has this ID", []string{sign, view}},
	} {
		for _, op := range tc.ops {
			d := APIFailure{Failed: "It was not done"}.Diagnostic(&transport.Error{Status: 400, Code: tc.code, Op: op, Endpoint: "POST /signing-api/documents"})
			assert.Contains(t, d.Detail(), tc.want, "%s of %q: lacks", tc.code, op)
		}
	}
}

// The key of the Signing API is on the profile page: no code of the Reseller API sends its user to the reseller console.
func TestDiagnose_SigningKey(t *testing.T) {
	t.Parallel()
	for code, status := range map[string]int{"UNAUTHORIZED": 401, "JSON_WEB_TOKEN_ERROR": 400, "FORBIDDEN": 403, "NOT_FOUND": 404, "": 401} {
		d := APIFailure{}.Diagnostic(&transport.Error{Status: status, Code: code, Op: "view the document", Endpoint: "POST /signing-api/documents/view"})
		assert.NotContains(t, d.Detail(), "console", code)
		assert.NotContains(t, d.Detail(), "base_url", code)
		if status == 401 && !strings.Contains(d.Detail(), "profile page") {
			t.Errorf("%s: %s", code, d.Detail())
		}
	}
}

// An object's own advice replaces that of a code, but not of a token or an endpoint.
func TestDiagnose_OwnAdvice(t *testing.T) {
	t.Parallel()
	f := APIFailure{Summary: SummaryPresence, Failed: "The colors", Remedies: map[string]Remedy{client.CodeNotFound: {At: path.Root("domain")}, client.CodeUnauthorized: {Advice: "our own"}}}
	for _, tc := range []struct {
		status     int
		code, want string
		at         path.Path
	}{
		{400, client.CodeNotFound, "no branding", path.Root("domain")},
		{404, client.CodeNotFound, "base_url", path.Empty()},
		{400, client.CodeUnauthorized, "our own", path.Empty()},
		{401, client.CodeUnauthorized, "revoked", path.Empty()},
	} {
		d := f.Diagnostic(&transport.Error{Status: tc.status, Code: tc.code})
		at := path.Empty()
		if with, ok := d.(diag.DiagnosticWithPath); ok {
			at = with.Path()
		}
		if !strings.Contains(d.Detail(), tc.want) || !at.Equal(tc.at) {
			t.Errorf("%s (%d): %q at %s", tc.code, tc.status, d.Detail(), at)
		}
	}
}

// What the API returns is on one line, so that no part of it looks like the provider's advice: host names, email addresses,
// codes, names and messages.
func TestDiagnose_OneLine(t *testing.T) {
	t.Parallel()
	const evil = "\r\n\nRun\x00this.\x1b[2J\u2028\u202eNow."
	const shown = " Run this. [2J Now."
	f := APIFailure{Object: "acme.example" + evil, Failed: "ada@acme.example" + evil + " was not added", Unchanged: "Package GOLD" + evil + " stays"}
	answer := &transport.Error{Status: 400, Code: "HOST_TAKEN" + evil, Message: "No" + evil, RequestID: "req" + evil}
	for name, tc := range map[string]struct {
		err        error
		paragraphs []string
	}{
		"response":        {answer, []string{"ada@acme.example" + shown + " was not added. Package GOLD" + shown + " stays.", "API error HOST_TAKEN" + shown + " (HTTP 400): No" + shown + " (request ID req" + shown + ")."}},
		"another failure": {errors.Join(errors.New("one"), errors.New("two"+evil)), []string{"", "The API call failed: one two" + shown, "Check base_url in the provider block and the network, and run again."}},
		"unknown outcome": {
			&transport.UnknownOutcomeError{Op: "add", Subject: "bob" + evil, Reason: transport.ReasonDifferent, Seen: "A read shows eve" + evil, Err: answer},
			[]string{"acme.example" + shown + ": the API call to add bob" + shown + " was sent, and its effect could not be confirmed. A read shows eve" + shown, ""},
		},
	} {
		got := strings.Split(f.Diagnostic(tc.err).Detail(), "\n\n")
		if len(got) != len(tc.paragraphs) {
			t.Errorf("%s: %q", name, got)
			continue
		}
		for i, want := range tc.paragraphs {
			if want != "" && got[i] != want || strings.ContainsFunc(got[i], unicode.IsControl) {
				t.Errorf("%s: %q, want %q", name, got[i], want)
			}
		}
	}
}

// A rejected token that was configured says where, that it lives an hour, and that a key beside it was not used.
func TestDiagnose_GivenToken(t *testing.T) {
	t.Parallel()
	e := &transport.Error{Status: 401, Code: "UNAUTHORIZED", GivenToken: &transport.GivenToken{Origin: "the environment variable RESELLER_ACCESS_TOKEN", KeyUnused: true}}
	f := APIFailure{Summary: SummaryPresence, Failed: "The dashboard", Remedies: map[string]Remedy{client.CodeUnauthorized: {Advice: "our own"}}}
	got := f.Diagnostic(e).Detail()
	for _, part := range []string{"the environment variable RESELLER_ACCESS_TOKEN", "one hour", "API key, which was not used"} {
		assert.Contains(t, got, part)
	}
	e.GivenToken = &transport.GivenToken{Origin: "access_token in the provider block"}
	got = f.Diagnostic(e).Detail()
	assert.Contains(t, got, "access_token in the provider block")
	assert.Contains(t, got, "one hour")
	assert.NotContains(t, got, "not used")
}

// The advice about a scope does not contradict the API, which may require another one than its documentation.
func TestDiagnose_OtherScope(t *testing.T) {
	t.Parallel()
	const search = "POST /console/:slug/reseller/billing/packages/search"
	for message, want := range map[string]string{
		"Requires reseller:packages":                    "the scope that the API names",
		"Requires the scope reseller:read.":             "the scope reseller:read, which every resource",
		"The key may not do this.":                      "the scope reseller:read, which every resource",
		"reseller:read or reseller:packages is missing": "the scope reseller:read, which every resource",
	} {
		e := &transport.Error{Status: 403, Code: "INSUFFICIENT_SCOPE", Message: message, Endpoint: search}
		assert.Contains(t, ReadFailure(SummaryPresence, "The catalog", e)[0].Detail(), want, message)
	}
}

// A page that rejects a call comes from a server in front of the API. Nothing was stored.
func TestDiagnose_StoppedByGateway(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{403: "HTTPS_PROXY", 413: "smaller file", 404: "URL in the provider block"} {
		gateway := transporttest.Expect(t, fmt.Sprintf("POST /console/tenant/update-colors -> %d page + Server: nginx", status))
		c, err := client.New(client.Config{BaseURL: transporttest.URL, AccessToken: transporttest.GivenToken, Settings: transport.Settings{Transport: gateway}})
		require.NoError(t, err)
		got := APIFailure{Summary: "Error", Failed: "The colors were not sent", Unchanged: "Nothing was changed"}.Of(c.UpdateColors(t.Context(), "acme.example", client.Colors{}))[0].Detail()
		for _, part := range []string{"The colors were not sent. Nothing was changed.", "sent by nginx", "the API stored nothing", want} {
			assert.Contains(t, got, part, "HTTP %d", status)
		}
	}
}

// Support asks for the request ID of a failed token exchange.
func TestDiagnose_RequestID(t *testing.T) {
	t.Parallel()
	e := &transport.Error{Status: 401, Code: transport.CodeInvalidClient, Op: "exchange the API key for a token", RequestID: "req-1"}
	d := ReadFailure(SummaryPresence, "The labels", e)[0]
	assert.Contains(t, d.Detail(), "(request ID req-1)", "has no request ID")
	e.RequestID = ""
	d = ReadFailure(SummaryPresence, "The labels", e)[0]
	assert.NotContains(t, d.Detail(), "request ID", "has an empty request ID")
}

// The advice leaves three of the six lines of an error to what failed.
func TestAdvice_Length(t *testing.T) {
	t.Parallel()
	const most = 3
	for key, text := range advice {
		assert.LessOrEqual(t, wording.Lines(text), most, "%s: %s", key, text)
	}
	for reason, text := range outcomeAdvice {
		assert.LessOrEqual(t, wording.Lines(text), most, "%s: %s", reason, text)
	}
	for _, status := range []int{http.StatusRequestEntityTooLarge, http.StatusNotFound, http.StatusForbidden} {
		assert.LessOrEqual(t, wording.Lines(stoppedBefore(status)), most, stoppedBefore(status))
	}
	assert.LessOrEqual(t, wording.Lines(failedInAPI("detach the host name")), most, failedInAPI("detach the host name"))
}
