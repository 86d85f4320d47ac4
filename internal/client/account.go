package client

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

var (
	routeDashboard = get("read the dashboard", "/console/dashboard")
	routePeople    = postRead("search people", "/console/users/search")
	routeKeys      = get("list the API keys", reseller+"/keys")
	routeUsage     = get("read the usage", reseller+"/usage")
	routeQuota     = get("read the quota", reseller+"/billing/quota").toward(billingLimits)
	routePoints    = get("read the points", reseller+"/billing/points").toward(billingLimits)
	routeLedger    = get("read the points ledger", privateLabel+"/points").toward(billingLimits)
)

// DashboardDomain is one host name in the dashboard (§2.9).
type DashboardDomain struct {
	Domain      string         `json:"domain,omitempty"`
	CompanyName string         `json:"companyName,omitempty"`
	UserCount   *anyjson.Count `json:"userCount"`
}

// Dashboard is the response of §4.2.
type Dashboard struct {
	TotalDomains *anyjson.Count    `json:"totalDomains"`
	TotalUsers   *anyjson.Count    `json:"totalUsers"`
	Domains      []DashboardDomain `json:"domains"`
	IsReseller   *bool             `json:"isReseller"`
	Slug         *string           `json:"slug"`
}

// Dashboard returns the overview of the reseller (§4.2). Its slug is nil if the API key acts for no reseller. It has no
// error codes of its own.
func (c *Client) Dashboard(ctx context.Context) (*Dashboard, error) {
	return fetch(ctx, c, routeDashboard, whole[Dashboard])
}

// MaxPeople is the maximum number of users that a search returns; there is no second page (§4.3).
const MaxPeople = 50

// Person is a user in the result of a search (§2.9).
type Person struct {
	ID        string `json:"id,omitempty"`
	FirstName string `json:"firstName,omitempty"`
	LastName  string `json:"lastName,omitempty"`
	Email     string `json:"email,omitempty"`
	Status    string `json:"status,omitempty"`
	Domain    string `json:"domain,omitempty"`
}

// SearchPeople returns users of the reseller's private labels, at most MaxPeople (§4.3). An empty query matches all
// users, an empty domain all private labels. Error codes: INVALID_REQUEST; 400 UNAUTHORIZED for a host name that is not
// the reseller's.
func (c *Client) SearchPeople(ctx context.Context, query, domain string) ([]Person, error) {
	body := struct {
		Query  string `json:"query,omitempty"`
		Domain string `json:"domain,omitempty"`
	}{query, transport.SentHost(domain)}
	return fetch(ctx, c, routePeople.with(body), rowsIn[Person]("users"))
}

// APIKey is an API key without its secret (§2.9, §4.20).
type APIKey struct {
	ID         string          `json:"id,omitempty"`
	LastFour   string          `json:"lastFour,omitempty"`
	Scopes     []string        `json:"scopes"`
	CreatedAt  *anyjson.Millis `json:"createdAt"`
	LastUsedAt *anyjson.Millis `json:"lastUsedAt"`
	RevokedAt  *anyjson.Millis `json:"revokedAt"`
}

// ListAPIKeys returns the reseller's API keys, newest first (§4.20). The errors of this endpoint are not documented.
func (c *Client) ListAPIKeys(ctx context.Context) ([]APIKey, error) {
	return fetch(ctx, c, routeKeys, rowsIn[APIKey]("keys"))
}

// Usage returns the monthly usage as the API does (§4.21). period is "YYYY-MM", "" for the current month.
func (c *Client) Usage(ctx context.Context, period string) (json.RawMessage, error) {
	return fetch(ctx, c, routeUsage.query("period", period), func(data json.RawMessage) (json.RawMessage, error) {
		if err := checkPeriod(period, anyjson.ReadObject(data).Text("period")); err != nil {
			return nil, err
		}
		return anyShape(data)
	})
}

// Quota returns the billed quantities and the remaining allowance of each item (§4.21).
func (c *Client) Quota(ctx context.Context) (json.RawMessage, error) {
	return fetch(ctx, c, routeQuota, anyShape)
}

// Points returns the reseller's points pool (§4.21).
func (c *Client) Points(ctx context.Context) (json.RawMessage, error) {
	return fetch(ctx, c, routePoints, anyShape)
}

// LedgerRow is one row of a private label's points ledger. Raw is the whole row.
type LedgerRow struct {
	ID       string
	ItemCode string
	Raw      json.RawMessage
}

// PointsLedger returns the newest rows of a private label's points ledger (§4.21), at most limit, and their total number
// (-1 if the API does not return it). itemCode "" means all items.
func (c *Client) PointsLedger(ctx context.Context, labelID, itemCode string, limit int) (rows []LedgerRow, total int, err error) {
	return readPages(routeLedger.Op, limit, func(r *LedgerRow) string { return r.ID }, func(number int) (page[LedgerRow], error) {
		req := routeLedger.withIDs(labelID).query("itemCode", itemCode)
		req.Query.Set("page", strconv.Itoa(number))
		req.Query.Set("pageSize", strconv.Itoa(pageSize))
		return fetch(ctx, c, req, pageOf(readLedgerRow, "rows"))
	})
}
