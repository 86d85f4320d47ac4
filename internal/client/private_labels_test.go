package client

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// Every endpoint gets a host name in one spelling.
func TestHosts_Sent(t *testing.T) {
	t.Parallel()
	s := transporttest.Serve(t, `
		POST {labels} -> 200 {provisioned}
		POST /console/users/search -> 200 {"users":[]}
		POST /console/tenant/update-colors -> 200 {}
	`)
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

// Exchanges about one private label, by name.
const labelScript = `
	done: POST {labels} -> 200 {provisioned}
	lost: POST {labels} -> reset
	taken: POST {labels} -> 400 HOST_TAKEN
	gone: GET {labels} -> 200 {no labels}
	there: GET {labels} -> 200 {one label}
	no list: GET {labels} -> 403 INSUFFICIENT_SCOPE
	ours: GET {label} -> 200 {detail}
	foreign: GET {label} -> 200 {"tenantId":"{id}","owner":{"userId":"{owner}","email":"someone@else.example"}}
	behind: GET {label} -> 400 INVALID_TARGET
	rejected: GET {label} -> 403 FORBIDDEN
	deleted: DELETE {label} -> 200 {"status":"deprovisioned"}
	delete lost: DELETE {label} -> reset
	forbidden: DELETE {label} -> 403 FORBIDDEN
`

// All outcomes of provisioning (§4.9, §7.4).
func TestProvision(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		it goes well                   | done                                                             | done
		rejected                       | taken                                                            | HOST_TAKEN
		rejected for the scope         | POST {labels} -> 403 INSUFFICIENT_SCOPE                          | INSUFFICIENT_SCOPE

		reset, and it is there         | lost; there; ours                                                | lost
		it shows a moment late         | lost; gone; there; ours                                          | lost
		the host in other letters      | lost; GET {labels} -> 200 {"privateLabels":[{"tenantId":"{id}","primaryHost":"SIGN.CUSTOMER.EXAMPLE"}]}; ours | lost
		the owner in other letters     | lost; there; GET {label} -> 200 {"tenantId":"{id}","owner":{"userId":"{owner}","email":"OWNER@CUSTOMER.EXAMPLE"},"domainSetup":{"attached":true}} | lost

		another user's                 | lost; there; foreign                                             | doubt: … someone@else.example … EOF]
		nobody's                       | lost; there; GET {label} -> 200 {"tenantId":"{id}","owner":null} | doubt: … its owner is unknown … EOF]

		not there: once more           | lost; gone x2; done                                              | done
		once more, rejected            | lost; gone x2; POST {labels} -> 400 INVALID_URL                  | INVALID_URL
		once more, taken by the first  | lost; gone x2; taken; there; ours                                | lost
		once more, taken by another    | lost; gone x2; taken; there; foreign                             | doubt: … someone@else.example … EOF]
		taken, and not in the list     | lost; gone x2; taken; gone x2                                    | doubt: … the host name is taken, but no list shows a private label with it … HOST_TAKEN … ]
		once more, lost, and there     | lost; gone x2; lost; gone; there; ours                           | lost
		twice lost, and not there      | lost; gone x2; lost; gone x2                                     | doubt: … tried twice … EOF]

		reading fails                  | lost; no list                                                    | doubt: … read that would show the outcome failed … EOF]
		the second reading fails       | lost; gone; no list                                              | doubt: … read that would show the outcome failed … EOF]
		reading the owner fails        | lost; there; behind; there; behind                               | doubt: … the API rejects reading it … EOF]
		the detail is behind the list  | lost; there; behind; there; ours                                 | lost
		reading the owner is forbidden | lost; there; GET {label} -> 403 INSUFFICIENT_SCOPE               | doubt: … read that would show the outcome failed … EOF]
		a list that is none            | lost; GET {labels} -> 200 {}                                     | doubt: … read that would show the outcome failed … EOF]
		reading fails after the second | lost; gone x2; lost; no list                                     | doubt: … read that would show the outcome failed … EOF]
	`, func(t *testing.T, row []string) {
		c, _ := dial(t, transporttest.Expect(t, labelScript+row[1]), readTwice)
		got, o := c.ProvisionPrivateLabel(t.Context(), provisionRequest())
		wantOutcome(t, strings.Replace(row[2], "doubt: … ", "doubt: the API call to provision the private label sign.customer.example … ", 1), o)
		if o.Err == nil {
			assert.Equal(t, transporttest.ID, got.TenantID)
			assert.Equal(t, transporttest.OwnerID, got.OwnerUserID)
			assert.True(t, got.DomainSetup.IsAttached())
		}
	})
}

// A response that does not show what was created is like a lost one: a read shows the outcome. Every other way in which one
// is lost is in TestDecode, and in TestUpload_ResponseLost of the Signing API.
func TestProvision_ResponseLost(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		truncated               | truncated
		no tenantId             | 200 {"ownerUserId":"u"}
		a tenantId that is none | 200 {"tenantId":"../x"}
		no data                 | 200 body {"status":"OK"}
		data of another shape   | 200 [1]
	`, func(t *testing.T, row []string) {
		c, _ := dial(t, transporttest.Expect(t, labelScript+"POST {labels} -> "+row[1]+"; there; ours"))
		got, o := c.ProvisionPrivateLabel(t.Context(), provisionRequest())
		wantOutcome(t, "lost", o)
		assert.Equal(t, transporttest.ID, got.TenantID)
	})
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
			s := transporttest.Expect(t, "POST {labels} -> 200 {provisioned}")
			c, _ := dial(t, s)
			require.NoError(t, failure(c.ProvisionPrivateLabel(t.Context(), tc.req)))
			want := map[string]any{"owner": owner, "config": tc.config}
			assert.Equal(t, want, transporttest.MustJSON(t, s.Body(0)), "sent")
		})
	}
}

func TestDeprovision(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		it goes well                  | deleted; gone; rejected                                            | done
		accepted, and there           | deleted; there x2                                                  | doubt: the API accepted the call … but no read afterwards shows it yet …
		accepted, and the read fails  | deleted; no list                                                   | doubt: … The API accepted the call. The read that would show the outcome failed …
		forbidden, and there          | forbidden; there x2                                                | FORBIDDEN
		forbidden, and gone           | forbidden; gone; rejected                                          | done
		not a live label, and there   | DELETE {label} -> 400 INVALID_TARGET; there x2                     | INVALID_TARGET
		no scope                      | DELETE {label} -> 403 INSUFFICIENT_SCOPE                           | INSUFFICIENT_SCOPE
		lost, and gone                | delete lost; gone; rejected                                        | lost
		500, and gone a moment later  | DELETE {label} -> 500 INTERNAL_SERVER_ERROR; there; gone; rejected | lost
		lost, and there: once more    | delete lost; there x2; deleted; gone; rejected                     | done
		the first had done it         | delete lost; there x2; forbidden; gone; rejected                   | lost
		once more, forbidden          | delete lost; there x2; forbidden; there x2                         | FORBIDDEN
		lost twice, and there         | delete lost; there x2; delete lost; there x2                       | doubt: … tried twice … EOF]
		reading fails                 | delete lost; no list                                               | doubt: … read that would show the outcome failed … EOF]
		only the list lacks it        | delete lost; gone; ours; gone; rejected                            | lost
		not in the list, detail fails | delete lost; gone; GET {label} -> 403 INSUFFICIENT_SCOPE           | doubt: … read that would show the outcome failed … EOF]
	`, func(t *testing.T, row []string) {
		c, _ := dial(t, transporttest.Expect(t, labelScript+row[1]), readTwice)
		o := c.DeprovisionPrivateLabel(t.Context(), transporttest.ID)
		wantOutcome(t, strings.Replace(row[2], "doubt: … ", "doubt: the API call to deprovision the private label {id} … ", 1), o)
	})
}

func TestReads(t *testing.T) {
	t.Parallel()
	const row = `{"tenantId":"{id}","primaryHost":"{host}","customDomain":null,"adminEmail":"a@customer.example",` +
		`"assignedPackage":{"packageId":"{other}","code":"GOLD","name":"Gold"},"templateQuota":{"used":1,"total":5,"unlimited":false},` +
		`"metrics":{"templates":1,"documentsSent":2,"members":3},"status":"Suspended",` +
		`"suspendedAt":1.7672256e12,"suspendedBy":"Platform","suspendReason":null,"later":{}}`
	s := transporttest.Expect(t, `
		GET {labels} -> 200 {"provisionedCount":1.0,"period":"2026-10","privateLabels":[`+row+`]}
		GET {labels}?period=lifetime -> 200 {"privateLabels":[],"provisionedCount":0,"period":"lifetime"}
		GET {label} -> 200 {"tenantId":"{id}","primaryHost":"{host}","owner":{"email":"{email}"},"memberCount":1.0,"assignment":null}
		GET /console/dashboard -> 200 {dashboard}
		GET {label}/templates -> 200 {"templates":[{"id":"{other}","title":"T","slug":"t","isPrivate":true,"createdAt":1767225600000}]}
		GET {label}/templates -> 403 FORBIDDEN
		GET {label} -> 403 FORBIDDEN
		GET /console/dashboard -> 200 body {"status":"OK"}
	`)
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
