package client

import (
	"context"
	"net/http"
	"strings"
)

// MaxPeople is the maximum number of users that a search returns; there is no second page (§4.3).
const MaxPeople = 50

// Person is a user in the result of a search (§2.9).
type Person struct {
	ID        string `json:"id"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
	Email     string `json:"email"`
	Status    string `json:"status"`
	Domain    string `json:"domain"`
}

type peopleResponse struct {
	Users []Person `json:"users"`
}

func (a *peopleResponse) missingField() string {
	if a.Users == nil {
		return "users"
	}
	return ""
}

// APIKey is an API key without its secret (§2.9, §4.20).
type APIKey struct {
	ID         string   `json:"id"`
	LastFour   string   `json:"lastFour"`
	Scopes     []string `json:"scopes"`
	CreatedAt  *Millis  `json:"createdAt"`
	LastUsedAt *Millis  `json:"lastUsedAt"`
	RevokedAt  *Millis  `json:"revokedAt"`
}

type keysResponse struct {
	Keys []APIKey `json:"keys"`
}

func (a *keysResponse) missingField() string {
	if a.Keys == nil {
		return "keys"
	}
	return ""
}

var (
	routePeople = route{method: http.MethodPost, path: "/console/users/search", retryable: true}
	routeKeys   = route{method: http.MethodGet, path: reseller + "/keys", retryable: true}
)

// SearchPeople returns users of the reseller's private labels, at most MaxPeople (§4.3). An empty query matches all
// users, an empty domain all private labels. Error codes: INVALID_REQUEST; 400 UNAUTHORIZED for a host name that is not
// the reseller's.
func (c *Client) SearchPeople(ctx context.Context, query, domain string) ([]Person, error) {
	body := map[string]any{}
	if query != "" {
		body["query"] = query
	}
	if domain != "" {
		body["domain"] = strings.ToLower(domain)
	}
	var out peopleResponse
	if err := c.do(ctx, &request{op: "search people", route: routePeople, body: body}, &out); err != nil {
		return nil, err
	}
	return out.Users, nil
}

// ListAPIKeys returns the reseller's API keys, newest first (§4.20). The errors of this endpoint are not documented.
func (c *Client) ListAPIKeys(ctx context.Context) ([]APIKey, error) {
	var out keysResponse
	if err := c.do(ctx, &request{op: "list the API keys", route: routeKeys}, &out); err != nil {
		return nil, err
	}
	return out.Keys, nil
}
