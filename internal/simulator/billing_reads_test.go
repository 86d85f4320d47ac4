package simulator_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func (s *shop) ledger(query string) []any {
	s.t.Helper()
	return list(s.t, s.get(s.label+"/points"+query).data(), "rows")
}

func TestPointsLedger(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	equal(t, len(s.ledger("")), 0)
	for i := range 25 {
		must(t, s.sim.WritePoints(clientHost, []string{"documents", "seats"}[i%2], float64(i)))
	}
	got := s.get(s.label + "/points").data()
	equal(t, got["total"], any(25.0))
	rows := s.ledger("")
	equal(t, len(rows), 20)
	keys(t, as[object](rows[0]), "id", "itemCode", "amount", "createdAt")
	equal(t, pick(t, rows[0], "amount"), any(24.0)) // newest first
	equal(t, len(s.ledger("?page=2")), 5)
	equal(t, len(s.ledger("?page=3")), 0)
	equal(t, len(s.ledger("?pageSize=100")), 25)
	equal(t, s.get(s.label + "/points?itemCode=seats").data()["total"], any(12.0))
	for _, query := range []string{"page=0", "page=-1", "page=x", "page=", "pageSize=0", "pageSize=101", "itemCode=stamps"} {
		s.get(s.label+"/points?"+query).rejected(400, "INVALID_QUERY")
	}
}

// Rows that are written during paging can appear on two pages (§8).
func TestPointsWrittenWhilePaging(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	for i := range 4 {
		must(t, s.sim.WritePoints(clientHost, "documents", float64(i)))
	}
	s.sim.Inject(simulator.Fault{Route: "GET /console/:slug/reseller/private-labels/:tenantId/points", Skip: 1, Hook: func() {
		_ = s.sim.WritePoints(clientHost, "documents", 99)
	}})
	first, second := s.ledger("?pageSize=2"), s.ledger("?pageSize=2&page=2")
	equal(t, text(t, first[1], "id"), text(t, second[0], "id"))
}

func TestUsage(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	s.assign(s.label, s.small).outcome("Assigned") // counts nothing here
	must(t, s.sim.UseDocuments(clientHost, 3))
	must(t, s.sim.Notarize(clientHost, 2))
	must(t, s.sim.AddTemplates(clientHost, 4))
	must(t, s.sim.WritePoints(clientHost, "documents", 7))
	must(t, s.sim.WritePoints(clientHost, "documents", -2)) // returned
	want := object{"tenantId": s.id, "primaryHost": clientHost, "documents": 3, "notarizations": 2, "seats": 1, "templates": 4, "points": 5}
	got := s.get(usagePath).data()
	equal(t, got["period"], any("2026-10"))
	equal(t, fmt.Sprint(list(t, got, "rows")), fmt.Sprint([]any{want}))
	equal(t, pick(t, got, "totals", "points"), any(5.0))
	equal(t, pick(t, got, "totals", "documents"), any(3.0))
	equal(t, pick(t, s.get(usagePath+"?period=2026-09").data(), "totals", "documents"), any(0.0))
	for _, period := range []string{"2026-13", "lifetime", "october"} {
		s.get(usagePath+"?period="+period).rejected(400, "INVALID_REQUEST")
	}
}

func TestQuota(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	s.assign(s.label, s.small).outcome("Assigned")
	must(t, s.sim.UseDocuments(clientHost, 3))
	got := s.get(quotaPath).data()
	keys(t, got, "period", "items")
	want := []any{
		object{"itemCode": "documents", "allowance": 100, "billed": 60, "used": 3, "remaining": 40},
		object{"itemCode": "seats", "allowance": 10, "billed": 1, "used": 1, "remaining": 9},
		object{"itemCode": "templates", "allowance": 0, "billed": 0, "used": 0, "remaining": 0},
		object{"itemCode": "notarizations", "allowance": 0, "billed": 0, "used": 0, "remaining": 0},
	}
	equal(t, fmt.Sprint(got["items"]), fmt.Sprint(want))
}

func TestQuotaByCode(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{"quota": "by-code", "rows": "nested"})
	equal(t, pick(t, s.get(quotaPath).data(), "items", "documents", "remaining"), any(100.0))
	equal(t, len(list(t, s.get(s.label+"/points").data(), "rows", "rows")), 0)
}

func TestPointsPool(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	must(t, s.sim.SetPointsPool(100))
	s.sim.Clock().Advance(20 * time.Minute)
	must(t, s.sim.WritePoints(clientHost, "documents", 30))
	got := s.get(poolPath).data()
	keys(t, got, "granted", "used", "remaining", "writtenAt", "renewsAt")
	equal(t, got["granted"], any(100.0))
	equal(t, got["used"], any(30.0))
	equal(t, got["remaining"], any(70.0))
	equal(t, got["writtenAt"], any(float64(start.UnixMilli())))
	equal(t, got["renewsAt"], any(float64(time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC).UnixMilli())))
}

// Billing data is stored in the file.
func TestBillingInFile(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/data.json"
	first := newSim(t, simulator.Options{File: file})
	c := inProcess(t, first).as(first.APIKey())
	id := text(t, c.post(packagesPath, with(item("gold"), "price", 5)).data(), "packageId")
	_, label := c.provision(clientHost)
	c.post(label+"/package", object{"packageId": id}).data()

	second := newSim(t, simulator.Options{File: file})
	equal(t, second.Labels()[0].Package, "GOLD")
	equal(t, string(second.Packages()[0].Settings["price"]), "5")
	equal(t, len(second.Addons()), 0)
}

// Items that were created in the console show what they include; a change applies to private labels that have them.
func TestIncludedOfMadeItems(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	must(t, s.sim.AssignInConsole(clientHost, s.small, nil))
	equal(t, pick(t, s.post(packagesPath+"/get", object{"packageId": s.small}).data(), "included", "documents"), any(60.0))
	got := s.post(packagesPath+"/update", object{"packageId": s.small, "included": object{"documents": 70}}).data()
	equal(t, fmt.Sprint(got["included"]), "map[documents:70]")
	equal(t, s.sim.Labels()[0].Allocated["documents"], 70) // of private labels that have it, too
}
