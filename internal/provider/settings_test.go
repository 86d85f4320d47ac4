package provider

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
)

const testKey = "rsl_live_0123456789abcdef0123456789abcdef_secretsecret"

// block is a provider block in JSON; what is not named is null, and the attributes with unknown's name are unknown.
func block(t *testing.T, text, unknown string) tfsdk.Config {
	t.Helper()
	var resp provider.SchemaResponse
	New("test")().Schema(t.Context(), provider.SchemaRequest{}, &resp)
	raw, err := (&tfprotov6.DynamicValue{JSON: []byte(text)}).Unmarshal(resp.Schema.Type().TerraformType(t.Context()))
	require.NoError(t, err, text)
	raw, err = tftypes.Transform(raw, func(at *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		if at.LastStep() == tftypes.AttributeName(unknown) {
			return tftypes.NewValue(v.Type(), tftypes.UnknownValue), nil
		}
		return v, nil
	})
	require.NoError(t, err)
	return tfsdk.Config{Schema: resp.Schema, Raw: raw}
}

// named are settings by their attributes.
func (s settings) named() map[string]any {
	return map[string]any{
		"base_url": s.api.BaseURL, "upload_url": s.api.UploadURL, "api_key": s.api.APIKey, "access_token": s.api.AccessToken, "slug": s.api.Slug,
		"token_cache": s.tokenCache, "token_cache_dir": s.tokenCacheDir, "operations_dir": s.operationsDir, "refresh": map[bool]string{true: "light", false: "full"}[s.light],
		"max_wait": s.api.MaxWait, "max_retries": s.api.MaxRetries, "request_timeout": s.api.RequestTimeout,
		"signing.url": s.sign.URL, "signing.api_url": s.sign.APIURL, "signing.user_api_key": s.sign.UserAPIKey,
	}
}

// One table over all settings: each comes from the block, from its own environment variable, and the block takes
// precedence over the environment.
func TestSettings_Sources(t *testing.T) {
	t.Parallel()
	const required = "-"
	for _, row := range texttable.Rows(strings.NewReplacer("KEY", testKey, "OTHER", testKey+"2").Replace(`
		base_url             | https://a.example | https://b.example  | -
		upload_url           | https://a.example | https://b.example  | ""
		api_key              | KEY               | OTHER              | -
		access_token         | one               | two                | ""
		slug                 | a.example         | b.example          | ""
		token_cache          | memory            | memory             | disk
		token_cache_dir      | /a                | /b                 | ""
		operations_dir       | /a                | /b                 | ""
		refresh              | light             | light              | full
		max_wait             | 1m0s              | 2m0s               | 15m0s
		max_retries          | 7                 | 8                  | 4
		request_timeout      | 3s                | 4s                 | 1m0s
		signing.url          | https://a.example | https://b.example  | ""
		signing.api_url      | https://a.example | http://127.0.0.1:1 | ""
		signing.user_api_key | one               | two                | ""
	`)) { // attribute, value in the block, value in the environment, default
		attribute, inBlock, inEnv, fallback := row[0], row[1], row[2], row[3]
		base := map[string]any{"base_url": "https://api.example", "api_key": testKey}
		delete(base, attribute)
		config := func(isSet bool) tfsdk.Config {
			var value any = inBlock
			if attribute == "max_retries" {
				value = json.Number(inBlock)
			}
			group, nested, isNested := strings.Cut(attribute, ".")
			delete(base, group)
			if isSet && isNested {
				base[group] = map[string]any{nested: value}
			} else if isSet {
				base[attribute] = value
			}
			text, err := json.Marshal(base)
			require.NoError(t, err)
			return block(t, string(text), "")
		}
		check := func(source string, config tfsdk.Config, inEnv, want string) {
			variable := strings.NewReplacer(".", "_", "SIGNING.USER_API_KEY", "SIGNING_API_KEY").Replace("RESELLER_" + strings.ToUpper(attribute))
			got, diags := resolveSettings(t.Context(), config, func(name string) string { return map[string]string{variable: inEnv}[name] })
			assert.False(t, diags.HasError(), "%s, %s: %v", attribute, source, diags)
			assert.Equal(t, want, fmt.Sprint(got.named()[attribute]), "%s, %s", attribute, source)
		}
		check("block", config(true), "", inBlock)
		check("block takes precedence over environment", config(true), inEnv, inBlock)
		delete(base, attribute)
		check("environment", config(false), inEnv, inEnv)
		if fallback != required {
			check("default", config(false), "", fallback)
		}
	}
}

// Settings that cannot be used are errors before any call, which show no key. What can be used is "its
// mode|the simulator's file|unknown attributes|unknown ones of the Signing API".
func TestSettings_Rules(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/settings.txt")
	require.NoError(t, err)
	for _, row := range texttable.Rows(string(text)) { // name, block, environment, what is said
		name, want := row[0], row[3]
		env := map[string]string{}
		for entry := range strings.SplitSeq(strings.NewReplacer("=KEY", "="+testKey, `\n`, "\n").Replace(row[2]), ",") {
			variable, value, _ := strings.Cut(entry, "=")
			env["RESELLER_"+variable] = value
		}
		attributes, unknown, _ := strings.Cut(strings.TrimPrefix(row[1], "-"), "?")
		attributes = strings.NewReplacer("URL", `"base_url":"https://api.example"`, "KEY", `"api_key":"`+testKey+`"`).Replace(attributes)
		config := block(t, "{"+attributes+"}", unknown)
		said := validated(t, config.Raw)
		got, diags := resolveSettings(t.Context(), config, func(variable string) string { return env[variable] })
		for _, d := range diags.Errors() {
			if p, ok := d.(diag.DiagnosticWithPath); ok {
				said += p.Path().String() + ": "
			}
			said += d.Summary() + ": " + d.Detail() + "\n"
		}
		assert.NotContains(t, said, "secretsecret", name)
		if said == "" {
			mode := map[bool]string{false: "live", true: "simulator"}[got.simulator]
			if got.simulatorEphemeral {
				mode = "ephemeral"
			}
			said = fmt.Sprintf("%s|%s|%v|%v", mode, got.simulatorPath, got.unknown, got.signingUnknown)
			assert.Equal(t, want, said, name)
		}
		assert.Contains(t, said, want, name)
	}
}

// validated is what the provider says of a block without the environment.
func validated(t *testing.T, raw tftypes.Value) (said string) {
	t.Helper()
	config, err := tfprotov6.NewDynamicValue(raw.Type(), raw)
	require.NoError(t, err)
	resp, err := NewServer("test", Options{})().ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: &config})
	require.NoError(t, err)
	for _, d := range resp.Diagnostics {
		said += d.Summary + ": " + d.Detail + "\n"
	}
	return said
}

// A value that was read from a file ends with a line break, and a pasted one may have blanks around it.
func TestSettings_Trimmed(t *testing.T) {
	t.Parallel()
	rules := map[string]*fwtype.StringRule{"base_url": serviceURL, "api_key": apiKeyRule, "access_token": accessTokenRule, "user_api_key": signingKeyRule}
	values := map[string]string{
		"base_url": "https://api.example", "upload_url": "https://upload.example", "api_key": testKey, "access_token": "a.b.c",
		"signing.url": "https://sign.example", "signing.api_url": "https://api.sign.example", "signing.user_api_key": "user-key",
	}
	env, inBlock, signing := map[string]string{}, map[string]any{}, map[string]any{}
	for name, value := range values {
		around := "\uFEFF " + value + " \r\n"
		env[strings.NewReplacer(".", "_", "SIGNING.USER_API_KEY", "SIGNING_API_KEY").Replace("RESELLER_"+strings.ToUpper(name))] = around
		if nested, isNested := strings.CutPrefix(name, "signing."); isNested {
			signing[nested], name = around, nested
		} else {
			inBlock[name] = around
		}
		if rule := rules[name]; rule != nil {
			require.NoError(t, rule.Check(around), name)
			require.ErrorContains(t, rule.Check(value[:4]+"\n"+value[4:]), "contains white space", name)
		}
	}
	inBlock["signing"] = signing
	text, err := json.Marshal(inBlock)
	require.NoError(t, err)
	for origin, source := range map[string]struct {
		block string
		env   map[string]string
	}{
		"the environment variable RESELLER_ACCESS_TOKEN": {"{}", env},
		"access_token in the provider block":             {string(text), nil},
	} {
		got, diags := resolveSettings(t.Context(), block(t, source.block, ""), func(name string) string { return source.env[name] })
		require.False(t, diags.HasError(), "%v", diags)
		for name, want := range values {
			assert.Equal(t, want, got.named()[name], "%s of %s", name, origin)
		}
		assert.Equal(t, origin, got.api.TokenOrigin)
	}
}

func TestSettings_ServiceURL(t *testing.T) {
	t.Parallel()
	for s := range strings.FieldsSeq("https://api.example https://api.example:8443/base http://127.0.0.1:8080 http://127.8.9.1 http://localhost http://LocalHost:80 http://[::1]:1") {
		assert.NoError(t, checkServiceURL(s), "%q", s)
	}
	for _, s := range append(strings.Fields(`
		api.example http://api.example http://10.0.0.1 ftp://api.example https:// https://user:pw@api.example https://api.example?x=1 https://api.example#x
		http://127.0.0.1.example http://api.localhost http://localhost. http://localhost.example http://127.1 http://0.0.0.0 http://2130706433
	`), "", "https://api example") {
		assert.Error(t, checkServiceURL(s), "%q is allowed", s)
	}
	for _, s := range []string{testKey, "https://" + testKey + "@api.example", "https://api.example?key=" + testKey} {
		err := checkServiceURL(s)
		require.Error(t, err, "a key in the wrong place")
		assert.NotContains(t, err.Error(), testKey, "a key in the wrong place")
	}
}

// A command that calls the APIs itself has the settings of the environment, and their errors.
func TestSettings_OfACommand(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"RESELLER_BASE_URL": "https://api.example", "RESELLER_API_KEY": testKey, "RESELLER_REQUEST_TIMEOUT": "7s",
		"RESELLER_SIGNING_URL": "https://sign.example", "RESELLER_SIGNING_API_KEY": "user-key",
	}
	connect := func() (string, error) {
		api, sign, err := Connection(t.Context(), "1.2.3", func(name string) string { return env[name] })
		return strings.Join([]string{api.BaseURL, api.APIKey, api.RequestTimeout.String(), sign.UserAPIKey, sign.RequestTimeout.String(), api.UserAgent}, " "), err
	}
	got, err := connect()
	require.NoError(t, err)
	assert.Equal(t, "https://api.example "+testKey+" 7s user-key 7s terraform-provider-reseller/1.2.3", got)
	for _, tc := range []struct{ variable, value, want string }{
		{"RESELLER_API_KEY", "rsl_live_secretsecret", "whole API key"},
		{"RESELLER_API_KEY", "", "RESELLER_API_KEY"},
		{"RESELLER_BASE_URL", "http://api.example", "unencrypted"},
		{"RESELLER_BASE_URL", "", "RESELLER_BASE_URL"},
		{"RESELLER_SIMULATOR", "data.json", "RESELLER_SIMULATOR selects the simulator"},
	} {
		env[tc.variable] = tc.value
		_, err := connect()
		assert.ErrorContains(t, err, tc.want)
		assert.NotContains(t, err.Error(), "secretsecret")
	}
}

func TestSettings_OperationsDirs(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	require.NoError(t, err)
	for _, row := range texttable.Rows(strings.ReplaceAll(`
		""   | /cache | ""    | /cache/operations HERE/.terraform/operations
		""   | ""     | ""    | HERE/.terraform/operations
		""   | /cache | /data | /cache/operations /data/operations
		""   | cache  | data  | HERE/cache/operations HERE/data/operations
		/set | /cache | /data | /set
		set  | ""     | ""    | HERE/set
	`, "HERE", here)) { // operations_dir, token_cache_dir, TF_DATA_DIR, the directories
		got := operationsDirs(settings{operationsDir: row[0]}, row[1], func(string) string { return row[2] })
		assert.Equal(t, row[3], filepath.ToSlash(strings.Join(got, " ")), row)
	}
}

// A command has no provider block, so its errors name the environment variables only.
func TestSettings_WithoutBlock(t *testing.T) {
	t.Parallel()
	config := block(t, "{}", "")
	config.Raw = tftypes.NewValue(config.Raw.Type(), nil)
	for env, want := range map[string]string{
		"":                  "base_url and api_key are not set.\n\nSet RESELLER_BASE_URL and RESELLER_API_KEY.",
		"RESELLER_API_KEY":  "base_url is not set.\n\nSet RESELLER_BASE_URL.",
		"RESELLER_BASE_URL": "Neither api_key nor access_token is set.\n\nSet RESELLER_API_KEY.",
	} {
		values := map[string]string{"RESELLER_API_KEY": testKey, "RESELLER_BASE_URL": "https://api.example"}
		_, diags := resolveSettings(t.Context(), config, func(variable string) string {
			if variable != env {
				return ""
			}
			return values[variable]
		})
		require.Len(t, diags, 1, env)
		assert.Equal(t, want, diags[0].Detail(), env)
	}
}
