package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBadInput_Secrets sets each sensitive attribute to values that must be rejected or accepted without showing them:
// a mistyped key is still a secret.
func TestBadInput_Secrets(t *testing.T) {
	t.Parallel()
	const secret = "hunter2hunter2"
	srv, err := providerserver.NewProtocol6WithError(New("test")())()
	require.NoError(t, err)
	schemas, err := srv.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	rejected := map[string]bool{}
	check := func(where, value string, diags []*tfprotov6.Diagnostic, err error) {
		require.NoError(t, err)
		for _, d := range diags {
			assert.NotContains(t, d.Summary+d.Detail, secret, "%s: %q is shown: %s: %s", where, value, d.Summary, d.Detail)
			if d.Attribute != nil && strings.HasSuffix(where, lastName(d.Attribute)) {
				rejected[where] = true
			}
		}
	}
	for _, value := range []string{secret, " " + secret, secret + "\n", "rsl_live_" + secret, "12345 " + secret, strings.Repeat(secret, 50), "http://" + secret} {
		for where, config := range sensitiveConfigs(t, "provider", schemas.Provider, value) {
			resp, err := srv.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: config})
			check(where, value, resp.Diagnostics, err)
		}
		for name, s := range schemas.ResourceSchemas {
			for where, config := range sensitiveConfigs(t, name, s, value) {
				resp, err := srv.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: name, Config: config})
				check(where, value, resp.Diagnostics, err)
			}
		}
		for name, s := range schemas.DataSourceSchemas {
			for where, config := range sensitiveConfigs(t, name, s, value) {
				resp, err := srv.ValidateDataResourceConfig(t.Context(), &tfprotov6.ValidateDataResourceConfigRequest{TypeName: name, Config: config})
				check(where, value, resp.Diagnostics, err)
			}
		}
	}
	for _, where := range []string{"provider.api_key", "provider.access_token", "provider.signing.user_api_key", "reseller_document.passcode"} {
		assert.True(t, rejected[where], "%s takes all of it, so nothing was tried", where)
	}
}

func lastName(at *tftypes.AttributePath) string {
	name, _ := at.LastStep().(tftypes.AttributeName)
	return "." + string(name)
}

// sensitiveConfigs are configurations with exactly one sensitive text each, by its path.
func sensitiveConfigs(t *testing.T, name string, s *tfprotov6.Schema, value string) map[string]*tfprotov6.DynamicValue {
	t.Helper()
	whole, _ := s.ValueType().(tftypes.Object)
	out := map[string]*tfprotov6.DynamicValue{}
	add := func(where string, v tftypes.Value) {
		config, err := tfprotov6.NewDynamicValue(whole, v)
		require.NoError(t, err)
		out[where] = &config
	}
	text := tftypes.NewValue(tftypes.String, value)
	for _, a := range s.Block.Attributes {
		if isSecretText(a) {
			add(name+"."+a.Name, onlyAttribute(whole, a.Name, text))
		}
		if a.NestedType == nil || a.NestedType.Nesting != tfprotov6.SchemaObjectNestingModeSingle {
			continue
		}
		inner, _ := whole.AttributeTypes[a.Name].(tftypes.Object)
		for _, b := range a.NestedType.Attributes {
			if isSecretText(b) {
				add(name+"."+a.Name+"."+b.Name, onlyAttribute(whole, a.Name, onlyAttribute(inner, b.Name, text)))
			}
		}
	}
	return out
}

func isSecretText(a *tfprotov6.SchemaAttribute) bool {
	return a.Sensitive && (a.Optional || a.Required) && a.Type != nil && a.Type.Is(tftypes.String)
}

// onlyAttribute is an object with exactly one attribute.
func onlyAttribute(typ tftypes.Object, name string, value tftypes.Value) tftypes.Value {
	fields := map[string]tftypes.Value{}
	for field, fieldType := range typ.AttributeTypes {
		fields[field] = tftypes.NewValue(fieldType, nil)
	}
	fields[name] = value
	return tftypes.NewValue(typ, fields)
}
