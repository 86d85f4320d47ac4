package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

var (
	routeUsage  = route{method: http.MethodGet, path: reseller + "/usage", repeatable: true}
	routeQuota  = route{method: http.MethodGet, path: reseller + "/billing/quota", repeatable: true, billing: true}
	routePoints = route{method: http.MethodGet, path: reseller + "/billing/points", repeatable: true, billing: true}
	routeLedger = route{method: http.MethodGet, path: reseller + "/private-labels/:tenantId/points", repeatable: true, billing: true}
)

// Usage is the monthly usage as the service tells it (§4.21); period is
// `YYYY-MM`, "" for the current month.
func (c *Client) Usage(ctx context.Context, period string) (json.RawMessage, error) {
	var query url.Values
	if period != "" {
		query = url.Values{"period": {period}}
	}
	return c.raw(ctx, &call{op: "read the usage", route: routeUsage, query: query})
}

// Quota is the billed figures and what remains of each item (§4.21).
func (c *Client) Quota(ctx context.Context) (json.RawMessage, error) {
	return c.raw(ctx, &call{op: "read the quota", route: routeQuota})
}

// Points is the reseller's points pool (§4.21).
func (c *Client) Points(ctx context.Context) (json.RawMessage, error) {
	return c.raw(ctx, &call{op: "read the points", route: routePoints})
}

func (c *Client) raw(ctx context.Context, op *call) (json.RawMessage, error) {
	var data json.RawMessage
	if err := c.do(ctx, op, &data); err != nil {
		return nil, err
	}
	return data, nil
}

// LedgerRow is one row of a label's points ledger; Raw is all that it says.
type LedgerRow struct {
	ID       string
	ItemCode string
	Raw      json.RawMessage
}

const ledgerPageSize = 100 // the most that §4.21 allows

// PointsLedger returns the newest rows of a label's points ledger, at most
// limit, and how many there are in all (-1 where the service does not tell).
// itemCode "" is every item. Rows written meanwhile are not returned twice.
func (c *Client) PointsLedger(ctx context.Context, tenantID, itemCode string, limit int) (rows []LedgerRow, total int, err error) {
	const op = "read the points ledger"
	seen := map[string]bool{}
	for page := 1; len(rows) < limit; page++ {
		query := url.Values{"page": {strconv.Itoa(page)}, "pageSize": {strconv.Itoa(ledgerPageSize)}}
		if itemCode != "" {
			query.Set("itemCode", itemCode)
		}
		data, err := c.raw(ctx, &call{op: op, route: routeLedger, ids: ofLabel(tenantID), query: query})
		if err != nil {
			return nil, 0, err
		}
		answer, all, err := readRows(data)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", op, err)
		}
		total = all
		before := len(rows)
		for _, raw := range answer {
			var row struct {
				ID       string `json:"id"`
				ItemCode string `json:"itemCode"`
			}
			if err := json.Unmarshal(raw, &row); err != nil {
				return nil, 0, fmt.Errorf("%s: a row cannot be read: %w", op, err)
			}
			if !seen[row.ID] && len(rows) < limit {
				seen[row.ID] = true
				rows = append(rows, LedgerRow{ID: row.ID, ItemCode: row.ItemCode, Raw: raw})
			}
		}
		if len(rows) == before || len(answer) < ledgerPageSize || total >= 0 && page*ledgerPageSize >= total {
			break
		}
	}
	return rows, total, nil
}
