package simulator

import (
	"net/url"
	"slices"
	"strconv"
	"time"
)

// defaultPageSize is that of the points ledger (§8).
const defaultPageSize = 20

func badQuery(message string) *apiError {
	return bad("INVALID_QUERY", message)
}

// listPoints returns the points ledger of a private label, newest first. A row that is written between two pages shifts
// the others, so one row can be on both pages.
func (s *Simulator) listPoints(r *request, l *label) (any, *apiError) {
	p, code, rejection := readLedgerQuery(r.query)
	if rejection != nil {
		return nil, rejection
	}
	found := []map[string]any{}
	for _, row := range slices.Backward(l.Points) {
		if code == "" || row.ItemCode == code {
			found = append(found, s.forms.ledgerRow(row))
		}
	}
	return s.forms.rowsShape("rows", cut(found, p), len(found), p), nil
}

func readLedgerQuery(q url.Values) (p paging, code string, _ *apiError) {
	p = paging{page: 1, size: defaultPageSize}
	for name, into := range map[string]*int{"page": &p.page, "pageSize": &p.size} {
		if !q.Has(name) {
			continue
		}
		n, err := strconv.Atoi(q.Get(name))
		if err != nil || n < 1 || (name == "pageSize" && n > maxPageSize) {
			return p, "", badQuery("page must be at least 1, and pageSize 1 to 100.")
		}
		*into = n
	}
	return p, q.Get("itemCode"), nil
}

// usage implements §2.10: what was used, not what is billed. Seats and templates are the present ones.
func (s *Simulator) usage(r *request) (any, *apiError) {
	period := r.query.Get("period")
	if period == "" {
		period = periodOf(r.now)
	}
	if !month.MatchString(period) {
		return nil, badRequest("period must be YYYY-MM.")
	}
	return s.forms.usageShape(period, s.store.data.labelsOf(r.reseller.ID)), nil
}

// pointsUsed in a period, minus those that were returned (§2.10).
func (l *label) pointsUsed(period string) float64 {
	sum := 0.0
	for _, row := range l.Points {
		if periodOf(time.UnixMilli(row.CreatedAt)) == period {
			sum += row.Amount
		}
	}
	return sum
}

// quota returns the billed figures: for each private label the larger of allocated and used.
func (s *Simulator) quota(r *request) (any, *apiError) {
	return s.forms.quota(periodOf(r.now), s.quotaOf(r.reseller, r.now)), nil
}

func (s *Simulator) quotaOf(r *reseller, now time.Time) (out []quotaShape) {
	var used quantities
	for _, l := range s.store.data.labelsOf(r.ID) {
		used = used.plus(l.used(periodOf(now)), 1)
	}
	billed := s.billed(r, now)
	for _, code := range itemCodes {
		quota := quotaShape{ItemCode: code, Allowance: r.Allowance.get(code), Billed: billed.get(code), Used: used.get(code)}
		quota.Remaining = s.forms.shown(quota.Left())
		out = append(out, quota)
	}
	return out
}

// pointsPool is the reseller's. Renewals and expirations are written once an hour.
func (s *Simulator) pointsPool(r *request) (any, *apiError) {
	now, used := r.now.UTC(), 0.0
	for _, l := range s.store.data.labelsOf(r.reseller.ID) {
		used += l.pointsUsed(periodOf(now))
	}
	pool := map[string]any{
		"granted":   s.forms.number(r.reseller.PointsPool),
		"used":      s.forms.number(used),
		"remaining": s.forms.number(r.reseller.PointsPool - used),
		"writtenAt": s.forms.time(millis(now.Truncate(time.Hour))),
		"renewsAt":  s.forms.time(millis(time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC))),
	}
	if s.forms.isForm("points-pool", "nested") {
		return map[string]any{"pool": pool}, nil
	}
	return pool, nil
}
