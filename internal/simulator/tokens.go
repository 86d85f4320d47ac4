package simulator

import (
	"maps"
	"net/http"
	"strings"
	"time"
)

const (
	tokenLifetime = time.Hour
	tokenParts    = 3
	keyPrefix     = "rsl_live_"
)

var allScopes = []string{scopeRead, scopeProvision, scopePackages}

func (d *data) key(id string) *apiKey {
	return first(d.Keys, func(k *apiKey) bool { return k.ID == id })
}

func (d *data) mintKey(resellerID string, scopes []string, now time.Time) *apiKey {
	id := d.newID("key")
	k := &apiKey{
		ID:         id,
		Secret:     keyPrefix + id + "_" + d.newID("secret"),
		ResellerID: resellerID,
		Scopes:     scopes,
		CreatedAt:  millis(now),
	}
	d.Keys = append(d.Keys, k)
	return k
}

// exchangeToken implements §4.1. Only its responses have an X-Request-Id.
func (s *Simulator) exchangeToken(r *request) *response {
	a := s.exchange(r)
	a.header.Set("X-Request-Id", s.store.data.newID("request"))
	return a
}

func (s *Simulator) exchange(r *request) *response {
	var body struct {
		GrantType string `json:"grant_type"`
		APIKey    string `json:"api_key"`
	}
	if r.unreadable() || decodeStrict(r.body, &body) != nil || body.GrantType != "client_credentials" || body.APIKey == "" {
		return bare(http.StatusBadRequest, "invalid_request")
	}
	d := s.store.data
	k := first(d.Keys, func(k *apiKey) bool { return k.Secret == body.APIKey && k.RevokedAt == 0 })
	if k == nil {
		return bare(http.StatusUnauthorized, "invalid_client")
	}
	text := strings.Join([]string{"sim", d.newID("token"), d.newID("signature")}, ".")
	maps.DeleteFunc(d.Tokens, func(_ string, t *token) bool { return t.ExpiresAt <= millis(r.now) })
	d.Tokens[text] = &token{KeyID: k.ID, ExpiresAt: millis(r.now.Add(tokenLifetime))}
	out := map[string]any{"access_token": text, "token_type": "Bearer", "expires_in": int(tokenLifetime.Seconds()), "scope": k.Scopes}
	if separator, joined := separators[s.forms.formOf("scope-list")]; joined {
		out["scope"] = strings.Join(k.Scopes, separator)
	}
	if s.forms.isForm("expires-in", "text") {
		out["expires_in"] = wholeSeconds(tokenLifetime)
	}
	return jsonAnswer(http.StatusOK, out)
}

// separators of scopes.
var separators = map[string]string{"spaces": " ", "commas": ","}
