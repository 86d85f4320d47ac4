package client

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

const (
	anAddon      = `{"subscriptionAddonId":"s1","addonId":"a1","code":"SEATS","name":"Seats","quantity":2}`
	anAllocated  = `"allocated":{"documents":1,"seats":2.5,"templates":3,"notarizations":4}`
	anAssignment = `{"id":"as1","packageId":"p1","packageCode":"GOLD","packageName":"Gold","currency":"EUR","assignedAt":1.7e12,` +
		`"addons":[` + anAddon + `],` + anAllocated + `,"later":"field"}`
)

func TestGetAssignment_Reading(t *testing.T) {
	t.Parallel()
	const nothing, whole = "none", "whole"
	without := func(field string) string {
		fields := transporttest.MustJSON(t, anAssignment)
		delete(fields, field)
		raw, err := json.Marshal(fields)
		require.NoError(t, err)
		return string(raw)
	}
	for data, want := range map[string]string{
		anAssignment:                          whole,
		`{"assignment":` + anAssignment + `}`: whole,
		`{"package":` + anAssignment + `}`:    whole,
		`{"tenantId":"` + transporttest.ID + `","assignment":` + anAssignment + `}`: whole,
		strings.Replace(anAssignment, `"id"`, `"package":null,"assignmentId"`, 1):   whole,
		strings.Replace(anAssignment, `"id"`, `"package":{"code":"GOLD"},"id"`, 1):  whole,
		strings.Replace(anAssignment, anAddon, ``, 1):                               whole,
		`null`: nothing, `{}`: nothing, `[]`: nothing, `""`: nothing,
		`{"assignment":null}`: nothing, `{"package":null}`: nothing, `{"assignment":{},"tenantId":"` + transporttest.ID + `"}`: nothing,
		// A response about another private label shows nothing about this one.
		`{"tenantId":"` + transporttest.OtherID + `","assignment":` + anAssignment + `}`:  missingLabel,
		`{"tenantId":"` + transporttest.OtherID + `","assignment":null}`:                  missingLabel,
		strings.Replace(anAssignment, `{`, `{"tenantId":"`+transporttest.OtherID+`",`, 1): missingLabel,
		// A missing field must not be read as empty or 0.
		without("id"): "id", without("packageId"): "packageId", without("packageCode"): "packageCode", without("packageName"): "packageName",
		without("currency"): "currency", without("assignedAt"): "assignedAt", without("addons"): "addons", without("allocated"): "allocated",
		strings.Replace(anAssignment, `[`+anAddon+`]`, `null`, 1):           whole,
		strings.Replace(anAssignment, `,"quantity":2`, ``, 1):               "addons[0].quantity",
		strings.Replace(anAssignment, `"subscriptionAddonId":"s1",`, ``, 1): "addons[0].subscriptionAddonId",
		strings.Replace(anAssignment, `"addonId":"a1",`, ``, 1):             "addons[0].addonId",
		strings.Replace(anAssignment, `,"templates":3`, ``, 1):              "allocated.templates",
		strings.Replace(anAssignment, `"seats":2.5`, `"seats":null`, 1):     "allocated.seats",
		// A field in another form is missing. A number may be a text.
		strings.Replace(anAssignment, `"quantity":2`, `"quantity":1e999`, 1):                           "addons[0].quantity",
		strings.Replace(anAssignment, `"quantity":2`, `"quantity":"2"`, 1):                             whole,
		strings.Replace(anAssignment, `"assignedAt":1.7e12`, `"assignedAt":"1700000000000"`, 1):        whole,
		strings.Replace(anAssignment, `"assignedAt":1.7e12`, `"assignedAt":"2023-11-14"`, 1):           "assignedAt",
		strings.Replace(anAssignment, `"packageId":"p1"`, `"packageId":{"id":1}`, 1):                   "packageId",
		strings.Replace(anAssignment, `[`+anAddon+`]`, `"SEATS"`, 1):                                   "addons",
		strings.Replace(anAssignment, anAddon, `"SEATS"`, 1):                                           "addons[0].subscriptionAddonId",
		strings.Replace(anAssignment, `"assignedAt":1.7e12`, `"assignedAt":"2023-11-14T22:13:20Z"`, 1): whole,
		strings.Replace(anAssignment, `"seats":2.5`, `"seats":"2.5"`, 1):                               whole,
		`7`: "assignment", `"GOLD"`: "assignment", `[` + anAssignment + `]`: "assignment", `{"code":"GOLD"}`: "id",
		`{"data":{"assignment":` + anAssignment + `}}`: "id",
	} {
		s := transporttest.Expect(t, "GET {label}/package -> 200 "+data)
		c, _ := dial(t, s)
		a, err := c.GetAssignment(t.Context(), transporttest.ID)
		switch {
		case err == nil && a == nil:
			assert.Equal(t, nothing, want, "%s: none", data)
		case err == nil:
			if want != whole || a.ID != "as1" || a.PackageID != "p1" || a.AssignedAt.Time().Unix() != 1.7e9 || *a.Allocated.Seats != 2.5 ||
				len(a.Addons) > 0 && a.Addons[0].Quantity != 2 {
				t.Errorf("%s: got %+v, want %s", data, a, want)
			}
		case !strings.Contains(err.Error(), ": the response has no "+want+" that") && !strings.Contains(err.Error(), want+": json:"):
			t.Errorf("%s: %v, want %s", data, err, want)
		}
	}
}

func TestGetAssignment_Rejected(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		not assigned   | GET {label}/package -> 400 NOT_ASSIGNED   | done none
		no endpoint    | GET {label}/package -> 404 NOT_FOUND      | NOT_FOUND none
		invalid target    | GET {label}/package -> 400 INVALID_TARGET | INVALID_TARGET none, may be gone
		a 500, then whole | GET {label}/package -> 500 INTERNAL_SERVER_ERROR; GET {label}/package -> 200 `+anAssignment+` | done as1
	`, func(t *testing.T, row []string) {
		c, _ := dial(t, transporttest.Expect(t, row[1]))
		a, err := c.GetAssignment(t.Context(), transporttest.ID)
		got := inWords(transport.Outcome{Err: err}) + " none"
		if a != nil {
			got = inWords(transport.Outcome{Err: err}) + " " + a.ID
		}
		if MayBeGone(err) {
			got += ", may be gone"
		}
		assert.Equal(t, row[2], got)
	})
}

// The response counts toward the billing limit, not the console limit (§8).
func TestGetAssignment_Limit(t *testing.T) {
	t.Parallel()
	got := fmt.Sprint(routeGetAssignment.Limits)
	assert.Equal(t, "[billing total]", got, "limits")
	assert.True(t, routeGetAssignment.Retryable, "limits %s", got)
}

func FuzzReadAssignment(f *testing.F) {
	for _, seed := range []string{`null`, `{}`, anAssignment, `{"assignment":` + anAssignment + `}`, `{"package":null,"packageId":"p"}`, `{"assignment":[[]]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		a, err := readAssignment(transporttest.ID)([]byte(data))
		if a != nil && (err != nil || missingField(reflect.ValueOf(*a), needStep, needShown) != "" || a.Allocated == nil) {
			t.Errorf("%s: %+v, %v", data, a, err)
		}
	})
}
