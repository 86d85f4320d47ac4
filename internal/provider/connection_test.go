package provider_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
)

// A command that calls the APIs itself has the settings of the environment, and their errors.
func TestConnection(t *testing.T) {
	t.Parallel()
	const key = "rsl_live_0123456789abcdef0123456789abcdef_secret"
	whole := map[string]string{
		"RESELLER_BASE_URL": "https://api.example", "RESELLER_API_KEY": key, "RESELLER_REQUEST_TIMEOUT": "7s",
		"RESELLER_SIGNING_URL": "https://sign.example", "RESELLER_SIGNING_API_KEY": "user-key",
	}
	api, sign, err := provider.Connection(t.Context(), "1.2.3", func(name string) string { return whole[name] })
	if err != nil || api.BaseURL != "https://api.example" || api.APIKey != key || api.RequestTimeout != 7*time.Second ||
		sign.UserAPIKey != "user-key" || sign.RequestTimeout != 7*time.Second || api.UserAgent != "terraform-provider-reseller/1.2.3" {
		t.Errorf("%+v, %+v, %v", api, sign, err)
	}
	for name, tc := range map[string]struct {
		env  map[string]string
		want string
	}{
		"none":      {nil, "RESELLER_BASE_URL"},
		"no key":    {map[string]string{"RESELLER_BASE_URL": "https://api.example"}, "RESELLER_API_KEY"},
		"http":      {map[string]string{"RESELLER_BASE_URL": "http://api.example", "RESELLER_API_KEY": key}, "unencrypted"},
		"half key":  {map[string]string{"RESELLER_BASE_URL": "https://api.example", "RESELLER_API_KEY": "rsl_live_secretsecret"}, "whole API key"},
		"simulator": {map[string]string{"RESELLER_SIMULATOR": "data.json"}, "RESELLER_SIMULATOR selects the simulator"},
	} {
		_, _, err := provider.Connection(t.Context(), "1.2.3", func(name string) string { return tc.env[name] })
		assert.ErrorContains(t, err, tc.want, name)
		assert.NotContains(t, err.Error(), "secretsecret", "%s: %v", name, err)
	}
}
