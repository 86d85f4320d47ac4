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

// Usage returns the monthly usage as the API does (§4.21). period is "YYYY-MM", "" for the current month.
func (c *Client) Usage(ctx context.Context, period string) (json.RawMessage, error) {
	var query url.Values
	if period != "" {
		query = url.Values{"period": {period}}
	}
	return c.raw(ctx, &request{op: "read the usage", route: routeUsage, query: query})
}

// Quota returns the billed quantities and the remaining allowance of each item (§4.21).
func (c *Client) Quota(ctx context.Context) (json.RawMessage, error) {
	return c.raw(ctx, &request{op: "read the quota", route: routeQuota})
}

// Points returns the reseller's points pool (§4.21).
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

// LedgerRow is one row of a private label's points ledger. Raw is the whole row.
type LedgerRow struct {
	ID       string
	ItemCode string
	Raw      json.RawMessage
}

const ledgerPageSize = 100 // maximum of §4.21

// ledgerRowNames are fields that may hold the ledger's rows, the most probable first.
var ledgerRowNames = append(slices.Clone(rowNames), "points", "ledger", "entries")

// PointsLedger returns the newest rows of a private label's points ledger, at most limit, and their total number (-1 if
// the API does not return it). itemCode "" means all items. Rows that are written during the call are not returned
// twice.
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
			seen[row.ID] = row.ID != "" // a row without an ID is always new
			rows = append(rows, row)
		}
		if read += len(answer); len(rows) == before || isLastPage(len(answer), ledgerPageSize, read, total) {
			break
		}
	}
	return rows, total, nil
}

// readLedgerRow accepts an ID that is a string or a number: the API documentation does not show its type.
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
