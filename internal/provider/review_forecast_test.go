package provider_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// priorState is the state that a plan was made from, of resources as JSON.
func priorState(resources ...string) string {
	return `,"prior_state":{"values":{"root_module":{"resources":[` + strings.Join(resources, ",") + `]}}}`
}

func inState(address, values string) string {
	rest, isData := strings.CutPrefix(address, "data.")
	typ, _, _ := strings.Cut(rest, ".")
	mode := map[bool]string{true: "data", false: "managed"}[isData]
	return fmt.Sprintf(`{"address":%q,"mode":%q,"type":%q,"values":%s}`, address, mode, typ, values)
}

// assignedIn is an assignment of a state, with seats and documents.
func assignedIn(label, pkg string, seats, documents int, addons string) string {
	return inState("reseller_assignment."+label, fmt.Sprintf(`{"private_label_id":"id-%[1]s","id":"id-%[1]s","package_id":"id-%[2]s","package_code":%[2]q,`+
		`"allocated":{"documents":%[4]d,"seats":%[3]d,"templates":0,"notarizations":0},"attached_addons":{%[5]s}}`, label, pkg, seats, documents, addons))
}

func newPortals(n int, assignment string) (changes []reviewChange, configuration string) {
	for i := range n {
		name := fmt.Sprintf(`["c%02d"]`, i)
		changes = append(changes,
			reviewChange{
				address: "reseller_private_label.p" + name, actions: "create", unknown: `{"id":true}`,
				after: fmt.Sprintf(`{"domain":"c%02d.example","app_name":"A","deletion_policy":"PREVENT","owner":{"email":"o@c%02[1]d.example","first_name":"O","last_name":"O"}}`, i),
			},
			reviewChange{address: "reseller_assignment.p" + name, actions: "create", after: assignment, unknown: `{"private_label_id":true,"id":true}`})
	}
	return changes, `{"root_module":{"resources":[{"mode":"managed","type":"reseller_private_label","name":"p","expressions":{}},` +
		`{"mode":"managed","type":"reseller_assignment","name":"p","expressions":{"private_label_id":{"references":["reseller_private_label.p"]}}}]}}`
}

const quotaLeft = `{"remaining":{"documents":1000,"seats":25,"templates":5,"notarizations":5}}`

// What a plan of 50 new portals needs of the allowance is learned from the portals that have the package, and their add-ons.
func TestReview_Allowance(t *testing.T) {
	t.Parallel()
	gold := `{"package_id":"id-GOLD","addons":%s,"allow_excess":{"seats":2},"deletion_policy":"REMOVE"}`
	plain, withAddons := fmt.Sprintf(gold, "null"), fmt.Sprintf(gold, `{"seats":3}`)
	pack := inState("reseller_package.gold", `{"id":"id-GOLD","code":"GOLD","currency":"EUR"}`)
	quota := inState("data.reseller_quota.q", quotaLeft)
	three := []string{pack, assignedIn("a", "GOLD", 8, 20, ""), assignedIn("b", "GOLD", 8, 20, ""), assignedIn("c", "GOLD", 18, 20, `"SEATS":{"quantity":2}`)}
	entry := func(item, atLeast, atMost string, from int, remaining string, permitted float64, codes string) string {
		return fmt.Sprintf(`{"item":%q,"at_least":%s,"at_most":%s,"learned_from":%d,"remaining":%s,"permitted":%v,"not_learned":[%s]}`, item, atLeast, atMost, from, remaining, permitted, codes)
	}
	for name, tc := range map[string]struct {
		portals    int
		assignment string
		state      []string
		want       []string
		says       []string
	}{
		"learned": {
			50, plain, append(three, quota),
			[]string{entry("documents", "1000", "1000", 2, "1000", 0, ""), entry("seats", "400", "400", 2, "25", 100, ""), entry("templates", "0", "0", 2, "5", 0, ""), entry("notarizations", "0", "0", 2, "5", 0, "")},
			[]string{"documents: 1000 more (learned from 2 portals), 1000 left: within the allowance", "seats: 400 more (learned from 2 portals), 25 left: the API will ask; allow_excess permits 100"},
		},
		"with an add-on, in other case": {
			2, withAddons, append(three, quota),
			[]string{entry("documents", "40", "40", 3, "1000", 0, ""), entry("seats", "46", "46", 3, "25", 4, ""), entry("templates", "0", "0", 3, "5", 0, ""), entry("notarizations", "0", "0", 3, "5", 0, "")},
			[]string{"seats: 46 more (learned from 3 portals), 25 left: the API will ask; allow_excess permits 4"},
		},
		"without a quota": {
			1, plain, three,
			[]string{entry("documents", "20", "20", 2, "null", 0, ""), entry("seats", "8", "8", 2, "null", 2, ""), entry("templates", "0", "0", 2, "null", 0, ""), entry("notarizations", "0", "0", 2, "null", 0, "")},
			[]string{"seats: 8 more (learned from 2 portals); allow_excess permits 2", "what is left is not known"},
		},
		"portals that differ": {
			1, plain,
			[]string{pack, assignedIn("a", "GOLD", 8, 20, ""), assignedIn("b", "GOLD", 10, 20, ""), quota},
			[]string{entry("documents", "20", "20", 2, "1000", 0, ""), entry("seats", "8", "10", 2, "25", 2, ""), entry("templates", "0", "0", 2, "5", 0, ""), entry("notarizations", "0", "0", 2, "5", 0, "")},
			[]string{"seats: 8 to 10 more (learned from 2 portals), 25 left: within the allowance"},
		},
		"an add-on that nobody has": {
			3, withAddons,
			[]string{pack, assignedIn("a", "GOLD", 9, 20, ""), quota},
			[]string{entry("documents", "60", "null", 1, "1000", 0, `"SEATS"`), entry("seats", "27", "null", 1, "25", 6, `"SEATS"`), entry("templates", "0", "null", 1, "5", 0, `"SEATS"`), entry("notarizations", "0", "null", 1, "5", 0, `"SEATS"`)},
			[]string{"documents: at least 60 more (learned from 1 portal), 1000 left: the API may ask", "seats: at least 27 more (learned from 1 portal), 25 left: the API will ask", "not learned: SEATS"},
		},
		"nothing learned": {
			3, plain,
			[]string{pack, quota},
			[]string{entry("documents", "null", "null", 0, "1000", 0, `"GOLD"`), entry("seats", "null", "null", 0, "25", 6, `"GOLD"`), entry("templates", "null", "null", 0, "5", 0, `"GOLD"`), entry("notarizations", "null", "null", 0, "5", 0, `"GOLD"`)},
			[]string{"what the plan needs is not known", "not learned: GOLD"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changes, configuration := newPortals(tc.portals, tc.assignment)
			plan := strings.Replace(reviewPlan(priorState(tc.state...), changes...), `"configuration":{}`, `"configuration":`+configuration, 1)
			_, out, errs := runReview(t, plan, "-format", "json")
			require.Empty(t, errs)
			var got struct{ Allowance []json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(out), &got))
			require.Len(t, got.Allowance, 4, out)
			for i := range tc.want {
				assert.JSONEq(t, tc.want[i], string(got.Allowance[i]))
			}
			for _, format := range []string{"text", "markdown"} {
				_, out, _ := runReview(t, plan, "-format", format)
				for _, says := range tc.says {
					assert.Contains(t, strings.ReplaceAll(out, "`", ""), says, format)
				}
			}
		})
	}
	_, out, _ := runReview(t, reviewPlan("", unchangedAcme), "-format", "json")
	assert.Contains(t, out, `"allowance": []`)
}

// A private label that exists may use more than its package, and may have had the package before: its need is a range. What
// a plan frees lowers the least amount; settings that change make all unknown, except for the price.
func TestReview_AllowanceOfWhatExists(t *testing.T) {
	t.Parallel()
	state := priorState(inState("reseller_package.gold", `{"id":"id-GOLD","code":"GOLD","currency":"EUR"}`), assignedIn("a", "GOLD", 8, 20, ""), inState("data.reseller_quota.q", quotaLeft))
	create := reviewChange{address: "reseller_assignment.b", actions: "create", after: `{"private_label_id":"id-b","package_id":"id-GOLD"}`}
	priced := func(price, name string) reviewChange {
		of := func(price, name string) string {
			return fmt.Sprintf(`{"id":"id-GOLD","code":"GOLD","name":%q,"currency":"EUR","active":true,"settings":{"monthlyPrice":%s}}`, name, price)
		}
		return reviewChange{address: "reseller_package.gold", actions: "update", before: of("1", "Gold"), after: of(price, name)}
	}
	member := reviewChange{address: "reseller_member.m", actions: "create", after: strings.ReplaceAll(newBob, acmeID, "id-other"), unknown: `{"id":true}`}
	inGold := reviewChange{address: "reseller_member.n", actions: "create", after: strings.ReplaceAll(newBob, acmeID, "id-a"), unknown: `{"id":true}`}
	fresh, configuration := newPortals(1, `{"package_id":"id-GOLD"}`)
	removed := reviewChange{address: "reseller_assignment.a", actions: "delete", before: `{"private_label_id":"id-a","package_id":"id-GOLD","package_code":"GOLD","deletion_policy":"REMOVE","addons":{},"attached_addons":{},"allocated":{"documents":5,"seats":3,"templates":0,"notarizations":0}}`}
	gone := reviewChange{address: "reseller_private_label.x", actions: "delete", before: `{"id":"id-x","domain":"x.example","deletion_policy":"DEPROVISION"}`}
	for name, tc := range map[string]struct {
		changes []reviewChange
		args    []string
		want    string
	}{
		"an existing portal":         {[]reviewChange{create}, nil, "0 8"},
		"with members elsewhere":     {[]reviewChange{create, member}, nil, "0 9"},
		"with a member in a package": {[]reviewChange{create, inGold}, nil, "0 8"},
		"a new one":                  {fresh, nil, "8 8"},
		"and a removal":              {append(fresh, removed), nil, "5 8"},
		"and a deprovisioning":       {append(fresh, gone), nil, "0 8"},
		"and another price":          {append(fresh, priced("2", "Gold")), nil, "<nil> <nil>"},
		"and another price, named":   {append(fresh, priced("2", "Gold")), []string{"-price", "monthlyPrice"}, "8 8"},
		"and another name":           {append(fresh, priced("1", "Or")), nil, "8 8"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan := strings.Replace(reviewPlan(state, tc.changes...), `"configuration":{}`, `"configuration":`+configuration, 1)
			_, out, errs := runReview(t, plan, append([]string{"-format", "json"}, tc.args...)...)
			require.Empty(t, errs)
			var got struct {
				Allowance []struct {
					Item    string
					AtLeast any `json:"at_least"`
					AtMost  any `json:"at_most"`
				}
			}
			require.NoError(t, json.Unmarshal([]byte(out), &got))
			require.Len(t, got.Allowance, 4, out)
			assert.Equal(t, "seats", got.Allowance[1].Item)
			assert.Equal(t, tc.want, fmt.Sprint(got.Allowance[1].AtLeast, " ", got.Allowance[1].AtMost))
		})
	}
}

// Each billed row has the price of its item, and each currency a total.
func TestReview_Price(t *testing.T) {
	t.Parallel()
	items := priorState(
		inState("reseller_package.gold", `{"id":"id-GOLD","code":"GOLD","currency":"EUR","settings":{"monthlyPrice":4900}}`),
		inState("data.reseller_package.yen", `{"id":"id-YEN","code":"YEN","currency":"JPY","settings":{"monthlyPrice":"700"}}`),
		inState("reseller_package.none", `{"id":"id-NONE","code":"NONE","currency":"EUR","settings":{}}`),
		inState("data.reseller_addon.seats", `{"id":"s","code":"SEATS","currency":"EUR","settings":{"monthlyPrice":150}}`))
	assign := func(name, pkg, addons string) reviewChange {
		return reviewChange{address: "reseller_assignment." + name, actions: "create", after: fmt.Sprintf(`{"private_label_id":"id-%s","package_id":"id-%s","addons":%s}`, name, pkg, addons)}
	}
	plan := reviewPlan(items, assign("a", "GOLD", `{"seats":10}`), assign("b", "YEN", "null"), assign("c", "NONE", "null"), assign("d", "OTHER", "null"),
		reviewChange{address: "reseller_assignment.acme", actions: "delete", before: goldAcmeMore})
	status, out, errs := runReview(t, plan, "-format", "json", "-price", "monthlyPrice")
	require.Equal(t, 0, status, errs)
	var got struct {
		Effects []struct {
			Kind, Address, Subject string
			Before                 any
			Price                  json.RawMessage
		}
		Price json.RawMessage
	}
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	prices := map[string]string{}
	for _, e := range got.Effects {
		if e.Kind == "billed" {
			prices[e.Address+" "+e.Subject] = strings.Join(strings.Fields(string(e.Price)), "")
		}
	}
	assert.Equal(t, map[string]string{
		"reseller_assignment.a GOLD": `{"amount":4900,"currency":"EUR"}`, "reseller_assignment.a SEATS": `{"amount":1500,"currency":"EUR"}`,
		"reseller_assignment.b YEN": `{"amount":700,"currency":"JPY"}`, "reseller_assignment.c NONE": "null", "reseller_assignment.d id-OTHER": "null",
		"reseller_assignment.acme GOLD": "null", "reseller_assignment.acme SEATS": "null",
	}, prices)
	assert.JSONEq(t, `[{"currency":null,"amount":null,"unknown":1},{"currency":"EUR","amount":6400,"unknown":3},{"currency":"JPY","amount":700,"unknown":0}]`, string(got.Price))
	_, text, _ := runReview(t, plan, "-price", "monthlyPrice")
	for _, says := range []string{"15.00 EUR", "700 JPY", "price unknown", "64.00 EUR and 3 rows without a price"} {
		assert.Contains(t, text, says)
	}
	_, text, _ = runReview(t, plan)
	assert.NotContains(t, text, "price")

	// A change has the price of the new item, in the settings that the plan gives it.
	silver := strings.NewReplacer(goldID, silverID, "GOLD", "SILVER").Replace(goldPackage)
	changed := strings.Replace(strings.Replace(goldAcmeMore, goldID, silverID, 1), `"SEATS":10}`, `"SEATS":10},"allow_package_change":true`, 1)
	plan = reviewPlan("", reviewChange{address: "reseller_package.silver", actions: "update", before: silver, after: strings.Replace(silver, "4900", "2900", 1)},
		reviewChange{address: "reseller_assignment.acme", actions: "update", before: goldAcmeMore, after: changed, unknown: `{"allocated":true}`})
	_, out, _ = runReview(t, plan, "-format", "json", "-price", "monthlyPrice")
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	assert.JSONEq(t, `[{"currency":null,"amount":null,"unknown":1},{"currency":"EUR","amount":2900,"unknown":0}]`, string(got.Price))
}

// A price that is no whole number of minor units, and an amount that a program could not read, are errors.
func TestReview_BadPrices(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ settings, addons, want string }{
		"a text":                 {`{"p":"free"}`, "null", `p of GOLD is "free", which is not a number`},
		"hexadecimal":            {`{"p":"0x10"}`, "null", `p of GOLD is "0x10", which is not a number`},
		"infinite":               {`{"p":"Inf"}`, "null", `p of GOLD is "Inf", which is not a number`},
		"a list":                 {`{"p":[1]}`, "null", "p of GOLD is not a number"},
		"a flag":                 {`{"p":true}`, "null", "p of GOLD is not a number"},
		"a fraction":             {`{"p":49.5}`, "null", "p of GOLD is 49.5, which is not a whole number of minor units"},
		"a very small fraction":  {`{"p":1e-400}`, "null", "which is not a whole number of minor units"},
		"beyond 2^53":            {`{"p":9007199254740993}`, "null", "beyond 2^53"},
		"a product beyond":       {`{"p":0}`, `{"A":9007199254740991}`, "beyond 2^53"},
		"a total beyond":         {`{"p":9007199254740992}`, `{"A":1}`, "The total in EUR is beyond 2^53 minor units"},
		"an exponent beyond all": {`{"p":1e400}`, "null", "beyond 2^53"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := priorState(inState("reseller_package.gold", `{"id":"id-GOLD","code":"GOLD","currency":"EUR","settings":`+tc.settings+`}`),
				inState("reseller_addon.a", `{"id":"a","code":"A","currency":"EUR","settings":{"p":3}}`))
			plan := reviewPlan(state, reviewChange{address: "reseller_assignment.a", actions: "create", after: `{"private_label_id":"x","package_id":"id-GOLD","addons":` + tc.addons + `}`})
			status, out, errs := runReview(t, plan, "-price", "p")
			assert.Equal(t, 1, status, out)
			assert.Contains(t, errs, tc.want)
		})
	}
	secret := strings.Replace(priorState(inState("reseller_package.gold", `{"id":"id-GOLD","code":"GOLD","currency":"EUR","settings":{"p":77}}`)), `"values":{"id"`, `"sensitive_values":{"settings":true},"values":{"id"`, 1)
	_, out, _ := runReview(t, reviewPlan(secret, reviewChange{address: "reseller_assignment.a", actions: "create", after: `{"private_label_id":"x","package_id":"id-GOLD"}`}), "-price", "p")
	assert.NotContains(t, out, "77")
	assert.Contains(t, out, "price unknown")
	status, _, errs := runReview(t, reviewPlan("", unchangedAcme), "-price", "")
	assert.Equal(t, 1, status)
	assert.Contains(t, errs, "name a key of settings")
}
