package client

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// A response without a required field is an error that names the field: read as an empty list, it would show that no
// private label exists.
func TestResponse_RequiredFields(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	labels := func(c *Client) error { _, err := c.ListPrivateLabels(ctx, ""); return err }
	members := func(c *Client) error { return listMembers(ctx, c) }
	for _, tc := range []struct {
		name, request, data, field string
		call                       func(*Client) error
	}{
		{"list", transporttest.ReqList, `{}`, "privateLabels", labels},
		{"list null", transporttest.ReqList, `null`, "privateLabels", labels},
		{"rows by another name", transporttest.ReqList, `{"labels":[]}`, "privateLabels", labels},
		{"rows that are counted", transporttest.ReqList, `{"privateLabels":[],"provisionedCount":1}`, "privateLabels", labels},
		{"null beside a count", transporttest.ReqList, `{"privateLabels":null,"provisionedCount":1}`, "privateLabels", labels},
		{"list item", transporttest.ReqList, `{"privateLabels":[{"primaryHost":"a.example"}]}`, "privateLabels[0].tenantId", labels},
		{"list host", transporttest.ReqList, `{"privateLabels":[{"tenantId":"` + transporttest.ID + `"}]}`, "privateLabels[0].primaryHost", labels},
		{"rows in an object", transporttest.ReqList, `{"privateLabels":{}}`, "", labels},
		{"bare rows", transporttest.ReqList, `[]`, "", labels},
		{"detail", transporttest.ReqDetail, `{}`, "tenantId", func(c *Client) error { _, err := c.GetPrivateLabel(ctx, transporttest.ID); return err }},
		{"suspend", transporttest.ReqSuspend, `{}`, "status", func(c *Client) error { return failure(c.SuspendPrivateLabel(ctx, transporttest.ID, "")) }},
		{"unsuspend", transporttest.ReqUnsuspend, `{}`, "status", func(c *Client) error { return failure(c.UnsuspendPrivateLabel(ctx, transporttest.ID)) }},
		{"attach", transporttest.ReqAttach, `{}`, "domainSetup", func(c *Client) error { return failure(c.AttachDomain(ctx, transporttest.ID)) }},
		{"templates", transporttest.ReqTemplates, `{}`, "templates", func(c *Client) error { _, err := c.ListTemplates(ctx, transporttest.ID); return err }},
		{"members", reqMembers, `{}`, "members", members},
		{"member", reqMembers, `{"members":[{"email":"a@b.example"}]}`, "members[0].id", members},
		{"added", reqAdd, `{"status":"created"}`, "userID", func(c *Client) error { return addMember(ctx, c) }},
		{"people", reqPeople, `{}`, "users", func(c *Client) error { _, err := c.SearchPeople(ctx, "", ""); return err }},
		{"keys", reqKeys, `{}`, "keys", func(c *Client) error { _, err := c.ListAPIKeys(ctx); return err }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, transporttest.Serve(t, transporttest.Replies{tc.request: {transporttest.OK(tc.data)}}))
			err := tc.call(c)
			var e *transport.Error
			require.ErrorAs(t, err, &e, "want one that names %s", tc.field)
			assert.Equal(t, http.StatusOK, e.Status)
			assert.True(t, tc.field == "" || strings.Contains(e.Message, " "+tc.field+" "), "got %v, want one that names %s", err, tc.field)
		})
	}
	t.Run("what is null or unknown does not matter", func(t *testing.T) {
		t.Parallel()
		c, _ := dial(t, transporttest.Serve(t, transporttest.Replies{transporttest.ReqDetail: {transporttest.OK(`{"tenantId":"` + transporttest.ID + `","primaryHost":"a.example","owner":null,"createdAt":null,"memberCount":null,"assignment":null,"domainSetup":null,"new":{"a":[1]}}`)}}))
		if l, err := c.GetPrivateLabel(ctx, transporttest.ID); err != nil || l.Owner != nil || l.CreatedAt != nil {
			t.Errorf("got %+v, %v", l, err)
		}
	})
}

func TestPath_RejectsOtherElements(t *testing.T) {
	t.Parallel()
	s := transporttest.Serve(t, nil)
	c, _ := dial(t, s)
	for _, id := range []string{"", "..", "a/b", strings.ToUpper(transporttest.ID), transporttest.ID + "0", transporttest.ID[:31], transporttest.ID + "\n", transporttest.ID[:31] + "/", "../" + transporttest.ID} {
		_, err := c.GetPrivateLabel(t.Context(), id)
		require.Error(t, err, "%q", id)
		assert.False(t, transport.MayHaveTakenEffect(err), "%q: got %v", id, err)
		assert.Error(t, c.DeprovisionPrivateLabel(t.Context(), id).Err, "%q was deprovisioned", id)
	}
	assert.Empty(t, s.Calls())
	for slug, want := range map[string]string{"a.example": "/console/a.example/reseller/private-labels", "a/../b?x#y": "/console/a%2F..%2Fb%3Fx%23y/reseller/private-labels", "..": "", ".": "", "": ""} {
		if got, err := routeListLabels.fill(slug); want != "" && got.Path != want || (want == "") != (err != nil) {
			t.Errorf("%q: got %q, %v", slug, got.Path, err)
		}
	}
}

// A token exchange that fails during the response does not show its token.
func TestExchange_TruncatedShowsNoToken(t *testing.T) {
	t.Parallel()
	ctx, log := transporttest.Logged(t)
	c, _ := dial(t, transporttest.Serve(t, transporttest.Replies{transporttest.ReqExchange: {transporttest.Reply(http.StatusOK, `{"access_token":"a-real-token-that-nobody-knows-yet","expi`)}}), withKey)
	_, err := c.AccessToken(ctx)
	require.Error(t, err, "got\n%s", log.String())
	assert.NotContains(t, err.Error()+log.String(), "a-real-token", "got %v\n%s", err, log.String())
}

// Rows that are null are none, as in the JSON of a Go service.
func TestResponse_NullRows(t *testing.T) {
	t.Parallel()
	c, _ := dial(t, transporttest.Serve(t, transporttest.Replies{
		transporttest.ReqList:      {transporttest.OK(`{"privateLabels":null,"provisionedCount":0}`), transporttest.OK(`{"provisionedCount":0}`)},
		transporttest.ReqTemplates: {transporttest.OK(`{"templates":null}`)},
		reqSearch:                  {transporttest.OK(`{"packages":null,"total":0}`)},
	}))
	for range 2 {
		labels, err := c.ListPrivateLabels(t.Context(), "")
		require.NoError(t, err)
		assert.Empty(t, labels.PrivateLabels)
	}
	templates, err := c.ListTemplates(t.Context(), transporttest.ID)
	require.NoError(t, err)
	assert.Empty(t, templates)
	items, err := c.SearchItems(t.Context(), KindPackage, "")
	require.NoError(t, err)
	assert.Empty(t, items)
}

// The figures of another period are not those that were asked for.
func TestResponse_OtherPeriod(t *testing.T) {
	t.Parallel()
	reply := transporttest.OK(`{"privateLabels":[],"period":"2026-09","documents":1}`)
	s := transporttest.Serve(t, transporttest.Replies{
		transporttest.ReqList + "?period=2026-10":                     {reply},
		"GET /console/reseller.example/reseller/usage?period=2026-10": {reply},
	})
	c, _ := dial(t, s)
	_, err := c.ListPrivateLabels(t.Context(), "2026-10")
	assert.ErrorContains(t, err, "2026-09")
	_, err = c.Usage(t.Context(), "2026-10")
	assert.ErrorContains(t, err, "2026-09")
}

// What a step depends on is an error that names it, by whichever route an assignment is read.
func TestPrivateLabel_Assigned(t *testing.T) {
	t.Parallel()
	const addon = `{"subscriptionAddonId":"s","addonId":"a","code":"SEATS","quantity":2}`
	for assignment, want := range map[string]string{
		`"assignment":null`: "", ``: "assignment",
		`"assignment":{"packageId":"p","packageCode":"GOLD","addons":[]}`:                                                             "",
		`"assignment":{"packageId":"p","packageCode":"GOLD","addons":null}`:                                                           "",
		`"assignment":{"packageId":"p","packageCode":"GOLD"}`:                                                                         "assignment.addons",
		`"assignment":{"packageId":"p","packageCode":"","addons":[]}`:                                                                 "assignment.packageCode",
		`"assignment":{"packageCode":"GOLD","addons":[]}`:                                                                             "assignment.packageId",
		`"assignment":{"packageId":"p","packageCode":"GOLD","addons":[` + addon + `]}`:                                                "",
		`"assignment":{"packageId":"p","packageCode":"GOLD","addons":[` + strings.Replace(addon, `,"quantity":2`, "", 1) + `]}`:       "assignment.addons[0].quantity",
		`"assignment":{"packageId":"p","packageCode":"GOLD","addons":[` + addon + `,` + strings.Replace(addon, `SEATS`, "", 1) + `]}`: "assignment.addons[1].code",
	} {
		label, err := whole[PrivateLabel]([]byte(`{"tenantId":"` + transporttest.ID + `"` + strings.TrimSuffix(","+assignment, ",") + `}`))
		require.NoError(t, err, "the rest of the detail can be used: %s", assignment)
		_, err = label.Assigned()
		if want == "" {
			assert.NoError(t, err, assignment)
		} else {
			assert.ErrorContains(t, err, " no "+want+" that", assignment)
		}
	}
}

// A field of a list or a detail in another form is not known, and the rest is read. What a response needs is an error that
// names it.
func TestResponse_OddFields(t *testing.T) {
	t.Parallel()
	const row = `{"tenantId":"` + transporttest.ID + `","primaryHost":"a.example","status":"Active","customDomain":7,"assignedPackage":{"packageId":"p","code":7},"metrics":{"members":"3","templates":{}},"templateQuota":"none","suspendedAt":"soon"}`
	list, err := whole[PrivateLabelList]([]byte(`{"privateLabels":[` + row + `],"provisionedCount":"1","period":{}}`))
	require.NoError(t, err)
	got := list.PrivateLabels[0]
	assert.EqualValues(t, 1, *list.ProvisionedCount)
	assert.InDelta(t, 3, *got.Metrics.Members, 0)
	assert.Nil(t, got.Metrics.Templates)
	assert.Nil(t, got.TemplateQuota)
	assert.Nil(t, got.CustomDomain)
	assert.Nil(t, got.SuspendedAt)
	assert.Equal(t, "p", got.AssignedPackage.Value.PackageID)
	for odd, want := range map[string]string{
		`[7]`: "privateLabels[0].tenantId",
		`[` + strings.Replace(row, `"a.example"`, `["a.example"]`, 1) + `]`: "privateLabels[0].primaryHost",
	} {
		_, err := whole[PrivateLabelList]([]byte(`{"privateLabels":` + odd + `}`))
		assert.ErrorContains(t, err, want, odd)
	}

	label, err := whole[PrivateLabel]([]byte(`{"tenantId":"` + transporttest.ID + `","status":"Active","owner":"Ada","memberCount":"5","domainSetup":[],"assignment":"GOLD"}`))
	require.NoError(t, err)
	assert.Nil(t, label.Owner)
	assert.EqualValues(t, 5, *label.MemberCount)
	_, err = label.Assigned()
	require.ErrorContains(t, err, "no assignment", "read as none, a package would be assigned again")
	label, err = whole[PrivateLabel]([]byte(`{"tenantId":"` + transporttest.ID + `","status":"Active","assignment":{"packageId":"p","packageCode":"GOLD","packageName":{},"addons":[],"allocated":7}}`))
	require.NoError(t, err)
	assigned, err := label.Assigned()
	require.NoError(t, err)
	assert.Equal(t, "GOLD", assigned.PackageCode)
	assert.Nil(t, assigned.Allocated)
}
