package simulator

import (
	"maps"
	"net/http"
	"net/url"
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
	grant, secret := s.exchangeFields(r)
	if grant != "client_credentials" || secret == "" {
		return bare(http.StatusBadRequest, "invalid_request")
	}
	d := s.store.data
	k := first(d.Keys, func(k *apiKey) bool { return k.Secret == secret && k.RevokedAt == 0 })
	if k == nil {
		return bare(http.StatusUnauthorized, "invalid_client")
	}
	text := strings.Join([]string{"sim", d.newID("token"), d.newID("signature")}, ".")
	maps.DeleteFunc(d.Tokens, func(_ string, t *token) bool { return t.ExpiresAt <= millis(r.now) })
	d.Tokens[text] = &token{KeyID: k.ID, ExpiresAt: millis(r.now.Add(tokenLifetime))}
	scope := strings.Join(k.Scopes, separators[s.forms.of("scope-list")])
	return jsonAnswer(http.StatusOK, map[string]any{
		"access_token": text, "token_type": "Bearer", "expires_in": int(tokenLifetime.Seconds()), "scope": scope,
	})
}

// separators of scopes.
var separators = map[string]string{"spaces": " ", "commas": ","}

// exchangeFields reads JSON, and a form in the form that allows it.
func (s *Simulator) exchangeFields(r *request) (grant, secret string) {
	if s.forms.is("exchange-body", "json-or-form") && strings.HasPrefix(r.header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		form, err := url.ParseQuery(string(r.body))
		if err != nil {
			return "", ""
		}
		return form.Get("grant_type"), form.Get("api_key")
	}
	var body struct {
		GrantType string `json:"grant_type"`
		APIKey    string `json:"api_key"`
	}
	if r.unreadable() || decodeStrict(r.body, &body) != nil {
		return "", ""
	}
	return body.GrantType, body.APIKey
}
