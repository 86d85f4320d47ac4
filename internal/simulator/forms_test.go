package simulator_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// asked are the questions and forms that the code distinguishes.
var asked = regexp.MustCompile(`\b(?:f|forms)\.(?:isForm|formOf)\("([a-z0-9-]+)"(?:, "([a-z0-9-]+)")?\)`)

// Every question of the table is asked in the code, and the code asks no other.
func TestForms_AskedAndListed(t *testing.T) {
	t.Parallel()
	var table bytes.Buffer
	simulator.PrintForms(&table)
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	used := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source := fileText(t, file)
		for _, m := range asked.FindAllStringSubmatch(source, -1) {
			name, form := m[1], m[2]
			used[name] = true
			if form == "" {
				continue
			}
			_, err := simulator.ParseForms(name + "=" + form)
			assert.NoError(t, err, file)
		}
	}
	names := regexp.MustCompile(`(?m)^([a-z0-9-]+) \(`).FindAllStringSubmatch(table.String(), -1)
	for _, m := range names {
		assert.True(t, used[m[1]], "nothing asks %s", m[1])
	}
	require.Len(t, used, len(names))
}

func TestForms_Parse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"rows=items, get=query": "get=query,rows=items",
		"rows=cells":            `rows has no form "cells"; it has by-kind, items, rows, nested`,
		"row=items":             `no question has the name "row"; simulate -forms help lists them`,
		"rows":                  `rows has no form ""; it has by-kind, items, rows, nested`,
		"random:x":              "random:x: the seed must be a whole number",
	} {
		forms, err := simulator.ParseForms(text)
		got := forms.String()
		if err != nil {
			got = err.Error()
		}
		assert.Equal(t, want, got, text)
	}
	require.Equal(t, simulator.RandomForms(3).String(), simulator.RandomForms(3).String())
	assert.NotEqual(t, simulator.RandomForms(4).String(), simulator.RandomForms(3).String(), "seeds draw the same")
}

// A data file keeps its forms until another choice is made.
func TestForms_KeptInTheFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "data.json")
	for _, step := range []struct {
		chosen simulator.Forms
		rows   string
	}{
		{simulator.Forms{"rows": "items"}, "items"}, {nil, "items"}, {simulator.Forms{"rows": "rows"}, "rows"}, {simulator.Forms{}, "packages"},
	} {
		sim := newSim(t, simulator.Options{File: file, Forms: step.chosen})
		c := inProcess(t, sim).as(sim.APIKey())
		assert.Contains(t, c.post(packagesPath+"/search", search("", 1, 100)).data(), step.rows)
		require.NoError(t, sim.Close())
	}
	_, err := simulator.New(simulator.Options{File: file, Forms: simulator.Forms{"rows": "cells"}})
	assert.ErrorContains(t, err, "rows has no form")
}

// Whatever the forms, a simulator answers the same questions; more fields, other times and figures are shown.
func TestForms_Shapes(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{Forms: simulator.Forms{
		"times": "text", "figures": "text", "quota": "sections", "usage": "items", "points-pool": "nested", "ledger": "points", "scope-list": "commas",
	}})
	c := inProcess(t, sim).as(sim.APIKey())
	id, path := c.provision(client)
	require.NoError(t, sim.WritePoints(client, "documents", -2))
	quota := c.get(quotaPath)
	require.Equal(t, "10000", pick(t, quota.data(), "remaining", "documents"))
	require.Equal(t, "0", pick(t, c.get(poolPath).data(), "pool", "granted"))
	row := list(t, c.get(path+"/points").data(), "rows")[0]
	require.Subset(t, row, object{"points": "2", "type": "Returned", "createdAt": start.UTC().Format("2006-01-02T15:04:05Z")})
	usage := c.get(usagePath).data()
	require.Equal(t, "1", as[object](as[[]any](usage["items"])[1])["used"])
	require.Equal(t, id, as[object](as[[]any](usage["rows"])[0])["tenantId"])
	require.Equal(t, "reseller:read,reseller:provision,reseller:packages", inProcess(t, sim).exchange(sim.APIKey()).body["scope"])
}

func TestForms_Envelope(t *testing.T) {
	t.Parallel()
	keys(t, assuming(t, simulator.Forms{"envelope": "more"}).get(quotaPath).body, "status", "data", "error", "meta")
}

// The whole item is accepted as it was read, and what an update does to the rest depends on the form.
func TestForms_Update(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		forms simulator.Forms
		code  string // of an update with the whole item
		left  string // of settings after {nested: {b}}
	}{
		"kept, replaced":    {simulator.Forms{}, "", `{"nested":{"b":2},"price":5}`},
		"kept, merged":      {simulator.Forms{"update-nested": "merged"}, "", `{"nested":{"a":1,"b":2},"price":5}`},
		"removed, replaced": {simulator.Forms{"update-omitted": "removed"}, "", `{"nested":{"b":2}}`},
		"whole is rejected": {simulator.Forms{"update-whole": "rejected"}, "INVALID_REQUEST", `{"nested":{"b":2},"price":5}`},
		"whole is bad data": {simulator.Forms{"update-whole": "invalid-data", "item-id": "nested"}, "INVALID_DATA", `{"nested":{"b":2},"price":5}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := assuming(t, tc.forms)
			whole := c.post(packagesPath, object{"code": "GOLD", "name": "Gold", "currency": "EUR", "price": 5, "nested": object{"a": 1}}).data()
			if nested, isNested := whole["package"]; isNested {
				whole = as[object](nested)
			}
			got := c.post(packagesPath+"/update", whole)
			if tc.code == "" {
				got.data()
			} else {
				got.rejected(http.StatusBadRequest, tc.code)
			}
			whole["createdAt"] = 5
			got = c.post(packagesPath+"/update", whole)
			assert.Equal(t, http.StatusBadRequest, got.status, "another createdAt answers")
			c.post(packagesPath+"/update", object{"packageId": whole["packageId"], "name": "Gold", "nested": object{"b": 2}}).data()
			left, err := json.Marshal(c.sim.Packages()[0].Settings)
			require.NoError(t, err)
			require.Equal(t, tc.left, string(left))
		})
	}
}

// A removal of an add-on has the ID in its body, by the name of that ID.
func TestForms_RemovalByBody(t *testing.T) {
	t.Parallel()
	for form, name := range map[string]string{"attachment": "subscriptionAddonId", "addon": "addonId"} {
		s := newShop(t, simulator.Forms{"removal": "post-body", "removal-id": form})
		s.assign(s.label, s.free).outcome("Assigned")
		s.attach(s.extra, 1).outcome("Attached")
		attached := as[object](s.addonsOf()[0])
		s.post(s.label+"/package/addons/remove", object{"other": attached[name]}).rejected(http.StatusBadRequest, "INVALID_REQUEST")
		s.post(s.label+"/package/addons/remove", object{name: s.label}).rejected(http.StatusBadRequest, "ADDON_NOT_FOUND")
		s.post(s.label+"/package/addons/remove", object{name: attached[name]}).data()
		require.Len(t, s.addonsOf(), 0)
		s.post(s.label+"/package/remove", nil).data()
	}
}

// §3.2: a key that is older than 10 minutes is expired, however much older.
func TestForms_LateConfirmation(t *testing.T) {
	t.Parallel()
	for form, code := range map[string]string{"expired": "CONFIRMATION_EXPIRED", "invalid": "CONFIRMATION_INVALID"} {
		s := newShop(t, simulator.Forms{"late-confirmation": form})
		require.NoError(t, s.sim.SetAllowance(nil))
		key := s.assign(s.label, s.small).question(60, 0)
		s.sim.Clock().Advance(25 * time.Hour)
		s.caller = s.as(s.sim.APIKey())
		s.assign(s.label, s.small).question(60, 0)
		s.assign(s.label, s.small, key).rejected(http.StatusBadRequest, code)
	}
}

func TestForms_OrderOfAssignment(t *testing.T) {
	t.Parallel()
	for form, codes := range map[string][2]string{
		"package-first": {"PACKAGE_NOT_FOUND", "ALREADY_ASSIGNED"}, "subscription-first": {"NO_SUBSCRIPTION", "NO_SUBSCRIPTION"},
	} {
		s := newShop(t, simulator.Forms{"assign-order": form})
		s.assign(s.label, s.free).outcome("Assigned")
		require.NoError(t, s.sim.SetSubscription(false))
		s.assign(s.label, strings.Repeat("0", 32)).rejected(http.StatusBadRequest, codes[0])
		s.assign(s.label, s.free).rejected(http.StatusBadRequest, codes[1])
	}
	s := newShop(t, simulator.Forms{"unknown-package": "invalid-request"})
	s.assign(s.label, strings.Repeat("0", 32)).rejected(http.StatusBadRequest, "INVALID_REQUEST")
}

func TestForms_EmptyPackage(t *testing.T) {
	t.Parallel()
	for form, status := range map[string]int{"none": http.StatusOK, "rejected": http.StatusBadRequest} {
		c := assuming(t, simulator.Forms{"empty-package": form})
		assert.Equal(t, status, c.post(labelsPath, order(client, func(_, _, body object) { body["package"] = object{} })).status)
	}
}
