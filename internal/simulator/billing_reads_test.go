package simulator_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func (s *shop) ledger(query string) []any {
	s.t.Helper()
	return list(s.t, s.get(s.label+"/points"+query).data(), "rows")
}

func TestPointsLedger(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	require.Len(t, s.ledger(""), 0)
	for i := range 25 {
		require.NoError(t, s.sim.WritePoints(clientHost, []string{"documents", "seats"}[i%2], float64(i)))
	}
	require.Equal(t, 25.0, s.get(s.label + "/points").data()["total"])
	rows := s.ledger("")
	require.Len(t, rows, 20)
	exactly(t, object{"id": id32, "itemCode": "documents", "amount": 24.0, "createdAt": float64(start.UnixMilli())}, as[object](rows[0])) // newest first
	require.Len(t, s.ledger("?page=2"), 5)
	require.Len(t, s.ledger("?page=3"), 0)
	require.Len(t, s.ledger("?pageSize=100"), 25)
	require.Equal(t, 12.0, s.get(s.label + "/points?itemCode=seats").data()["total"])
	require.Equal(t, 0.0, s.get(s.label + "/points?itemCode=stamps").data()["total"])
	for _, query := range []string{"page=0", "page=-1", "page=x", "page=", "pageSize=0", "pageSize=101"} {
		s.get(s.label+"/points?"+query).rejected(400, "INVALID_QUERY")
	}
}

// Rows that are written during paging can appear on two pages (§8).
func TestPointsWrittenWhilePaging(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	for i := range 4 {
		require.NoError(t, s.sim.WritePoints(clientHost, "documents", float64(i)))
	}
	s.sim.Inject(simulator.Fault{Route: "GET " + ofLabel + "/points", Skip: 1, Hook: func() {
		_ = s.sim.WritePoints(clientHost, "documents", 99)
	}})
	first, second := s.ledger("?pageSize=2"), s.ledger("?pageSize=2&page=2")
	require.Equal(t, text(t, second[0], "id"), text(t, first[1], "id"))
}

func TestUsage(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	s.assign(s.label, s.small).outcome("Assigned") // counts nothing here
	require.NoError(t, s.sim.UseDocuments(clientHost, 3))
	require.NoError(t, s.sim.Notarize(clientHost, 2))
	s.made(s.sim.AddTemplateInConsole(clientHost, "Terms", "terms", false))
	require.NoError(t, s.sim.WritePoints(clientHost, "documents", 7))
	require.NoError(t, s.sim.WritePoints(clientHost, "documents", -2)) // returned
	total := object{"documents": 3.0, "notarizations": 2.0, "seats": 1.0, "templates": 1.0, "points": 5.0}
	row := with(with(total, "tenantId", s.id), "primaryHost", clientHost)
	require.Equal(t, object{"period": "2026-10", "rows": []any{row}, "totals": total}, s.get(usagePath).data())
	require.Equal(t, 0.0, pick(t, s.get(usagePath+"?period=2026-09").data(), "totals", "documents"))
	for _, period := range []string{"2026-13", "lifetime", "october"} {
		s.get(usagePath+"?period="+period).rejected(400, "INVALID_REQUEST")
	}
}

func TestQuota(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	s.assign(s.label, s.small).outcome("Assigned")
	require.NoError(t, s.sim.UseDocuments(clientHost, 3))
	require.Equal(t, object{"period": "2026-10", "items": []any{
		object{"itemCode": "documents", "allowance": 100.0, "billed": 60.0, "used": 3.0, "remaining": 40.0},
		object{"itemCode": "seats", "allowance": 10.0, "billed": 1.0, "used": 1.0, "remaining": 9.0},
		object{"itemCode": "templates", "allowance": 0.0, "billed": 0.0, "used": 0.0, "remaining": 0.0},
		object{"itemCode": "notarizations", "allowance": 0.0, "billed": 0.0, "used": 0.0, "remaining": 0.0},
	}}, s.get(quotaPath).data())
}

func TestQuotaByCode(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{"quota": "by-code", "rows": "nested"})
	require.Equal(t, 100.0, pick(t, s.get(quotaPath).data(), "items", "documents", "remaining"))
	require.Len(t, list(t, s.get(s.label+"/points").data(), "rows", "rows"), 0)
}

func TestPointsPool(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	require.NoError(t, s.sim.SetPointsPool(100))
	s.sim.Clock().Advance(20 * time.Minute)
	require.NoError(t, s.sim.WritePoints(clientHost, "documents", 30))
	require.Equal(t, object{
		"granted": 100.0, "used": 30.0, "remaining": 70.0, "writtenAt": float64(start.UnixMilli()),
		"renewsAt": float64(time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC).UnixMilli()),
	}, s.get(poolPath).data())
}

// Items that were created in the console show what they include; a change applies to private labels that have them.
func TestIncludedOfMadeItems(t *testing.T) {
	t.Parallel()
	s := newShop(t, simulator.Forms{})
	require.NoError(t, s.sim.AssignInConsole(clientHost, s.small, nil))
	require.Equal(t, 60.0, pick(t, s.post(packagesPath+"/get", object{"packageId": s.small}).data(), "included", "documents"))
	got := s.post(packagesPath+"/update", object{"packageId": s.small, "included": object{"documents": 70}}).data()
	require.Equal(t, object{"documents": 70.0}, got["included"])
	require.Equal(t, 70.0, s.sim.Labels()[0].Allocated["documents"]) // of private labels that have it, too
}
