package client

import (
	"context"
	"net/http"
	"strings"
)

// MaxPeople is how many matches a search of people gives at most; there is no
// second page (§4.3).
const MaxPeople = 50

// Person is a match of a search (§2.9).
type Person struct {
	ID        string `json:"id"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
	Email     string `json:"email"`
	Status    string `json:"status"`
	Domain    string `json:"domain"`
}

type peopleAnswer struct {
	Users []Person `json:"users"`
}

func (a *peopleAnswer) missingField() string {
	if a.Users == nil {
		return "users"
	}
	return ""
}

// APIKey is what the service tells of a key, newest first; never the secret
// (§2.9, §4.20).
type APIKey struct {
	ID         string   `json:"id"`
	LastFour   string   `json:"lastFour"`
	Scopes     []string `json:"scopes"`
	CreatedAt  *Millis  `json:"createdAt"`
	LastUsedAt *Millis  `json:"lastUsedAt"`
	RevokedAt  *Millis  `json:"revokedAt"`
}

type keysAnswer struct {
	Keys []APIKey `json:"keys"`
}

func (a *keysAnswer) missingField() string {
	if a.Keys == nil {
		return "keys"
	}
	return ""
}

var (
	routePeople = route{method: http.MethodPost, path: "/console/users/search", retryable: true}
	routeKeys   = route{method: http.MethodGet, path: reseller + "/keys", retryable: true}
)

// SearchPeople finds people on the reseller's labels (§4.3), MaxPeople at most.
// An empty query finds everybody, an empty domain looks on every label. Refusal:
// INVALID_REQUEST; 400 UNAUTHORIZED for a host that is not the reseller's.
func (c *Client) SearchPeople(ctx context.Context, query, domain string) ([]Person, error) {
	body := map[string]any{}
	if query != "" {
		body["query"] = query
	}
	if domain != "" {
		body["domain"] = strings.ToLower(domain)
	}
	var out peopleAnswer
	if err := c.do(ctx, &request{op: "search people", route: routePeople, body: body}, &out); err != nil {
		return nil, err
	}
	return out.Users, nil
}

// ListAPIKeys lists what the service tells of the reseller's keys, newest first
// (§4.20). Errors of this endpoint are not documented.
func (c *Client) ListAPIKeys(ctx context.Context) ([]APIKey, error) {
	var out keysAnswer
	if err := c.do(ctx, &request{op: "list the API keys", route: routeKeys}, &out); err != nil {
		return nil, err
	}
	return out.Keys, nil
}
