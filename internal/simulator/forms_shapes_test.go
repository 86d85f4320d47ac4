package simulator_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// at returns the value at a place such as "privateLabels.0.status", and whether there is one.
func at(value any, place string) (any, bool) {
	for name := range strings.SplitSeq(place, ".") {
		switch v := value.(type) {
		case object:
			inner, ok := v[name]
			if !ok {
				return nil, false
			}
			value = inner
		case []any:
			if name != "0" || len(v) == 0 {
				return nil, false
			}
			value = v[0]
		default:
			return nil, false
		}
	}
	return value, true
}

// missing is expected of a place without a value.
const missing = "(missing)"

// TestForms_Responses asks each form that changes what a response has, on a shop with a private label that has a package
// and an add-on.
func TestForms_Responses(t *testing.T) {
	t.Parallel()
	const list, detail = labelsPath, "the detail"
	for _, tc := range []struct {
		forms simulator.Forms
		path  string
		want  object
	}{
		{nil, list, object{"privateLabels.0.customDomain": nil, "provisionedCount": 1.0, "privateLabels.0.status": "Active"}},
		{simulator.Forms{"null-fields": "omitted"}, list, object{"privateLabels.0.customDomain": missing, "privateLabels.0.suspendedAt": missing}},
		{simulator.Forms{"null-fields": "omitted"}, detail, object{"customDomain": missing, "suspendReason": missing, "assignment.id": id32}},
		{simulator.Forms{"figure-fields": "null"}, list, object{
			"privateLabels.0.metrics": nil, "privateLabels.0.templateQuota.total": nil, "privateLabels.0.templateQuota.used": 0.0,
		}},
		{simulator.Forms{"figure-fields": "omitted"}, list, object{"privateLabels.0.metrics": missing, "privateLabels.0.templateQuota.total": missing}},
		{simulator.Forms{"figure-fields": "omitted"}, detail, object{"memberCount": missing}},
		{simulator.Forms{"label-figures": "text"}, list, object{"provisionedCount": "1", "privateLabels.0.metrics.members": "1"}},
		{simulator.Forms{"label-figures": "text"}, detail, object{"memberCount": "1", "assignment.addons.0.quantity": "2"}},
		{simulator.Forms{"detail-addons": "omitted"}, detail, object{"assignment.addons": missing}},
		{simulator.Forms{"detail-addons": "no-quantity"}, detail, object{"assignment.addons.0.quantity": missing, "assignment.addons.0.code": "EXTRA"}},
		{simulator.Forms{"detail-addons": "no-code"}, detail, object{"assignment.addons.0.quantity": 2.0, "assignment.addons.0.code": missing}},
		{simulator.Forms{"status-case": "lower"}, list, object{"privateLabels.0.status": "active"}},
		{simulator.Forms{"status-case": "lower"}, detail + "/members", object{"members.0.status": "active", "members.0.role": "owner"}},
		{simulator.Forms{"primary-host": "platform"}, list, object{
			"privateLabels.0.primaryHost": "sign-client-example.portals.example", "privateLabels.0.customDomain": client,
		}},
		{simulator.Forms{"primary-host": "platform"}, detail, object{
			"primaryHost": "sign-client-example.portals.example", "customDomain": client, "domainSetup.records.0.name": client,
		}},
		{simulator.Forms{"primary-host": "platform"}, "/console/dashboard", object{"domains.0.domain": "sign-client-example.portals.example"}},
		{simulator.Forms{"record-name": "relative"}, detail, object{"domainSetup.records.0.name": "sign"}},
		{simulator.Forms{"record-name": "dot"}, detail, object{
			"domainSetup.records.0.name": client + ".", "domainSetup.records.0.value": "edge.portals.example.",
		}},
		{simulator.Forms{"usage": "by-code"}, usagePath, object{"items.seats.used": 1.0, "rows": missing}},
		{simulator.Forms{"usage": "flat"}, usagePath, object{"seats": 1.0, "rows": missing, "period": "2026-10"}},
		{simulator.Forms{"quota": "rows"}, quotaPath, object{"rows.0.itemCode": "documents", "items": missing}},
		{simulator.Forms{"quota": "flat"}, quotaPath, object{"seats.used": 1.0, "items": missing}},
	} {
		t.Run(tc.forms.String()+" "+tc.path, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, tc.forms)
			s.assign(s.label, s.free).outcome("Assigned")
			s.attach(s.extra, 2).outcome("Attached")
			data := s.get(strings.Replace(tc.path, detail, s.label, 1)).data()
			for place, want := range tc.want {
				got, shown := at(data, place)
				if want == missing {
					assert.False(t, shown, "%s: %v", place, got)
					continue
				}
				require.True(t, shown, place)
				assert.Equal(t, filled(want, got), got, place)
			}
		})
	}
}

// An array without elements is null, or omitted where a count of 0 says the same.
func TestForms_EmptyArrays(t *testing.T) {
	t.Parallel()
	for form, want := range map[string][3]any{
		"array":   {[]any{}, []any{}, []any{}},
		"null":    {nil, nil, nil},
		"omitted": {missing, missing, []any{}},
	} {
		c := assuming(t, simulator.Forms{"empty-arrays": form})
		_, path := c.provision(client)
		templates, ok := at(c.get(path+"/templates").data(), "templates")
		require.True(t, ok, form)
		assert.Equal(t, want[2], templates, form)
		ledger, ok := at(c.get(path+"/points").data(), "rows")
		assert.Equal(t, want[1] != missing, ok, form)
		if ok {
			assert.Equal(t, want[1], ledger, form)
		}
		c.del(path).data()
		labels, ok := at(c.get(labelsPath).data(), "privateLabels")
		assert.Equal(t, want[0] != missing, ok, form)
		if ok {
			assert.Equal(t, want[0], labels, form)
		}
	}
}

// A read of a kind shows what was there some seconds ago; every other read and every write is up to date.
func TestForms_Late(t *testing.T) {
	t.Parallel()
	paths := map[string]string{"list": "", "detail": "", "members": "/members", "package": "/package", "search": packagesPath + "/search", "item": packagesPath + "/get"}
	for kind := range paths {
		for form, lag := range map[string]time.Duration{"6s": 6 * time.Second, "20s": 20 * time.Second, "2m": 2 * time.Minute} {
			s := newShop(t, simulator.Forms{"late": form, "late-reads": kind})
			s.sim.Clock().Advance(lag)
			shows := func(read string) bool {
				switch read {
				case "list":
					package1, _ := at(s.get(labelsPath).data(), "privateLabels.0.assignedPackage")
					return package1 != nil
				case "detail":
					return s.get(s.label).data()["assignment"] != nil
				case "members":
					return len(list(t, s.get(s.label+"/members").data(), "members")) == 2
				case "package":
					return s.get(s.label + "/package").data()["assignment"] != nil
				case "search":
					return len(list(t, s.post(packagesPath+"/search", search("NEW", 1, 100)).data(), "packages")) == 1
				default:
					return s.post(packagesPath+"/get", object{"packageId": s.free}).data()["name"] == "Renamed"
				}
			}
			s.assign(s.label, s.free).outcome("Assigned")
			s.post(s.label+"/users", person(bobEmail)).data()
			s.post(packagesPath, object{"code": "NEW", "name": "New", "currency": "EUR"}).data()
			s.post(packagesPath+"/update", object{"packageId": s.free, "name": "Renamed"}).data()
			for read := range paths {
				assert.Equal(t, read != kind, shows(read), "%s, %s: %s", kind, form, read)
			}
			s.sim.Clock().Advance(lag - time.Millisecond)
			assert.False(t, shows(kind), "%s, %s", kind, form)
			s.sim.Clock().Advance(time.Millisecond)
			assert.True(t, shows(kind), "%s, %s", kind, form)
		}
	}
}

// A late read lacks a private label that was just provisioned, and shows one that was just deprovisioned, also to another
// process.
func TestForms_LateLabel(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/data.json"
	clock := simulator.NewFrozenClock(start)
	open := func() *caller {
		sim := newSim(t, simulator.Options{File: file, Clock: clock, Forms: simulator.Forms{"late": "6s"}})
		return inProcess(t, sim).as(sim.APIKey())
	}
	c := open()
	_, path := c.provision(client)
	for _, c := range []*caller{c, open()} {
		assert.Empty(t, c.items())
		c.get(path).rejected(http.StatusBadRequest, "INVALID_TARGET")
	}
	clock.Advance(6 * time.Second)
	for _, c := range []*caller{c, open()} {
		assert.Len(t, c.items(), 1)
		c.get(path).data()
	}
	c.del(path).data()
	assert.Len(t, c.items(), 1)
	c.get(path).data()
	c.del(path).rejected(http.StatusForbidden, "FORBIDDEN")
	clock.Advance(6 * time.Second)
	assert.Empty(t, c.items())
	c.get(path).rejected(http.StatusForbidden, "FORBIDDEN")
}

// Flat endpoints find a private label by each of its host names, with or without case.
func TestForms_Hosts(t *testing.T) {
	t.Parallel()
	const mixed, platform = "Sign.Client.Example", "sign-client-example.portals.example"
	for name, tc := range map[string]struct {
		forms  simulator.Forms
		stored string
		known  []string
	}{
		"default":  {nil, client, []string{client, mixed}},
		"exact":    {simulator.Forms{"host-case": "exact"}, mixed, []string{mixed}},
		"platform": {simulator.Forms{"primary-host": "platform"}, platform, []string{client, mixed, platform}},
	} {
		c := assuming(t, tc.forms)
		c.post(labelsPath, order(mixed)).data()
		c.post(labelsPath, order(client)).rejected(http.StatusBadRequest, "HOST_TAKEN", name)
		assert.Equal(t, tc.stored, as[object](c.items()[0])["primaryHost"], name)
		for _, host := range []string{client, mixed, platform} {
			got := c.post("/console/tenant/update-colors", object{"domain": host, "colorPrimary": "#123"})
			if slices.Contains(tc.known, host) {
				assert.Equal(t, tc.stored, got.data()["domain"], "%s: %s", name, host)
				continue
			}
			got.rejected(http.StatusBadRequest, "UNAUTHORIZED", name, host)
		}
	}
}

func TestForms_WholeDomain(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]string{"host": "client.example", "relative": "@", "dot": "client.example."} {
		c := assuming(t, simulator.Forms{"record-name": form})
		_, path := c.provision("client.example")
		name, _ := at(c.get(path).data(), "domainSetup.records.0.name")
		assert.Equal(t, want, name, form)
	}
}

// The detail alone is rejected: the list shows the private label, and the suspension can be lifted.
func TestForms_SuspendedDetail(t *testing.T) {
	t.Parallel()
	c, path := assumingPeople(t, simulator.Forms{"suspended-detail": "rejected"})
	c.post(path+"/suspend", nil).data()
	c.get(path).rejected(http.StatusBadRequest, "INVALID_TARGET")
	assert.Equal(t, "Suspended", as[object](c.items()[0])["status"])
	c.get(path + "/members").data()
	c.post(path+"/unsuspend", nil).data()
	c.get(path).data()
}

func TestForms_NoEndpoint(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]string{"envelope": "NOT_FOUND", "json": "Cannot GET /", "page": "<h1>Not Found"} {
		c := assuming(t, simulator.Forms{"no-endpoint": form})
		for _, path := range []string{labelsPath + "/no/such", "/signing/none", "/api/v1/reseller"} {
			got := c.get(path)
			assert.Equal(t, http.StatusNotFound, got.status, form)
			assert.Contains(t, got.raw, want, form)
		}
	}
}

// Every removal has its effect, and no body.
func TestForms_Removed(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{"removed": "empty"})
	s.assign(s.label, s.free).outcome("Assigned")
	s.attach(s.extra, 1).outcome("Attached")
	bob := as[string](s.post(s.label+"/users", person(bobEmail)).data()["userID"])
	for _, path := range []string{
		s.label + "/package/addons/" + as[string](as[object](s.addonsOf()[0])["subscriptionAddonId"]), s.label + "/package", s.label + "/users/" + bob, s.label,
	} {
		got := s.del(path)
		assert.Equal(t, http.StatusNoContent, got.status, path)
		assert.Empty(t, got.raw, path)
	}
	assert.Empty(t, s.items())
}

func TestForms_Token(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{Forms: simulator.Forms{"expires-in": "text", "scope-list": "array"}})
	body := inProcess(t, sim).exchange(sim.APIKey()).body
	assert.Equal(t, "3600", body["expires_in"])
	assert.Equal(t, []any{scopeRead, scopeProvision, scopePackages}, body["scope"])
}

// The whole item is rejected with a code and a status of its own, and the changes alone are accepted.
func TestForms_WholeItemRejected(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]struct {
		status int
		code   string
	}{
		"rejected": {400, "INVALID_REQUEST"}, "invalid-data": {400, "INVALID_DATA"}, "code-in-use": {400, "CODE_IN_USE"},
		"conflict": {409, "CODE_IN_USE"}, "unprocessable": {422, "INVALID_DATA"},
	} {
		c := assuming(t, simulator.Forms{"update-whole": form})
		whole := c.post(packagesPath, object{"code": "GOLD", "name": "Gold", "currency": "EUR"}).data()
		c.post(packagesPath+"/update", whole).rejected(want.status, want.code, form)
		got := c.post(packagesPath+"/update", object{"packageId": whole["packageId"], "name": "Renamed"}).data()
		assert.Equal(t, "Renamed", got["name"], form)
	}
}

func TestForms_Settings(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]string{
		"kept":    `{"included":{"documents":3},"label":"5","nested":{"a":1},"price":4900}`,
		"dropped": `{"included":{"documents":3}}`,
		"text":    `{"included":{"documents":3},"label":"5","nested":{"a":1},"price":"4900"}`,
	} {
		c := assuming(t, simulator.Forms{"settings": form})
		c.post(packagesPath, object{
			"code": "GOLD", "name": "Gold", "currency": "EUR",
			"price": 4900, "label": "5", "nested": object{"a": 1}, "included": object{"documents": 3},
		}).data()
		got, err := json.Marshal(c.sim.Packages()[0].Settings)
		require.NoError(t, err)
		assert.Equal(t, want, string(got), form)
	}
}

// A search that hides deactivated items does not count them, and their own read has them.
func TestForms_SearchInactive(t *testing.T) {
	t.Parallel()
	for form, count := range map[string]int{"found": 2, "hidden": 1} {
		c := assuming(t, simulator.Forms{"search-inactive": form})
		c.made(c.sim.AddPackage("NEW", nil, true))
		old := c.made(c.sim.AddPackage("OLD", nil, false))
		page := c.post(packagesPath+"/search", search("", 1, 100)).data()
		assert.Len(t, list(t, page, "packages"), count, form)
		assert.Equal(t, float64(count), page["total"], form)
		assert.Equal(t, "OLD", c.post(packagesPath+"/get", object{"packageId": old}).data()["code"], form)
		c.post(packagesPath, object{"code": "OLD", "name": "Old", "currency": "EUR"}).rejected(http.StatusBadRequest, "CODE_IN_USE", form)
	}
}

// Where an item has its ID, flag and currency, in a search and in its own read.
func TestForms_Items(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		forms      simulator.Forms
		row, alone object
	}{
		"nested ID":       {simulator.Forms{"item-id": "nested-id"}, object{"addon.id": id32, "addon.code": "SCAN"}, object{"addon.id": id32}},
		"nested alone":    {simulator.Forms{"item-id": "nested-alone"}, object{"addonId": id32, "addon": missing}, object{"addon.addonId": id32}},
		"no flag":         {simulator.Forms{"active-flag": "none"}, object{"active": missing, "code": "SCAN"}, object{"active": missing}},
		"currency only":   {simulator.Forms{"addon-fields": "currency"}, object{"currency": "EUR", "active": missing}, object{"currency": "EUR"}},
		"active only":     {simulator.Forms{"addon-fields": "active"}, object{"currency": missing, "active": true}, object{"active": true}},
		"neither of them": {simulator.Forms{"addon-fields": "bare"}, object{"currency": missing, "active": missing}, object{"code": "SCAN"}},
	} {
		c := assuming(t, tc.forms)
		id := c.made(c.sim.AddAddon("SCAN", nil, true))
		for place, want := range tc.row {
			row := c.post(addonsPath+"/search", search("", 1, 100)).data()
			got, shown := at(row, "addons.0."+place)
			assert.Equal(t, want != missing, shown, "%s: %s", name, place)
			if shown {
				assert.Equal(t, filled(want, got), got, "%s: %s", name, place)
			}
		}
		for place, want := range tc.alone {
			got, shown := at(c.post(addonsPath+"/get", object{"addonId": id}).data(), place)
			assert.Equal(t, want != missing, shown, "%s: %s", name, place)
			if shown {
				assert.Equal(t, filled(want, got), got, "%s: %s", name, place)
			}
		}
	}
}

// A body that does not decode is described without the words of a library.
func TestInvalidRequest_Words(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	for body, want := range map[string]string{
		`{"reason": 5}`:         "reason has the wrong type.",
		`{"reason": "a`:         "The body is not valid JSON.",
		`{"why": "a"}`:          "The body has an unknown field: why",
		`[]`:                    "The body has the wrong type.",
		`{"reason": "a"} again`: "The body has text after its JSON.",
	} {
		got := c.post(path+"/suspend", body)
		got.rejected(http.StatusBadRequest, "INVALID_REQUEST", body)
		assert.Equal(t, want, as[object](got.body["error"])["message"], body)
	}
}
