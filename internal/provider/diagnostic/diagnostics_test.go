package diagnostic

import (
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Every code that any endpoint may return has a remedy.
func TestDiagnose_CommonRemedies(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		client.CodeUnauthorized:         "Check the API key",
		transport.CodeJSONWebTokenError: "access_token",
		client.CodeInsufficientScope:    "lacks a scope",
		client.CodeForbidden:            "another reseller",
		client.CodeSessionRequired:      "signed in to the reseller console",
		client.CodeInvalidQuery:         "pages of 1 to 100 rows",
		client.CodeNotFound:             "base_url",
		client.CodeInternal:             "failed in the API",
		transport.CodeInvalidClient:     "RESELLER_API_KEY",
		client.CodeInvalidRequest:       "longer than its field",
		client.CodeInvalidTarget:        "No live private label",
		client.CodeDomainNotFound:       "No live private label",
		client.CodeDomainEmpty:          "host name",
		client.CodeNoFiles:              "proxy",
		client.CodeInvalidData:          "proxy",

		transport.CodeInvalidRequestGrant: "base_url",
		client.CodeConfirmationExpired:    "Apply again",
	} {
		status := 400
		if code == client.CodeInternal {
			status = 500
		}
		d := ReadFailure(SummaryPresence, "The points ledger").Diagnostic(&transport.Error{Status: status, Code: code, Message: "says the API", Op: "read the points ledger"})
		for _, part := range []string{want, "says the API", code} {
			if !strings.Contains(d.Detail(), part) {
				t.Errorf("%s: %q lacks %q", code, d.Detail(), part)
			}
		}
	}
}

// Support asks for the request ID of a failed token exchange.
func TestDiagnose_RequestID(t *testing.T) {
	t.Parallel()
	e := &transport.Error{Status: 401, Code: transport.CodeInvalidClient, Op: "exchange the API key for a token", RequestID: "req-1"}
	if d := ReadFailure(SummaryPresence, "The labels").Diagnostic(e); !strings.Contains(d.Detail(), "(request ID req-1)") {
		t.Errorf("%q has no request ID", d.Detail())
	}
	e.RequestID = ""
	if d := ReadFailure(SummaryPresence, "The labels").Diagnostic(e); strings.Contains(d.Detail(), "request ID") {
		t.Errorf("%q has an empty request ID", d.Detail())
	}
}
