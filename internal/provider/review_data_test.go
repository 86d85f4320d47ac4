package provider_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The JSON has each effect as data, so that nobody parses what a row says.
func TestReview_Data(t *testing.T) {
	t.Parallel()
	const nothing = `"private_label_id":null,"code":null,"quantity":null,"email":null,"before":null,"after":null,"price":null`
	row := func(kind, address, what, subject, others string) string {
		fields := map[string]any{"kind": kind, "address": address, "what": what, "subject": subject, "host": "sign.acme.example"}
		require.NoError(t, json.Unmarshal([]byte(`{`+nothing+`}`), &fields))
		require.NoError(t, json.Unmarshal([]byte(`{`+others+`}`), &fields))
		text, err := json.Marshal(fields)
		require.NoError(t, err)
		return string(text)
	}
	const acme = `"private_label_id":"` + acmeID + `"`
	silver := strings.NewReplacer(goldID, silverID, "GOLD", "SILVER").Replace(goldPackage)
	changed := strings.Replace(strings.Replace(goldAcmeMore, goldID, silverID, 1), `"SEATS":10}`, `"SEATS":25},"allow_package_change":true,"allow_excess":{"seats":5}`, 1)
	newLabel := `{"domain":"sign.acme.example","app_name":"Acme","deletion_policy":"PREVENT","owner":{"email":"ada@acme.example","first_name":"Ada","last_name":"L"}}`
	branded := func(color string) string {
		return `{"id":"sign.acme.example","domain":"sign.acme.example","color_primary":"` + color + `"}`
	}
	for name, tc := range map[string]struct {
		changes []reviewChange
		want    []string
	}{
		"a private label": {
			[]reviewChange{{address: "reseller_private_label.acme", actions: "create", after: newLabel, unknown: `{"id":true}`}},
			[]string{
				row("permanent", "reseller_private_label.acme", "host name bound to its private label", "sign.acme.example", ""),
				row("email", "reseller_private_label.acme", "set-password email to the owner", "ada@acme.example", `"email":"ada@acme.example"`),
			},
		},
		"a policy": {
			[]reviewChange{{address: "reseller_private_label.acme", actions: "update", before: acmeLabel, after: strings.Replace(acmeLabel, "PREVENT", "SUSPEND", 1)}},
			[]string{row("unprotected", "reseller_private_label.acme", "deletion_policy changes from PREVENT to SUSPEND, so that a destroy suspends it and removes it from state", "sign.acme.example", acme+`,"before":"PREVENT","after":"SUSPEND"`)},
		},
		"another package and quantity, with consent": {
			[]reviewChange{
				unchangedAcme,
				{address: "reseller_package.silver", actions: "no-op", before: silver, after: silver},
				{address: "reseller_assignment.acme", actions: "update", before: goldAcmeMore, after: changed, unknown: `{"allocated":true}`},
			},
			[]string{
				row("excess", "reseller_assignment.acme", "allowance may be exceeded by up to 5", "seats", acme+`,"code":"seats","quantity":5`),
				row("billed", "reseller_assignment.acme", "GOLD becomes SILVER, both billed for the period", "SILVER", acme+`,"code":"SILVER","before":"GOLD","after":"SILVER"`),
				row("billed", "reseller_assignment.acme", "quantity 10 becomes 25, both billed for the period", "SEATS", acme+`,"code":"SEATS","quantity":25,"before":10,"after":25`),
			},
		},
		"what is removed": {
			[]reviewChange{
				unchangedAcme, {address: "reseller_assignment.acme", actions: "delete", before: goldAcmeMore}, {address: "reseller_member.bob", actions: "delete", before: bobMember},
			},
			[]string{
				row("removed", "reseller_assignment.acme", "add-on detached with quantity 10", "SEATS", acme+`,"code":"SEATS","quantity":10,"before":10`),
				row("removed", "reseller_assignment.acme", "package removed", "GOLD", acme+`,"code":"GOLD","before":"GOLD"`),
				row("removed", "reseller_member.bob", "member signed out and removed", "bob@acme.example", acme+`,"email":"bob@acme.example"`),
				row("billed", "reseller_assignment.acme", "detached add-on with quantity 10 stays billed until the end of the billing period", "SEATS", acme+`,"code":"SEATS","quantity":10,"before":10`),
				row("billed", "reseller_assignment.acme", "removed package stays billed until the end of the billing period", "GOLD", acme+`,"code":"GOLD","before":"GOLD"`),
			},
		},
		"a color": {
			[]reviewChange{unchangedAcme, {address: "reseller_branding.acme", actions: "update", before: branded("#0a0"), after: branded("#00b")}},
			[]string{row("overwritten", "reseller_branding.acme", "color_primary replaced, and the former value is not kept", "sign.acme.example", acme+`,"before":{"color_primary":"#0a0"},"after":{"color_primary":"#00b"}`)},
		},
		"a code": {
			[]reviewChange{{address: "reseller_package.gold", actions: "create", after: strings.Replace(goldPackage, "GOLD", "gold", 1), unknown: `{"id":true}`}},
			[]string{row("permanent", "reseller_package.gold", "package code created", "GOLD", `"host":null,"code":"GOLD"`)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, out, errs := runReview(t, reviewPlan("", tc.changes...), "-format", "json")
			require.Equal(t, 0, status, errs)
			var got struct{ Effects []json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(out), &got))
			require.Len(t, got.Effects, len(tc.want), out)
			for i := range tc.want {
				assert.JSONEq(t, tc.want[i], string(got.Effects[i]))
			}
		})
	}
}

// A row is known if its data is that of an earlier report, former and new values included. One with a value that is
// sensitive or known after apply never is.
func TestReview_KnownAsData(t *testing.T) {
	t.Parallel()
	drifted := func(before, after, sensitive string) string {
		c := reviewChange{address: "reseller_package.gold", actions: "update", before: before, after: after, beforeSensitive: sensitive, afterSensitive: sensitive}
		return reviewPlan(`,"resource_drift":[`+c.json()+`]`, unchangedAcme)
	}
	priced := func(price string) string { return strings.Replace(goldPackage, "4900", price, 1) }
	later := reviewChange{address: "reseller_member.bob", actions: "create", after: strings.Replace(newBob, `"bob@acme.example"`, "null", 1), unknown: `{"id":true,"email":true}`}
	perhaps := reviewChange{address: "reseller_package.gold", actions: "update", before: goldPackage, after: strings.Replace(goldPackage, "true", "null", 1), unknown: `{"active":true}`}
	for name, tc := range map[string]struct {
		earlier, now string
		known        int
	}{
		"the same price":             {drifted(goldPackage, priced("5900"), "false"), drifted(goldPackage, priced("5900"), "false"), 1},
		"the same in other notation": {drifted(goldPackage, priced("5900"), "false"), drifted(goldPackage, priced("5.9e3"), "false"), 1},
		"another price":              {drifted(goldPackage, priced("5900"), "false"), drifted(goldPackage, priced("6900"), "false"), 0},
		"from another price":         {drifted(goldPackage, priced("5900"), "false"), drifted(priced("100"), priced("5900"), "false"), 0},
		"a sensitive price":          {drifted(goldPackage, priced("5900"), `{"settings":true}`), drifted(goldPackage, priced("5900"), `{"settings":true}`), 0},
		"an unknown address":         {reviewPlan("", later), reviewPlan("", later), 0},
		"a condition":                {reviewPlan("", perhaps), reviewPlan("", perhaps), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			known := filepath.Join(t.TempDir(), "known.json")
			_, earlier, errs := runReview(t, tc.earlier, "-drift", "-format", "json")
			require.Empty(t, errs)
			assert.NotContains(t, earlier, `"effects": []`)
			require.NoError(t, os.WriteFile(known, []byte(earlier), 0o600))
			_, out, errs := runReview(t, tc.now, "-drift", "-known", known, "-format", "json")
			require.Empty(t, errs)
			var got struct{ Effects, Known []json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(out), &got))
			assert.Len(t, got.Known, tc.known, out)
			assert.Len(t, got.Effects, 1-tc.known, out)
		})
	}
}

// Each row about a portal names it.
func TestReview_TextNamesPortals(t *testing.T) {
	t.Parallel()
	plan := reviewPlan("", unchangedAcme, reviewChange{address: "reseller_member.bob", actions: "delete", before: bobMember})
	for _, format := range []string{"text", "markdown"} {
		_, out, _ := runReview(t, plan, "-format", format)
		for line := range strings.SplitSeq(out, "\n") {
			if strings.Contains(line, providertest.BobEmail) {
				assert.Contains(t, line, "sign.acme.example", format)
			}
		}
	}
}
