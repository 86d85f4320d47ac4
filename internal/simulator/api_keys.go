package simulator

import (
	"net/http"
	"slices"
)

// keyFields are the metadata of an API key (§2.9), never the secret.
type keyFields struct {
	ID         string   `json:"id"`
	LastFour   string   `json:"lastFour"`
	Scopes     []string `json:"scopes"`
	CreatedAt  int64    `json:"createdAt"`
	LastUsedAt *int64   `json:"lastUsedAt"`
	RevokedAt  *int64   `json:"revokedAt"`
}

// listKeys implements §4.20: the reseller's API keys, newest first, including revoked ones.
func (s *Simulator) listKeys(r *request) (any, *apiError) {
	out := []keyFields{}
	for _, k := range slices.Backward(s.store.data.Keys) {
		if k.ResellerID != r.reseller.ID {
			continue
		}
		out = append(out, keyFields{
			ID:         k.ID,
			LastFour:   k.Secret[max(0, len(k.Secret)-4):],
			Scopes:     append([]string{}, k.Scopes...),
			CreatedAt:  k.CreatedAt,
			LastUsedAt: orNull(k.LastUsedAt),
			RevokedAt:  orNull(k.RevokedAt),
		})
	}
	return map[string]any{"keys": out}, nil
}

func orNull(at int64) *int64 {
	if at == 0 {
		return nil
	}
	return &at
}

// needsSession rejects calls that create or revoke an API key: only a user who is signed in to the console can do that,
// with any scopes of the key (§5.1).
func (s *Simulator) needsSession(*request) (any, *apiError) {
	return nil, reject(http.StatusForbidden, "SESSION_REQUIRED", "Only a user who is signed in to the console can do this.")
}
