package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
)

var (
	routeUsage  = route{method: http.MethodGet, path: reseller + "/usage", retryable: true}
	routeQuota  = route{method: http.MethodGet, path: reseller + "/billing/quota", retryable: true, billing: true}
	routePoints = route{method: http.MethodGet, path: reseller + "/billing/points", retryable: true, billing: true}
	routeLedger = route{method: http.MethodGet, path: reseller + "/private-labels/:tenantId/points", retryable: true, billing: true}
)

// Usage is the monthly usage as the API returns it (§4.21); period is
// `YYYY-MM`, "" for the current month.
func (c *Client) Usage(ctx context.Context, period string) (json.RawMessage, error) {
	var query url.Values
	if period != "" {
		query = url.Values{"period": {period}}
	}
	return c.raw(ctx, &request{op: "read the usage", route: routeUsage, query: query})
}

// Quota is the billed quantities and the remaining allowance of each item (§4.21).
func (c *Client) Quota(ctx context.Context) (json.RawMessage, error) {
	return c.raw(ctx, &request{op: "read the quota", route: routeQuota})
}

// Points is the reseller's points pool (§4.21).
func (c *Client) Points(ctx context.Context) (json.RawMessage, error) {
	return c.raw(ctx, &request{op: "read the points", route: routePoints})
}

func (c *Client) raw(ctx context.Context, op *request) (json.RawMessage, error) {
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

// ledgerRowNames are fields that the ledger's rows may be in, the likeliest first.
var ledgerRowNames = append(slices.Clone(rowNames), "points", "ledger", "entries")

// PointsLedger returns the newest rows of a label's points ledger, at most
// limit, and how many there are in all (-1 where the API does not say). itemCode
// "" is every item. Rows written meanwhile are not returned twice.
func (c *Client) PointsLedger(ctx context.Context, tenantID, itemCode string, limit int) (rows []LedgerRow, total int, err error) {
	const op = "read the points ledger"
	seen := map[string]bool{}
	read := 0
	for page := 1; len(rows) < limit; page++ {
		query := url.Values{"page": {strconv.Itoa(page)}, "pageSize": {strconv.Itoa(ledgerPageSize)}}
		if itemCode != "" {
			query.Set("itemCode", itemCode)
		}
		data, err := c.raw(ctx, &request{op: op, route: routeLedger, ids: ofLabel(tenantID), query: query})
		if err != nil {
			return nil, 0, err
		}
		answer, all, err := readRows(data, ledgerRowNames...)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", op, err)
		}
		total = all
		before := len(rows)
		for _, raw := range answer {
			row, err := readLedgerRow(raw)
			if err != nil {
				return nil, 0, fmt.Errorf("%s: %w", op, err)
			}
			if seen[row.ID] || len(rows) == limit {
				continue
			}
			seen[row.ID] = row.ID != "" // without an id no row is known again
			rows = append(rows, row)
		}
		if read += len(answer); len(rows) == before || isLastPage(len(answer), ledgerPageSize, read, total) {
			break
		}
	}
	return rows, total, nil
}

// readLedgerRow takes an id that is a text or a number: which is not documented.
func readLedgerRow(raw json.RawMessage) (LedgerRow, error) {
	var row struct {
		ID       json.RawMessage `json:"id"`
		ItemCode string          `json:"itemCode"`
	}
	if err := json.Unmarshal(raw, &row); err != nil {
		return LedgerRow{}, fmt.Errorf("a row cannot be read: %w", err)
	}
	var id any
	decoder := json.NewDecoder(bytes.NewReader(row.ID))
	decoder.UseNumber()
	_ = decoder.Decode(&id)
	switch id := id.(type) {
	case string:
		return LedgerRow{ID: id, ItemCode: row.ItemCode, Raw: raw}, nil
	case json.Number:
		return LedgerRow{ID: id.String(), ItemCode: row.ItemCode, Raw: raw}, nil
	default:
		return LedgerRow{ItemCode: row.ItemCode, Raw: raw}, nil
	}
}
