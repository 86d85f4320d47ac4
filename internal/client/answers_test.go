package client

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// A response without a required field is an error that names the field: read as an empty list, it would show that no
// private label exists.
func TestResponse_RequiredFields(t *testing.T) {
	t.Parallel()
	calls := map[string]func(context.Context, *Client) error{
		"list": func(ctx context.Context, c *Client) error { return list(c)(ctx) },
		"detail": func(ctx context.Context, c *Client) error {
			_, err := c.GetPrivateLabel(ctx, transporttest.ID)
			return err
		},
		"suspend": func(ctx context.Context, c *Client) error {
			return failure(c.SuspendPrivateLabel(ctx, transporttest.ID, ""))
		},
		"unsuspend": func(ctx context.Context, c *Client) error {
			return failure(c.UnsuspendPrivateLabel(ctx, transporttest.ID))
		},
		"attach": func(ctx context.Context, c *Client) error { return failure(c.AttachDomain(ctx, transporttest.ID)) },
		"templates": func(ctx context.Context, c *Client) error {
			_, err := c.ListTemplates(ctx, transporttest.ID)
			return err
		},
		"members": func(ctx context.Context, c *Client) error {
			_, err := c.ListMembers(ctx, transporttest.ID)
			return err
		},
		"add": func(ctx context.Context, c *Client) error {
			return errors.Unwrap(failure(c.AddMember(ctx, transporttest.ID, bob())))
		},
		"people": func(ctx context.Context, c *Client) error {
			_, err := c.SearchPeople(ctx, "", "")
			return err
		},
		"keys": func(ctx context.Context, c *Client) error {
			_, err := c.ListAPIKeys(ctx)
			return err
		},
	}
	texttable.Run(t, `
		list                  | list      | GET {labels} -> 200 {}                                              | … privateLabels …
		list null             | list      | GET {labels} -> 200 null                                            | … privateLabels …
		rows by another name  | list      | GET {labels} -> 200 {"labels":[]}                                   | … privateLabels …
		rows that are counted | list      | GET {labels} -> 200 {"privateLabels":[],"provisionedCount":1}       | … privateLabels …
		null beside a count   | list      | GET {labels} -> 200 {"privateLabels":null,"provisionedCount":1}     | … privateLabels …
		list item             | list      | GET {labels} -> 200 {"privateLabels":[{"primaryHost":"a.example"}]} | … privateLabels[0].tenantId …
		list host             | list      | GET {labels} -> 200 {"privateLabels":[{"tenantId":"{id}"}]}         | … privateLabels[0].primaryHost …
		rows in an object     | list      | GET {labels} -> 200 {"privateLabels":{}}                            | …
		bare rows             | list      | GET {labels} -> 200 []                                              | …
		detail                | detail    | GET {label} -> 200 {}                                               | … tenantId …
		suspend               | suspend   | POST {label}/suspend -> 200 {}                                      | … status …
		unsuspend             | unsuspend | POST {label}/unsuspend -> 200 {}                                    | … status …
		attach                | attach    | POST {label}/domain/attach -> 200 {}                                | … domainSetup …
		templates             | templates | GET {label}/templates -> 200 {}                                     | … templates …
		members               | members   | GET {label}/members -> 200 {}                                       | … members …
		member                | members   | GET {label}/members -> 200 {"members":[{"email":"a@b.example"}]}    | … members[0].id …
		added                 | add       | POST {label}/users -> 200 {"status":"created"}                      | … userID …
		people                | people    | POST /console/users/search -> 200 {}                                | … users …
		keys                  | keys      | GET {reseller}/keys -> 200 {}                                       | … keys …
	`, func(t *testing.T, row []string) {
		c, _ := dial(t, transporttest.Serve(t, row[2]))
		e, _ := errors.AsType[*transport.Error](calls[row[1]](t.Context(), c))
		require.NotNil(t, e)
		assert.Equal(t, http.StatusOK, e.Status)
		wantWords(t, row[3], " "+e.Message+" ")
	})
	t.Run("what is null or unknown does not matter", func(t *testing.T) {
		t.Parallel()
		c, _ := dial(t, transporttest.Expect(t, `GET {label} -> 200 {"tenantId":"{id}","primaryHost":"a.example","owner":null,"createdAt":null,`+
			`"memberCount":null,"assignment":null,"domainSetup":null,"new":{"a":[1]}}`))
		l, err := c.GetPrivateLabel(t.Context(), transporttest.ID)
		require.NoError(t, err)
		assert.Nil(t, l.Owner)
		assert.Nil(t, l.CreatedAt)
	})
}

func TestPath_RejectsOtherElements(t *testing.T) {
	t.Parallel()
	s := transporttest.Serve(t, "")
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
	c, _ := dial(t, transporttest.Serve(t, `POST {exchange} -> 200 body {"access_token":"a-real-token-that-nobody-knows-yet","expi`), withKey)
	_, err := c.AccessToken(ctx)
	require.Error(t, err, "got\n%s", log.String())
	assert.NotContains(t, err.Error()+log.String(), "a-real-token", "got %v\n%s", err, log.String())
}

// Rows that are null are none, as in the JSON of a Go service.
func TestResponse_NullRows(t *testing.T) {
	t.Parallel()
	c, _ := dial(t, transporttest.Expect(t, `
		GET {labels} -> 200 {"privateLabels":null,"provisionedCount":0}
		GET {labels} -> 200 {"provisionedCount":0}
		GET {label}/templates -> 200 {"templates":null}
		POST {packages}/search -> 200 {"packages":null,"total":0}
	`))
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
	s := transporttest.Serve(t, `
		GET {labels}?period=2026-10 -> 200 {"privateLabels":[],"period":"2026-09","documents":1}
		GET {reseller}/usage?period=2026-10 -> 200 {"privateLabels":[],"period":"2026-09","documents":1}
	`)
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
