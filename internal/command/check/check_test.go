package check_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/check"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// The file has services that differ from the documents, each as a script of newService, and after "--" what a check of them ends
// with: the status and the calls, and each endpoint and answer that is not that of the documented service, or what is said if
// there is no report. RESELLER_UPDATE_GOLDEN=1 writes what follows "--".
func TestCheck_Services(t *testing.T) {
	t.Parallel()
	const file = "testdata/services.txt"
	documented := run(t, newService(""), "-format", "json").report(t)
	goldentest.Answer(t, file, func(t *testing.T, name, script string) string {
		if script == "" {
			return checked(t, name, script, check.Report{}) // the documented service itself
		}
		return checked(t, name, script, documented)
	})
}

// checked is what a check of a service ends with, where it differs from another report.
func checked(t *testing.T, name, script string, than check.Report) string {
	t.Helper()
	s := newService(script)
	got := run(t, s, "-format", "json")
	assert.Equal(t, exchange, s.calls[0], name)
	for _, call := range s.calls {
		assert.NotContains(t, call, "/view-document", "%s: writes a log entry", name)
		assert.False(t, strings.HasSuffix(call, "/documents/view"), "%s: %s writes a log entry", name, call)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "status %d, %d calls\n", got.status, len(s.calls))
	if got.status == 1 {
		assert.Empty(t, got.out+got.transcript, name)
		return out.String() + regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAllString(got.said, "HOST")
	}
	r := got.report(t)
	assert.Equal(t, len(s.calls), r.Calls, name)
	if r.Verdict != than.Verdict {
		fmt.Fprintln(&out, r.Verdict)
	}
	for _, e := range r.Endpoints {
		known := slices.ContainsFunc(than.Endpoints, func(d *check.EndpointReport) bool { return d.Endpoint == e.Endpoint && d.Result == e.Result })
		if !known || len(e.Notes) > 0 {
			fmt.Fprintf(&out, "%s: %s\n", e.Endpoint, e.Result)
		}
		for _, note := range e.Notes {
			fmt.Fprintf(&out, "  %s\n", note)
		}
	}
	for _, q := range r.Questions {
		known := slices.ContainsFunc(than.Questions, func(d check.Answer) bool { return d.Name == q.Name && d.Answer == q.Answer })
		if !known && (q.Answer != "" || than.Questions != nil) {
			fmt.Fprintf(&out, "%s=%s\n", q.Name, q.Answer)
		}
	}
	return out.String()
}

// Either URL of the Signing API is enough.
func TestCheck_SigningAtAPIURL(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newService(""))
	defer server.Close()
	s := settings(server.URL)
	s.Signing.URL, s.Signing.APIURL = "", server.URL
	got := runAt(t, t.Context(), s, "-format", "json")
	assert.Equal(t, run(t, newService(""), "-format", "json").out, got.out)
}

func TestCheck_NoConnection(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newService(""))
	server.Close()
	got := runAt(t, t.Context(), settings(server.URL))
	assert.Equal(t, 1, got.status, "status\n%s", got.said)
	assert.Contains(t, got.said, "Check RESELLER_BASE_URL", "status %d", got.status)
	assert.Empty(t, got.transcript, "status %d\n%s", got.status, got.said)
}

func TestCheck_Label(t *testing.T) {
	t.Parallel()
	s := newService("")
	got := run(t, s, "-label", "SIGN.babbage.example", "-format", "json")
	assert.Equal(t, 0, got.status, "status\n%s", got.said)
	for _, call := range s.calls {
		assert.NotContains(t, call, goldLabel, "read another private label")
		assert.NotContains(t, call, suspended, "read another private label")
	}
	assert.NotContains(t, strings.ToLower(got.fileContent), "babbage", "the transcript has the host name")
	if got := run(t, newService(""), "-label", "sign.nobody.example"); got.status != 1 || got.transcript != "" ||
		!strings.Contains(got.said, "no private label sign.nobody.example") {
		t.Errorf("status %d\n%s", got.status, got.said)
	}
}

// With an access token no exchange is made, and without settings of the Signing API none of its endpoints is reported.
func TestCheck_TokenAndSlug(t *testing.T) {
	t.Parallel()
	s := newService("")
	server := httptest.NewServer(s)
	defer server.Close()
	given := check.Settings{API: settings(server.URL).API}
	given.API.APIKey, given.API.AccessToken, given.API.Slug = "", token, slug
	got := runAt(t, t.Context(), given, "-format", "json")
	r := got.report(t)
	assert.Equal(t, 0, got.status, "status, %d endpoints, %q", len(r.Endpoints), s.calls)
	assert.NotContains(t, s.calls, exchange, "status %d, %d endpoints", got.status, len(r.Endpoints))
	assert.Len(t, r.Endpoints, 15, "status %d, endpoints, %q", got.status, s.calls)
}

func TestCheck_Interrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := newService("")
	s.answer["GET /console/"+slug+"/reseller/usage"] = transporttest.After(cancel, transporttest.OK(`{"rows":[]}`))
	server := httptest.NewServer(s)
	defer server.Close()
	got := runAt(t, ctx, settings(server.URL))
	if got.status != 1 || got.out != "" || got.transcript != "" || !strings.Contains(got.said, "interrupted. No file was written.") {
		t.Errorf("status %d\n%s\n%s", got.status, got.out, got.said)
	}
}
