package check_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/check"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func TestCheck_DocumentedService(t *testing.T) {
	t.Parallel()
	s := newService()
	got := run(t, s, "-format", "json")
	r := got.report(t)
	assert.Equal(t, 0, got.status, "status, %s\n%s", r.Verdict, got.said)
	assert.Equal(t, "All that was read can be used", r.Verdict, "status %d,\n%s", got.status, got.said)
	assert.Len(t, r.Endpoints, 18)
	for _, e := range r.Endpoints {
		assert.Equal(t, "as documented", e.Result, "%s: %q", e.Endpoint, e.Notes)
		assert.Empty(t, e.Notes, "%s: %s", e.Endpoint, e.Result)
	}
	for name, want := range map[string]string{
		"scope-list": "spaces", "reset": "seconds", "envelope": "documented", "times": "milliseconds", "email-case": "", "get": "post", "rows": "by-kind",
		"search-rows": "whole", "addon-fields": "full", "item-id": "named", "active-flag": "active", "assignment-read": "assignment",
		"assignment-addons": "shown", "no-assignment": "null", "figures": "numbers", "usage": "totals", "quota": "list", "points-pool": "flat",
		"ledger": "amount", "sent-method": "post", "signing-rows": "named",
	} {
		assert.Equal(t, want, answerOf(r, name), name)
	}
	assert.Less(t, slices.Index(s.calls[1:], exchange), 0, "not one exchange: %q", s.calls)
	assert.Equal(t, exchange, s.calls[0], "not one exchange: %q", s.calls)
	for _, call := range s.calls {
		assert.NotContains(t, call, "/view-document", "writes a log entry")
		assert.False(t, strings.HasSuffix(call, "/documents/view"), "%s writes a log entry", call)
	}
}

// Either URL of the Signing API is enough.
func TestCheck_SigningAtAPIURL(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newService())
	defer server.Close()
	s := settings(server.URL)
	s.Signing.URL, s.Signing.APIURL = "", server.URL
	got := runAt(t, t.Context(), s, "-format", "json")
	e := endpointOf(t, got.report(t), "stored signatures")
	assert.Equal(t, 0, got.status, "status, %s %q", e.Result, e.Notes)
	assert.Equal(t, "as documented", e.Result, "status %d, %q", got.status, e.Notes)
}

// change replaces text in the data of a response.
func change(call, from, to string) func(*service) {
	return func(s *service) {
		if !strings.Contains(s.data[call], from) {
			panic(call + " has no " + from)
		}
		s.data[call] = strings.Replace(s.data[call], from, to, 1)
	}
}

func answer(call string, with http.Handler) func(*service) {
	return func(s *service) { s.answer[call] = with }
}

// moved gives the data of a call to another one.
func moved(from, to string) func(*service) {
	return func(s *service) { s.data[to], s.data[from] = s.data[from], ""; delete(s.data, from) }
}

func all(changes ...func(*service)) func(*service) {
	return func(s *service) {
		for _, change := range changes {
			change(s)
		}
	}
}

func TestCheck_OtherForms(t *testing.T) {
	t.Parallel()
	labels, first := path("GET", "/private-labels"), path("GET", "/private-labels/"+goldLabel)
	search, get := path("POST", "/billing/packages/search"), path("POST", "/billing/packages/get")
	for name, tc := range map[string]struct {
		change func(*service)
		at     string // endpoint
		result string
		note   string // part of one
		answer string // a question and its answer
	}{
		"suspended": {
			answer(path("GET", "/private-labels/"+suspended), transporttest.Reject(400, "INVALID_TARGET")), "/:tenantId", "differs, no harm", "from the list", "suspended-detail=rejected",
		},
		"field more":    {change(labels, `"customDomain"`, `"region":"eu","customDomain"`), "/private-labels", "differs, no harm", "provider ignores: privateLabels[].region", ""},
		"wrapper more":  {change(first+"/members", `{"members"`, `{"page":1,"members"`), "/members", "differs, no harm", "provider ignores: page", ""},
		"field missing": {change(labels, `"adminEmail":"ada@lovelace.example",`, ""), "/private-labels", "differs, no harm", "does not need: privateLabels[].adminEmail", ""},
		"null":          {change(first+"/members", `"isOwner":true`, `"isOwner":null`), "/members", "differs, no harm", "as empty or not known: members[].isOwner", ""},
		"spelling":      {change(labels, `"tenantId"`, `"tenantID"`), "/private-labels", "differs, no harm", "privateLabels[].tenantId as tenantID", ""},
		"optional note": {change(first, `"attached":true`, `"note":"x","attached":true`), "/:tenantId", "as documented", "", ""},
		"time as text":  {change(first, `"createdAt":1790000000000`, `"createdAt":"2026-10-01T12:00:00Z"`), "/:tenantId", "differs, no harm", "as unknown: createdAt", ""},
		"time in seconds": {
			change(first, `"createdAt":1790000000000`, `"createdAt":1790000000`), "/:tenantId", "differs, no harm", "not milliseconds", "",
		},
		"required missing":  {change(labels, `"primaryHost":"sign.babbage.example",`, ""), "/private-labels", "cannot be used", "no privateLabels[1].primaryHost that this version can find", ""},
		"no list":           {change(labels, `"privateLabels"`, `"labels"`), "/private-labels", "cannot be used", "no privateLabels that this version can find", ""},
		"HTML":              {answer(path("GET", "/usage"), transporttest.HTML(http.StatusOK)), "/usage", "cannot be used", "HTTP 200 with a body that is not JSON (text/html)", ""},
		"content type":      {answer(path("GET", "/usage"), transporttest.OK(`{"rows":[]}`, "Content-Type", "text/plain")), "/usage", "differs, no harm", "Content-Type text/plain", "usage="},
		"envelope":          {answer(path("GET", "/usage"), transporttest.Reply(200, `{"data":{"items":[]},"took":3}`)), "/usage", "differs, no harm", "took beside data", "envelope=more"},
		"server error":      {answer(path("GET", "/billing/quota"), transporttest.Reject(500, "INTERNAL_SERVER_ERROR")), "/billing/quota", "cannot be used", "API error INTERNAL_SERVER_ERROR (HTTP 500)", ""},
		"strange code":      {answer(path("GET", "/billing/quota"), transporttest.Reject(400, "ADA IS NOT ALLOWED")), "/billing/quota", "cannot be used", "HTTP 400", ""},
		"strange status":    {answer(path("GET", "/billing/quota"), transporttest.Reply(200, `{"status":"Ada is away"}`)), "/billing/quota", "cannot be used", "status … and no error", ""},
		"cut":               {answer(path("GET", "/keys"), cut), "/keys", "cannot be used", "interrupted", ""},
		"unknown key":       {answer("GET /signing-api/signatures/list", transporttest.Reject(401, "INVALID_API_KEY")), "stored signatures", "cannot be used", "INVALID_API_KEY", ""},
		"no request ID":     {answer(exchange, transporttest.Reply(200, documented()[exchange])), "/auth/token", "differs, no harm", "X-Request-Id missing", ""},
		"scopes by comma":   {change(exchange, "reseller:read reseller:provision", "reseller:read,reseller:provision"), "/auth/token", "as documented", "", "scope-list=commas"},
		"GET of an item":    {moved(get, strings.Replace(get, "POST", "GET", 1)), "/packages/get", "as documented", "", "get=query"},
		"no item":           {answer(get, transporttest.Reject(400, "INVALID_REQUEST")), "/packages/get", "differs, no harm", "the provider reads the search", ""},
		"rows in items":     {change(search, `"packages"`, `"items"`), "/packages/search", "as documented", "", "rows=items"},
		"rows below":        {all(change(search, `{"packages":[`, `{"packages":{"rows":[`), change(search, `],`, `]},`)), "/packages/search", "as documented", "", "rows=nested"},
		"no rows":           {answer(search, transporttest.OK(`{"total":3}`)), "/packages/search", "cannot be used", "no rows that this version can find", ""},
		"summaries":         {change(search, `,"price":900`, ""), "/packages/search", "as documented", "", "search-rows=summaries"},
		"nested ID":         {all(change(search, `{"packageId"`, `{"package":{"packageId"`), change(search, `900}`, `900}}`)), "/packages/search", "as documented", "", "item-id=nested"},
		"plain ID":          {change(search, `"packageId"`, `"id"`), "/packages/search", "as documented", "", "item-id=plain"},
		"isActive":          {change(search, `"active"`, `"isActive"`), "/packages/search", "as documented", "", "active-flag=is-active"},
		"no flag":           {change(search, `"active":true,`, ""), "/packages/search", "as documented", "", "active-flag=none"},
		"total as text":     {change(search, `"total":1`, `"total":"1"`), "/packages/search", "as documented", "", "rows=by-kind"},
		"bare add-ons":      {change(path("POST", "/billing/addons/search"), `,"currency":"EUR","active":true`, ""), "/addons/search", "as documented", "", "addon-fields=bare"},
		"package itself":    {change(first+"/package", `{"assignment":`, `{"package":`), "/package", "as documented", "", "assignment-read=package"},
		"no add-ons":        {change(first+"/package", `"addons":[{"subscriptionAddonId":"66666666666666666666666666666666","addonId":"`+scans+`","code":"SCANS","name":"Scans","quantity":2}],`, ""), "/package", "differs, no harm", "no addons that this version can find: the provider reads the detail", ""},
		"package not found": {answer(path("GET", "/private-labels/"+bareLabel)+"/package", transporttest.Reject(404, "NOT_ASSIGNED")), "/package", "as documented", "", "no-assignment=not-assigned"},
		"ledger elsewhere":  {change(first+"/points", `{"rows":`, `{"points":`), "/points", "as documented", "", "ledger=amount"},
		"ledger ID":         {change(first+"/points", `"99999999999999999999999999999999"`, `12`), "/points", "as documented", "", "ledger=amount"},
		"quota by code":     {answer(path("GET", "/billing/quota"), transporttest.OK(`{"items":{"documents":{"remaining":"90"}}}`)), "/billing/quota", "as documented", "", "quota=by-code"},
		"figures as text":   {change(path("GET", "/usage"), `"documents":3`, `"documents":"3"`), "/usage", "as documented", "", "figures=text"},
		"no headers":        {func(s *service) { s.header = nil }, "/usage", "differs, no harm", "RateLimit-Limit missing, RateLimit-Remaining missing, RateLimit-Reset missing", "reset="},
		"epoch":             {func(s *service) { s.header.Set("RateLimit-Reset", "1790000060") }, "/usage", "as documented", "", "reset=epoch"},
		"email in capitals": {change(first+"/members", "ada@", "Ada@"), "/members", "as documented", "", "email-case=as-sent"},
		"all in capitals":   {change(first+"/members", "ada@lovelace.example", "ADA@LOVELACE.EXAMPLE"), "/members", "as documented", "", "email-case=uppercase"},
		"host in capitals":  {change(labels, "sign.byron", "Sign.Byron"), "/private-labels", "as documented", "", ""},
		"statuses":          {change(first+"/members", `"Active"`, `"Invited"`), "/members", "as documented", "", ""},
		"no catalog":        {all(answer(search, transporttest.OK(`{"packages":[],"total":0}`))), "/packages/get", "not read", "nothing to read", ""},
		"other ID":          {change(labels, suspended, "label-3"), "/private-labels", "differs, no harm", "32 lowercase hex characters: privateLabels[].tenantId", ""},
		"bare signatures":   {answer("GET /signing-api/signatures/list", transporttest.OK(`["signature-of-ada.png"]`)), "stored signatures", "as documented", "", "signing-rows=named"},
		"signature as text": {answer("GET /signing-api/signatures/list", transporttest.OK(`["signature-of-ada.png"]`)), "stored signatures", "as documented", "", ""},
		"GET of documents":  {moved("POST /signing/view/sent-documents", "GET /signing/view/sent-documents"), "sent documents", "as documented", "", "sent-method=get"},
		"rejected domain":   {answer("POST /signing/view/sent-documents", transporttest.Reject(400, "INVALID_DATA")), "sent documents", "cannot be used", "INVALID_DATA", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := run(t, newService(tc.change), "-format", "json")
			r := got.report(t)
			e := endpointOf(t, r, tc.at)
			notes := strings.Join(e.Notes, "\n")
			if e.Result != tc.result || !strings.Contains(notes, tc.note) || tc.note == "" && notes != "" {
				t.Errorf("%s: %q, want %s: %q", e.Result, notes, tc.result, tc.note)
			}
			if question, want, isQuestion := strings.Cut(tc.answer, "="); isQuestion && answerOf(r, question) != want {
				t.Errorf("%s: %q, want %q", question, answerOf(r, question), want)
			}
			wantStatus := 0
			if tc.result == "cannot be used" || name == "other ID" {
				wantStatus = 2
			}
			assert.Equal(t, wantStatus, got.status, "status: %s", r.Verdict)
		})
	}
}

func TestCheck_NothingRead(t *testing.T) {
	t.Parallel()
	forbidden := transporttest.Reject(http.StatusForbidden, "INSUFFICIENT_SCOPE")
	limited := transporttest.Limited("Retry-After", "60")
	for name, tc := range map[string]struct {
		handler http.Handler
		said    []string
	}{
		"wrong key":      {newService(answer(exchange, transporttest.Reply(401, `{"error":"invalid_client"}`))), []string{"invalid_client", "unknown, revoked or mistyped"}},
		"no scope":       {newService(answer("GET /console/dashboard", forbidden)), []string{"INSUFFICIENT_SCOPE", "scope reseller:read"}},
		"proxy's page":   {transporttest.HTML(http.StatusOK), []string{"not JSON", "Check RESELLER_BASE_URL, the network and its proxy"}},
		"half an answer": {cut, []string{"interrupted", "Check RESELLER_BASE_URL"}},
		"exchange limit": {newService(answer(exchange, transporttest.Limited("Retry-After", "800"))), []string{`"token exchange" rate limit is exhausted`, "Run check again"}},
		"429 storm": {newService(func(s *service) {
			for call := range s.data {
				if call != exchange {
					s.answer[call] = limited
				}
			}
		}), []string{`"console" rate limit is exhausted`, "Run check again"}},
		"no slug": {newService(change("GET /console/dashboard", `"`+slug+`"`, "null")), []string{"slug"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := run(t, tc.handler)
			if got.status != 1 || got.out != "" || got.transcript != "" || strings.Count(got.said, "\n") != 1 {
				t.Errorf("status %d\n%s\n%s", got.status, got.out, got.said)
			}
			for _, part := range append(tc.said, "nothing could be read", "No file was written.") {
				assert.Contains(t, got.said, part, "does not say")
			}
			if s, isService := tc.handler.(*service); isService && len(s.calls) > 6 {
				t.Errorf("%d calls: %q", len(s.calls), s.calls)
			}
		})
	}
}

// A rate limit that stays exhausted in the middle ends the check, and what was read is reported.
func TestCheck_LimitInTheMiddle(t *testing.T) {
	t.Parallel()
	got := run(t, newService(answer(path("GET", "/usage"), transporttest.Limited("Retry-After", "100"))), "-format", "json")
	r := got.report(t)
	assert.Equal(t, 2, got.status, "status, %s\n%s", r.Verdict, got.out)
	assert.Equal(t, "Incomplete: the console rate limit stays exhausted", r.Verdict, "status %d,\n%s", got.status, got.out)
	assert.Equal(t, "not read", endpointOf(t, r, "/keys").Result, "status %d, %s\n%s", got.status, r.Verdict, got.out)
}

func TestCheck_NoConnection(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newService())
	server.Close()
	got := runAt(t, t.Context(), settings(server.URL))
	assert.Equal(t, 1, got.status, "status\n%s", got.said)
	assert.Contains(t, got.said, "Check RESELLER_BASE_URL", "status %d", got.status)
	assert.Empty(t, got.transcript, "status %d\n%s", got.status, got.said)
}

// A service whose every call fails once, and whose search has many pages, meets the limit of calls.
func TestCheck_AtMost40Calls(t *testing.T) {
	t.Parallel()
	s := newService(answer(path("POST", "/billing/packages/search"), func() transporttest.Answer {
		page := 0
		return func(r *http.Request) (*http.Response, error) {
			page++
			return transporttest.OK(fmt.Sprintf(`{"packages":[{"packageId":"%032x","code":"P%d","name":"n"}],"total":9000}`, page, page))(r)
		}
	}()))
	got := run(t, s, "-format", "json")
	r := got.report(t)
	if got.status != 2 || len(s.calls) != 40 || r.Calls != 40 || !strings.Contains(r.Verdict, "40 calls") {
		t.Errorf("status %d, %d calls, %s", got.status, len(s.calls), r.Verdict)
	}
	e := endpointOf(t, r, "/packages/search")
	assert.Equal(t, "not read", e.Result, "%q", e.Notes)
	assert.Contains(t, strings.Join(e.Notes, " "), "40 calls", "%s: %q", e.Result, e.Notes)
}

func TestCheck_Label(t *testing.T) {
	t.Parallel()
	s := newService()
	got := run(t, s, "-label", "SIGN.babbage.example", "-format", "json")
	assert.Equal(t, 0, got.status, "status\n%s", got.said)
	for _, call := range s.calls {
		assert.NotContains(t, call, goldLabel, "read another private label")
		assert.NotContains(t, call, suspended, "read another private label")
	}
	assert.NotContains(t, strings.ToLower(got.fileContent), "babbage", "the transcript has the host name")
	if got := run(t, newService(), "-label", "sign.nobody.example"); got.status != 1 || got.transcript != "" ||
		!strings.Contains(got.said, "no private label sign.nobody.example") {
		t.Errorf("status %d\n%s", got.status, got.said)
	}
}

// With an access token no exchange is made, and without settings of the Signing API none of its endpoints is reported.
func TestCheck_TokenAndSlug(t *testing.T) {
	t.Parallel()
	s := newService()
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
	s := newService(answer(path("GET", "/usage"), transporttest.After(cancel, transporttest.OK(`{"rows":[]}`))))
	server := httptest.NewServer(s)
	defer server.Close()
	got := runAt(t, ctx, settings(server.URL))
	if got.status != 1 || got.out != "" || got.transcript != "" || !strings.Contains(got.said, "interrupted. No file was written.") {
		t.Errorf("status %d\n%s\n%s", got.status, got.out, got.said)
	}
}
