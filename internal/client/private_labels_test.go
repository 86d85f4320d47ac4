package client

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func foundLabel(owner string) transporttest.Answer {
	return transporttest.OK(strings.ReplaceAll(transporttest.Detail, transporttest.Owner, owner))
}

// Every endpoint gets a host name in one spelling.
func TestHosts_Sent(t *testing.T) {
	t.Parallel()
	const users, colors = "POST /console/users/search", "POST /console/tenant/update-colors"
	s := transporttest.Serve(t, transporttest.Replies{
		transporttest.ReqProvision: {transporttest.OK(transporttest.Provisioned)}, users: {transporttest.OK(`{"users":[]}`)}, colors: {transporttest.OK(`{}`)},
	})
	c, _ := dial(t, s)
	req := provisionRequest()
	req.Domain = "SIGN.Customer.example."
	require.NoError(t, failure(c.ProvisionPrivateLabel(t.Context(), req)))
	_, err := c.SearchPeople(t.Context(), "", req.Domain)
	require.NoError(t, err)
	require.NoError(t, c.UpdateColors(t.Context(), req.Domain, Colors{}).Err)
	for i := range s.Calls() {
		assert.Contains(t, s.Body(i), `"domain":"sign.customer.example"`)
	}
}

// All outcomes of provisioning (§4.9, §7.4).
func TestProvision(t *testing.T) {
	t.Parallel()
	var (
		gone      = transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.NoLabels)}
		there     = transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.OneLabel)}
		detail    = transporttest.Step{Request: transporttest.ReqDetail, Answer: transporttest.OK(transporttest.Detail)}
		lost      = transporttest.Step{Request: transporttest.ReqProvision, Answer: transporttest.Reset}
		provision = transporttest.Step{Request: transporttest.ReqProvision, Answer: transporttest.OK(transporttest.Provisioned)}
		taken     = transporttest.Step{Request: transporttest.ReqProvision, Answer: transporttest.Reject(400, CodeHostTaken)}
		noReading = transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.Reject(403, CodeInsufficientScope)}
	)
	for _, tc := range []struct {
		name  string
		steps []transporttest.Step
		lost  bool   // created, and its response lost
		code  string // of the error
		doubt string // part of the text of an UnknownOutcomeError
	}{
		{name: "it goes well", steps: []transporttest.Step{provision}},
		{name: "rejected", steps: []transporttest.Step{taken}, code: CodeHostTaken},
		{name: "rejected for the scope", steps: []transporttest.Step{{Request: transporttest.ReqProvision, Answer: transporttest.Reject(403, CodeInsufficientScope)}}, code: CodeInsufficientScope},

		{name: "reset, and it is there", steps: []transporttest.Step{lost, there, detail}, lost: true},
		{name: "it shows a moment late", steps: []transporttest.Step{lost, gone, there, detail}, lost: true},
		{name: "host and owner by meaning", steps: []transporttest.Step{
			lost,
			{Request: transporttest.ReqList, Answer: transporttest.OK(strings.ReplaceAll(transporttest.OneLabel, transporttest.Host, strings.ToUpper(transporttest.Host)))},
			{Request: transporttest.ReqDetail, Answer: foundLabel(strings.ToUpper(transporttest.Owner))},
		}, lost: true},

		{name: "another user's", steps: []transporttest.Step{lost, there, {Request: transporttest.ReqDetail, Answer: foundLabel("someone@else.example")}}, doubt: "someone@else.example"},
		{name: "nobody's", steps: []transporttest.Step{lost, there, {Request: transporttest.ReqDetail, Answer: transporttest.OK(`{"tenantId":"` + transporttest.ID + `","owner":null}`)}}, doubt: "its owner is unknown"},

		{name: "not there: once more", steps: []transporttest.Step{lost, gone, gone, provision}},
		{name: "once more, rejected", steps: []transporttest.Step{lost, gone, gone, {Request: transporttest.ReqProvision, Answer: transporttest.Reject(400, CodeInvalidURL)}}, code: CodeInvalidURL},
		{name: "once more, taken by the first", steps: []transporttest.Step{lost, gone, gone, taken, there, detail}, lost: true},
		{name: "once more, taken by another", steps: []transporttest.Step{lost, gone, gone, taken, there, {Request: transporttest.ReqDetail, Answer: foundLabel("someone@else.example")}}, doubt: "someone@else.example"},
		{name: "once more, taken, and not in the list", steps: []transporttest.Step{lost, gone, gone, taken, gone, gone}, code: CodeHostTaken, doubt: "the host name is taken, but no list shows a private label with it"},
		{name: "once more, lost, and there", steps: []transporttest.Step{lost, gone, gone, lost, gone, there, detail}, lost: true},
		{name: "lost twice, and not there", steps: []transporttest.Step{lost, gone, gone, lost, gone, gone}, doubt: "tried twice"},

		{name: "reading fails", steps: []transporttest.Step{lost, noReading}, doubt: "read that would show the outcome failed"},
		{name: "the second reading fails", steps: []transporttest.Step{lost, gone, noReading}, doubt: "read that would show the outcome failed"},
		{name: "reading the owner fails", steps: []transporttest.Step{lost, there, {Request: transporttest.ReqDetail, Answer: transporttest.Reject(400, CodeInvalidTarget)}, there, {Request: transporttest.ReqDetail, Answer: transporttest.Reject(400, CodeInvalidTarget)}}, doubt: "the API rejects reading it"},
		{name: "the detail is behind the list", steps: []transporttest.Step{lost, there, {Request: transporttest.ReqDetail, Answer: transporttest.Reject(400, CodeInvalidTarget)}, there, detail}, lost: true},
		{name: "reading the owner is forbidden", steps: []transporttest.Step{lost, there, {Request: transporttest.ReqDetail, Answer: transporttest.Reject(403, CodeInsufficientScope)}}, doubt: "read that would show the outcome failed"},
		{name: "a list that is none", steps: []transporttest.Step{lost, {Request: transporttest.ReqList, Answer: transporttest.OK(`{}`)}}, doubt: "read that would show the outcome failed"},
		{name: "reading fails after the second try", steps: []transporttest.Step{lost, gone, gone, lost, noReading}, doubt: "read that would show the outcome failed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, transporttest.Expect(t, tc.steps...), readTwice)
			got, o := c.ProvisionPrivateLabel(t.Context(), provisionRequest())
			err := o.Err
			var doubt *transport.UnknownOutcomeError
			switch {
			case tc.doubt != "":
				if !errors.As(err, &doubt) || !strings.Contains(doubt.Error(), tc.doubt) || doubt.Subject != transporttest.Host || doubt.Op != routeProvision.Op || doubt.Err == nil {
					t.Errorf("got %v", err)
				}
				assert.ErrorContains(t, err, transporttest.Host)
				assert.True(t, tc.code == "" || transport.IsCode(err, tc.code), "got %v", err)
			case tc.code != "":
				assert.True(t, transport.IsCode(err, tc.code), "got %v", err)
				assert.False(t, errors.As(err, &doubt), "got %v", err)
			case err != nil:
				t.Fatal(err)
			case got.TenantID != transporttest.ID || got.OwnerUserID != transporttest.OwnerID || !got.DomainSetup.IsAttached() || o.ResponseLost != tc.lost:
				t.Errorf("got %+v", got)
			}
		})
	}
}

// A response that does not show what was created is like a lost one: a read shows the outcome. Every other way in which one
// is lost is in TestDecode, and in TestUpload_ResponseLost of the Signing API.
func TestProvision_ResponseLost(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]transporttest.Answer{
		"truncated":               transporttest.Truncated,
		"no tenantId":             transporttest.OK(`{"ownerUserId":"u"}`),
		"a tenantId that is none": transporttest.OK(`{"tenantId":"../x"}`),
		"no data":                 transporttest.Reply(http.StatusOK, `{"status":"OK"}`),
		"data of another shape":   transporttest.OK(`[1]`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, transporttest.Expect(t,
				transporttest.Step{Request: transporttest.ReqProvision, Answer: lost},
				transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.OneLabel)},
				transporttest.Step{Request: transporttest.ReqDetail, Answer: transporttest.OK(transporttest.Detail)}))
			got, o := c.ProvisionPrivateLabel(t.Context(), provisionRequest())
			require.NoError(t, o.Err)
			assert.True(t, o.ResponseLost)
			assert.Equal(t, transporttest.ID, got.TenantID)
		})
	}
}

func TestProvisionBody(t *testing.T) {
	t.Parallel()
	owner := map[string]any{"email": transporttest.Owner, "firstName": "Olive", "lastName": "Owner"}
	full := provisionRequest()
	full.SupportURL, full.WebsiteURL = "https://help.example/?a=1&b=2", "https://www.example"
	full.ColorPrimary, full.ColorAccent = "#abc", "#aabbcc"
	full.SocialLinks = map[string]string{"linkedinUrl": "https://social.example/us"}
	sly := provisionRequest()
	sly.SocialLinks = map[string]string{"domain": "stolen.example", "appName": "x", "supportUrl": "https://x.example", "colorPrimary": "#fff", "facebook": "https://f.example"}
	for _, tc := range []struct {
		name   string
		req    ProvisionRequest
		config map[string]any
	}{
		{"empty fields are omitted", provisionRequest(), map[string]any{"domain": transporttest.Host, "appName": "Customer"}},
		{"all of it", full, map[string]any{
			"domain": transporttest.Host, "appName": "Customer", "supportUrl": full.SupportURL, "websiteUrl": full.WebsiteURL,
			"colorPrimary": "#abc", "colorAccent": "#aabbcc", "linkedinUrl": "https://social.example/us",
		}},
		{"a social link never replaces a field", sly, map[string]any{"domain": transporttest.Host, "appName": "Customer", "facebook": "https://f.example"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqProvision, Answer: transporttest.OK(transporttest.Provisioned)})
			c, _ := dial(t, s)
			require.NoError(t, failure(c.ProvisionPrivateLabel(t.Context(), tc.req)))
			want := map[string]any{"owner": owner, "config": tc.config}
			assert.Equal(t, want, transporttest.MustJSON(t, s.Body(0)), "sent")
		})
	}
}

func TestDeprovision(t *testing.T) {
	t.Parallel()
	var (
		gone      = transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.NoLabels)}
		there     = transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.OneLabel)}
		lost      = transporttest.Step{Request: transporttest.ReqDelete, Answer: transporttest.Reset}
		done      = transporttest.Step{Request: transporttest.ReqDelete, Answer: transporttest.OK(`{"status":"deprovisioned"}`)}
		rejected  = transporttest.Step{Request: transporttest.ReqDetail, Answer: transporttest.Reject(403, CodeForbidden)}
		forbidden = transporttest.Step{Request: transporttest.ReqDelete, Answer: transporttest.Reject(403, CodeForbidden)}
		noReading = transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.Reject(403, CodeInsufficientScope)}
	)
	for _, tc := range []struct {
		name  string
		steps []transporttest.Step
		lost  bool
		code  string
		doubt string

		notShown bool
	}{
		{name: "it goes well", steps: []transporttest.Step{done, gone, rejected}},
		{name: "accepted, and there", steps: []transporttest.Step{done, there, there}, notShown: true},
		{name: "accepted, and the read fails", steps: []transporttest.Step{done, noReading}, doubt: "The API accepted the call. The read that would show the outcome failed"},
		{name: "forbidden, and there", steps: []transporttest.Step{forbidden, there, there}, code: CodeForbidden},
		{name: "forbidden, and gone", steps: []transporttest.Step{forbidden, gone, rejected}},
		{name: "not a live label, and there", steps: []transporttest.Step{{Request: transporttest.ReqDelete, Answer: transporttest.Reject(400, CodeInvalidTarget)}, there, there}, code: CodeInvalidTarget},
		{name: "no scope", steps: []transporttest.Step{{Request: transporttest.ReqDelete, Answer: transporttest.Reject(403, CodeInsufficientScope)}}, code: CodeInsufficientScope},
		{name: "lost, and gone", steps: []transporttest.Step{lost, gone, rejected}, lost: true},
		{name: "500, and gone a moment later", steps: []transporttest.Step{{Request: transporttest.ReqDelete, Answer: transporttest.Reject(500, CodeInternal)}, there, gone, rejected}, lost: true},
		{name: "lost, and there: once more", steps: []transporttest.Step{lost, there, there, done, gone, rejected}},
		{name: "once more, and the first had done it", steps: []transporttest.Step{lost, there, there, forbidden, gone, rejected}, lost: true},
		{name: "once more, forbidden, and there", steps: []transporttest.Step{lost, there, there, forbidden, there, there}, code: CodeForbidden},
		{name: "lost twice, and there", steps: []transporttest.Step{lost, there, there, lost, there, there}, doubt: "tried twice"},
		{name: "reading fails", steps: []transporttest.Step{lost, noReading}, doubt: "read that would show the outcome failed"},
		{name: "the list lacks it, and its detail does not", steps: []transporttest.Step{lost, gone, {Request: transporttest.ReqDetail, Answer: transporttest.OK(transporttest.Detail)}, gone, rejected}, lost: true},
		{name: "the list lacks it, and its detail fails", steps: []transporttest.Step{lost, gone, {Request: transporttest.ReqDetail, Answer: transporttest.Reject(403, CodeInsufficientScope)}}, doubt: "read that would show the outcome failed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, transporttest.Expect(t, tc.steps...), readTwice)
			out := c.DeprovisionPrivateLabel(t.Context(), transporttest.ID)
			lost, err := out.State == transport.Applied && out.ResponseLost, out.Err
			var doubt *transport.UnknownOutcomeError
			switch {
			case tc.notShown:
				require.ErrorAs(t, err, &doubt)
				assert.Equal(t, transport.ReasonNotShown, doubt.Reason, "got %v", err)
			case tc.doubt != "":
				require.ErrorAs(t, err, &doubt)
				assert.Contains(t, doubt.Error(), tc.doubt, "got %v", err)
				assert.Equal(t, transporttest.ID, doubt.Subject, "got %v", err)
			case tc.code != "":
				assert.True(t, transport.IsCode(err, tc.code), "got %v", err)
				assert.False(t, errors.As(err, &doubt), "got %v", err)
			case err != nil || lost != tc.lost:
				t.Errorf("got %v, %v", lost, err)
			}
		})
	}
}

func TestReads(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t,
		transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(`{"privateLabels":[{"tenantId":"` + transporttest.ID + `","primaryHost":"` + transporttest.Host + `","customDomain":null,"adminEmail":"a@customer.example",
			"assignedPackage":{"packageId":"` + transporttest.OtherID + `","code":"GOLD","name":"Gold"},"templateQuota":{"used":1,"total":5,"unlimited":false},
			"metrics":{"templates":1,"documentsSent":2,"members":3},"status":"Suspended","suspendedAt":1.7672256e12,"suspendedBy":"Platform","suspendReason":null,"later":{}}],
			"provisionedCount":1.0,"period":"2026-10"}`)},
		transporttest.Step{Request: transporttest.ReqList + "?period=lifetime", Answer: transporttest.OK(strings.Replace(transporttest.NoLabels, "2026-10", "lifetime", 1))},
		transporttest.Step{Request: transporttest.ReqDetail, Answer: transporttest.OK(strings.Replace(transporttest.Detail, `"memberCount":1`, `"memberCount":1.0`, 1))},
		transporttest.Step{Request: transporttest.ReqDashboard, Answer: transporttest.OK(transporttest.Dashboard)},
		transporttest.Step{Request: transporttest.ReqTemplates, Answer: transporttest.OK(`{"templates":[{"id":"` + transporttest.OtherID + `","title":"T","slug":"t","isPrivate":true,"createdAt":1767225600000}]}`)},
		transporttest.Step{Request: transporttest.ReqTemplates, Answer: transporttest.Reject(403, CodeForbidden)},
		transporttest.Step{Request: transporttest.ReqDetail, Answer: transporttest.Reject(403, CodeForbidden)},
		transporttest.Step{Request: transporttest.ReqDashboard, Answer: transporttest.Reply(200, `{"status":"OK"}`)},
	)
	c, _ := dial(t, s, func(cfg *Config) { cfg.MaxRetries = 0 })
	labels, err := c.ListPrivateLabels(t.Context(), "")
	require.NoError(t, err)
	item := labels.PrivateLabels[0]
	if item.TenantID != transporttest.ID || item.CustomDomain != nil || *item.AdminEmail != "a@customer.example" || item.AssignedPackage.Value.Code != "GOLD" ||
		*item.TemplateQuota.Total != 5 || *item.Metrics.DocumentsSent != 2 || item.Status != StatusSuspended || *item.SuspendedBy != SuspendedByPlatform ||
		item.SuspendedAt.Time().Format(time.RFC3339) != "2026-01-01T00:00:00Z" || *labels.ProvisionedCount != 1 || labels.Period != "2026-10" {
		t.Errorf("got %+v", item)
	}
	labels, err = c.ListPrivateLabels(t.Context(), "lifetime")
	require.NoError(t, err)
	assert.Empty(t, labels.PrivateLabels)
	if label, err := c.GetPrivateLabel(t.Context(), transporttest.ID); err != nil || label.Owner.Email != transporttest.Owner || *label.MemberCount != 1 || label.Assignment.Value != nil {
		t.Errorf("got %+v, %v", label, err)
	}
	if board, err := c.Dashboard(t.Context()); err != nil || *board.Slug != transporttest.Slug || !*board.IsReseller {
		t.Errorf("got %+v, %v", board, err)
	}
	if templates, err := c.ListTemplates(t.Context(), transporttest.ID); err != nil || len(templates) != 1 || !*templates[0].IsPrivate {
		t.Errorf("got %+v, %v", templates, err)
	}
	_, err = c.ListTemplates(t.Context(), transporttest.ID)
	assert.True(t, transport.IsCode(err, CodeForbidden), "got %v", err)
	_, err = c.GetPrivateLabel(t.Context(), transporttest.ID)
	assert.True(t, transport.IsCode(err, CodeForbidden), "got %v", err)
	_, err = c.Dashboard(t.Context())
	assert.ErrorContains(t, err, "data")
}
