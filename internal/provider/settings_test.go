package provider

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

const testKey = "rsl_live_0123456789abcdef0123456789abcdef_secretsecret"

// block builds a provider block; what is not named is null.
func block(t *testing.T, values map[string]any) tfsdk.Config {
	t.Helper()
	var resp provider.SchemaResponse
	New("test")().Schema(context.Background(), provider.SchemaRequest{}, &resp)
	return tfsdk.Config{Schema: resp.Schema, Raw: objectOf(resp.Schema.Type().TerraformType(context.Background()), values)}
}

func objectOf(typ tftypes.Type, values map[string]any) tftypes.Value {
	attrs := map[string]tftypes.Value{}
	shape, ok := typ.(tftypes.Object)
	if !ok {
		panic("the schema is no object")
	}
	for name, at := range shape.AttributeTypes {
		v := values[name]
		if nested, ok := v.(map[string]any); ok {
			attrs[name] = objectOf(at, nested)
			continue
		}
		attrs[name] = tftypes.NewValue(at, v)
	}
	return tftypes.NewValue(typ, attrs)
}

// One table over all settings: each comes from the block, from its own environment variable, and the block takes
// precedence over the environment.
func TestSettings_Sources(t *testing.T) {
	t.Parallel()
	base := map[string]any{"base_url": "https://api.example", "api_key": testKey}
	for _, tc := range []struct {
		attribute, env   string
		inBlock          any
		inEnv            string
		blockGot, envGot any
		fallback         any
		read             func(settings) any
	}{
		{"base_url", "RESELLER_BASE_URL", "https://a.example", "https://b.example", "https://a.example", "https://b.example", nil, func(s settings) any { return s.api.BaseURL }},
		{"upload_url", "RESELLER_UPLOAD_URL", "https://a.example", "https://b.example", "https://a.example", "https://b.example", "", func(s settings) any { return s.api.UploadURL }},
		{"api_key", "RESELLER_API_KEY", testKey, strings.Replace(testKey, "secret", "other", 1), testKey, strings.Replace(testKey, "secret", "other", 1), nil, func(s settings) any { return s.api.APIKey }},
		{"access_token", "RESELLER_ACCESS_TOKEN", "one", "two", "one", "two", "", func(s settings) any { return s.api.AccessToken }},
		{"slug", "RESELLER_SLUG", "a.example", "b.example", "a.example", "b.example", "", func(s settings) any { return s.api.Slug }},
		{"token_cache", "RESELLER_TOKEN_CACHE", "memory", "memory", "memory", "memory", "disk", func(s settings) any { return s.tokenCache }},
		{"token_cache_dir", "RESELLER_TOKEN_CACHE_DIR", "/a", "/b", "/a", "/b", "", func(s settings) any { return s.tokenCacheDir }},
		{"operations_dir", "RESELLER_OPERATIONS_DIR", "/a", "/b", "/a", "/b", "", func(s settings) any { return s.operationsDir }},
		{"refresh", "RESELLER_REFRESH", "light", "full", true, false, false, func(s settings) any { return s.light }},
		{"max_wait", "RESELLER_MAX_WAIT", "1m", "2m", time.Minute, 2 * time.Minute, 15 * time.Minute, func(s settings) any { return s.api.MaxWait }},
		{"max_retries", "RESELLER_MAX_RETRIES", 7, "8", 7, 8, 4, func(s settings) any { return s.api.MaxRetries }},
		{"signing.url", "RESELLER_SIGNING_URL", "https://a.example", "https://b.example", "https://a.example", "https://b.example", "", func(s settings) any { return s.sign.URL }},
		{"signing.api_url", "RESELLER_SIGNING_API_URL", "https://a.example", "http://127.0.0.1:1", "https://a.example", "http://127.0.0.1:1", "", func(s settings) any { return s.sign.APIURL }},
		{"signing.user_api_key", "RESELLER_SIGNING_API_KEY", "one", "two", "one", "two", "", func(s settings) any { return s.sign.UserAPIKey }},
		{"request_timeout", "RESELLER_REQUEST_TIMEOUT", "3s", "4s", 3 * time.Second, 4 * time.Second, time.Minute, func(s settings) any { return s.api.RequestTimeout }},
	} {
		t.Run(tc.attribute, func(t *testing.T) {
			t.Parallel()
			env := func(vars map[string]string) func(string) string { return func(k string) string { return vars[k] } }
			with := func(set bool) tfsdk.Config {
				values := map[string]any{}
				maps.Copy(values, base)
				delete(values, tc.attribute)
				group, nested, isNested := strings.Cut(tc.attribute, ".")
				switch {
				case set && isNested:
					values[group] = map[string]any{nested: tc.inBlock}
				case set:
					values[tc.attribute] = tc.inBlock
				}
				return block(t, values)
			}
			check := func(name string, config tfsdk.Config, vars map[string]string, want any) {
				got, diags := resolveSettings(context.Background(), config, env(vars))
				assert.False(t, diags.HasError(), "%s: %v", name, diags)
				assert.Equal(t, want, tc.read(got), name)
			}
			both := map[string]string{tc.env: tc.inEnv}
			check("block", with(true), nil, tc.blockGot)
			check("block takes precedence over environment", with(true), both, tc.blockGot)
			check("environment", with(false), both, tc.envGot)
			if tc.fallback != nil {
				check("default", with(false), nil, tc.fallback)
			}
		})
	}
}

func TestSettings_Rules(t *testing.T) {
	t.Parallel()
	live := map[string]any{"base_url": "https://api.example", "api_key": testKey}
	for name, tc := range map[string]struct {
		block   map[string]any
		env     map[string]string
		wantErr string // part of "path: summary: detail"; "" for none
		check   func(*testing.T, settings)
	}{
		"nothing at all":         {nil, nil, "base_url: Missing provider configuration", nil},
		"no key":                 {map[string]any{"base_url": "https://api.example"}, nil, "api_key: Missing provider configuration", nil},
		"token for a key":        {map[string]any{"base_url": "https://api.example", "access_token": "t"}, nil, "", nil},
		"key from elsewhere":     {map[string]any{"base_url": "https://api.example"}, map[string]string{"RESELLER_API_KEY": testKey}, "", nil},
		"bad key in env":         {map[string]any{"base_url": "https://api.example"}, map[string]string{"RESELLER_API_KEY": "nonsense"}, "api_key: Invalid environment variable: Invalid value for api_key in environment variable RESELLER_API_KEY", nil},
		"bad token in env":       {map[string]any{"base_url": "https://api.example"}, map[string]string{"RESELLER_ACCESS_TOKEN": "two words"}, "access_token: Invalid environment variable: Invalid value for access_token in environment variable RESELLER_ACCESS_TOKEN", nil},
		"bad signing key":        {live, map[string]string{"RESELLER_SIGNING_API_KEY": "two\nlines"}, "signing.user_api_key: Invalid environment variable: Invalid value for signing.user_api_key in environment variable RESELLER_SIGNING_API_KEY", nil},
		"plain http in env":      {map[string]any{"api_key": testKey}, map[string]string{"RESELLER_BASE_URL": "http://api.example"}, "base_url: Invalid environment variable: Invalid value for base_url in environment variable RESELLER_BASE_URL", nil},
		"plain http for signing": {live, map[string]string{"RESELLER_SIGNING_API_URL": "http://sign.example"}, "signing.api_url: Invalid environment variable: Invalid value for signing.api_url in environment variable RESELLER_SIGNING_API_URL", nil},
		"unknown signing address": {map[string]any{"base_url": "https://api.example", "api_key": testKey, "signing": map[string]any{"api_url": tftypes.UnknownValue}}, nil, "", func(t *testing.T, s settings) {
			require.Empty(t, s.unknown, "unknown: and %v", s.signingUnknown)
			assert.Len(t, s.signingUnknown, 1, "unknown: %v", s.unknown)
		}},
		"bad retries in env": {live, map[string]string{"RESELLER_MAX_RETRIES": "many"}, "max_retries: Invalid environment variable: Invalid value for max_retries in environment variable RESELLER_MAX_RETRIES", nil},
		"bad wait in env":    {live, map[string]string{"RESELLER_MAX_WAIT": "-1s"}, "max_wait: Invalid environment variable: Invalid value for max_wait", nil},
		"no time in env":     {live, map[string]string{"RESELLER_REQUEST_TIMEOUT": "0s"}, "request_timeout: Invalid environment variable: Invalid value for request_timeout", nil},
		"bad cache in env":   {live, map[string]string{"RESELLER_TOKEN_CACHE": "tape"}, "token_cache: Invalid environment variable: Invalid value for token_cache", nil},
		"unknown key": {map[string]any{"base_url": "https://api.example", "api_key": tftypes.UnknownValue}, nil, "", func(t *testing.T, s settings) {
			assert.Len(t, s.unknown, 1)
		}},
		"uploads at the base URL":        {map[string]any{"base_url": "https://api.example", "api_key": testKey, "upload_url": "https://API.example:443/"}, nil, "upload_url: Invalid attribute value: Invalid value for upload_url. It equals base_url", nil},
		"uploads at the base URL in env": {map[string]any{"base_url": "https://api.example", "api_key": testKey}, map[string]string{"RESELLER_UPLOAD_URL": "https://api.example"}, "upload_url: Invalid attribute value", nil},
		"uploads below the base URL":     {map[string]any{"base_url": "https://api.example", "api_key": testKey, "upload_url": "https://api.example/upload"}, nil, "", nil},
		"uploads at another port":        {map[string]any{"base_url": "https://api.example", "api_key": testKey, "upload_url": "https://api.example:8443"}, nil, "", nil},
		"simulator": {map[string]any{"simulator": map[string]any{}}, nil, "", func(t *testing.T, s settings) {
			assert.True(t, s.simulator, "simulator %v, ephemeral %v, at %q", s.simulator, s.simulatorEphemeral, s.simulatorPath)
			assert.False(t, s.simulatorEphemeral, "simulator %v, ephemeral %v, at %q", s.simulator, s.simulatorEphemeral, s.simulatorPath)
			assert.Empty(t, s.simulatorPath, "simulator %v, ephemeral %v", s.simulator, s.simulatorEphemeral)
		}},
		"simulator of one command": {map[string]any{"simulator": map[string]any{"ephemeral": true}}, map[string]string{"RESELLER_SIMULATOR": "x.json"}, "", func(t *testing.T, s settings) {
			assert.True(t, s.simulator, "simulator %v, ephemeral %v, at %q", s.simulator, s.simulatorEphemeral, s.simulatorPath)
			assert.True(t, s.simulatorEphemeral, "simulator %v, ephemeral %v, at %q", s.simulator, s.simulatorEphemeral, s.simulatorPath)
			assert.Empty(t, s.simulatorPath, "simulator %v, ephemeral %v", s.simulator, s.simulatorEphemeral)
		}},
		"unknown ephemeral": {map[string]any{"simulator": map[string]any{"ephemeral": tftypes.UnknownValue}}, nil, "", func(t *testing.T, s settings) {
			assert.Len(t, s.unknown, 1)
		}},
		"simulator with a path": {map[string]any{"simulator": map[string]any{"path": "x.json"}}, nil, "", func(t *testing.T, s settings) {
			assert.Equal(t, "x.json", s.simulatorPath)
		}},
		"simulator block over live environment": {map[string]any{"simulator": map[string]any{}}, map[string]string{"RESELLER_BASE_URL": "https://api.example", "RESELLER_API_KEY": testKey}, "", func(t *testing.T, s settings) {
			assert.True(t, s.simulator, "live")
		}},
		"live key in the block, simulator environment":     {live, map[string]string{"RESELLER_SIMULATOR": "x.json"}, "simulator: Conflicting provider configuration: RESELLER_SIMULATOR selects the simulator, and api_key in the provider block", nil},
		"live token in the block, simulator environment":   {map[string]any{"access_token": "t"}, map[string]string{"RESELLER_SIMULATOR": "x.json"}, "simulator: Conflicting provider configuration: RESELLER_SIMULATOR selects the simulator, and access_token in the provider block", nil},
		"live address in the block, simulator environment": {map[string]any{"base_url": "https://api.example"}, map[string]string{"RESELLER_SIMULATOR": "x.json"}, "simulator: Conflicting provider configuration: RESELLER_SIMULATOR selects the simulator, and base_url in the provider block", nil},
		"unknown key, simulator environment": {map[string]any{"api_key": tftypes.UnknownValue}, map[string]string{"RESELLER_SIMULATOR": "x.json"}, "", func(t *testing.T, s settings) {
			assert.Len(t, s.unknown, 1)
		}},
		"simulator environment": {nil, map[string]string{"RESELLER_SIMULATOR": "x.json"}, "", func(t *testing.T, s settings) {
			assert.True(t, s.simulator, "simulator %v at %q", s.simulator, s.simulatorPath)
			assert.Equal(t, "x.json", s.simulatorPath, "simulator %v", s.simulator)
		}},
		"both in the environment": {nil, map[string]string{"RESELLER_SIMULATOR": "x.json", "RESELLER_API_KEY": testKey}, "simulator: Conflicting environment variables", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, diags := resolveSettings(context.Background(), block(t, tc.block), func(k string) string { return tc.env[k] })
			if tc.wantErr == "" && diags.HasError() {
				t.Fatal(diags)
			}
			if tc.wantErr != "" {
				var texts []string
				for _, d := range diags.Errors() {
					text := d.Summary() + ": " + d.Detail()
					if p, ok := d.(diag.DiagnosticWithPath); ok {
						text = p.Path().String() + ": " + text
					}
					texts = append(texts, text)
				}
				require.Contains(t, strings.Join(texts, "\n"), tc.wantErr, "diagnostics %q lack", texts)
			}
			if tc.check != nil {
				tc.check(t, got)
			}
		})
	}
}

// A value that was read from a file ends with a line break, and a pasted one may have blanks around it.
func TestSettings_Trimmed(t *testing.T) {
	t.Parallel()
	const around = "\uFEFF %s \r\n"
	values := map[string]string{
		"RESELLER_BASE_URL": "https://api.example", "RESELLER_UPLOAD_URL": "https://upload.example", "RESELLER_API_KEY": testKey, "RESELLER_ACCESS_TOKEN": "a.b.c",
		"RESELLER_SIGNING_URL": "https://sign.example", "RESELLER_SIGNING_API_URL": "https://api.sign.example", "RESELLER_SIGNING_API_KEY": "user-key",
	}
	check := func(t *testing.T, got settings, diags diag.Diagnostics) {
		t.Helper()
		require.False(t, diags.HasError(), "%v", diags)
		assert.Equal(t, []string{"https://api.example", "https://upload.example", testKey, "a.b.c", "https://sign.example", "https://api.sign.example", "user-key"},
			[]string{got.api.BaseURL, got.api.UploadURL, got.api.APIKey, got.api.AccessToken, got.sign.URL, got.sign.APIURL, got.sign.UserAPIKey})
	}
	got, diags := resolveSettings(t.Context(), block(t, nil), func(name string) string {
		if values[name] == "" {
			return ""
		}
		return fmt.Sprintf(around, values[name])
	})
	check(t, got, diags)
	assert.Equal(t, "the environment variable RESELLER_ACCESS_TOKEN", got.api.TokenOrigin)
	written := func(name string) string { return fmt.Sprintf(around, values[name]) }
	config := block(t, map[string]any{
		"base_url": written("RESELLER_BASE_URL"), "upload_url": written("RESELLER_UPLOAD_URL"), "api_key": written("RESELLER_API_KEY"), "access_token": written("RESELLER_ACCESS_TOKEN"),
		"signing": map[string]any{"url": written("RESELLER_SIGNING_URL"), "api_url": written("RESELLER_SIGNING_API_URL"), "user_api_key": written("RESELLER_SIGNING_API_KEY")},
	})
	got, diags = resolveSettings(t.Context(), config, func(string) string { return "" })
	check(t, got, diags)
	assert.Equal(t, "access_token in the provider block", got.api.TokenOrigin)
	for name, rule := range map[string]*fwtype.StringRule{"RESELLER_BASE_URL": serviceURL, "RESELLER_API_KEY": apiKeyRule, "RESELLER_ACCESS_TOKEN": accessTokenRule, "RESELLER_SIGNING_API_KEY": signingKeyRule} {
		require.NoError(t, rule.Check(written(name)), name)
		require.ErrorContains(t, rule.Check(values[name][:4]+"\n"+values[name][4:]), "contains white space", name)
	}
	_, diags = resolveSettings(t.Context(), block(t, map[string]any{"base_url": "https://api.example"}), func(name string) string { return map[string]string{"RESELLER_API_KEY": " \n"}[name] })
	require.True(t, diags.HasError(), "an empty file is a key")
	assert.Equal(t, summaryConfigMissing, diags[0].Summary())
}

func TestServiceURL(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"https://api.example", "https://api.example:8443/base", "http://127.0.0.1:8080", "http://127.8.9.1", "http://localhost", "http://LocalHost:80", "http://[::1]:1"} {
		assert.NoError(t, checkServiceURL(s), "%q", s)
	}
	for _, s := range []string{"", "api.example", "http://api.example", "http://10.0.0.1", "ftp://api.example", "https://", "https://user:pw@api.example", "https://api.example?x=1", "https://api.example#x", "https://api example", "http://127.0.0.1.example", "http://api.localhost", "http://localhost.", "http://localhost.example", "http://127.1", "http://0.0.0.0", "http://2130706433"} {
		assert.Error(t, checkServiceURL(s), "%q is allowed", s)
	}
	for _, s := range []string{testKey, "https://" + testKey + "@api.example", "https://api.example?key=" + testKey} {
		err := checkServiceURL(s)
		require.Error(t, err, "a key in the wrong place")
		assert.NotContains(t, err.Error(), testKey, "a key in the wrong place: %v", err)
	}
}
