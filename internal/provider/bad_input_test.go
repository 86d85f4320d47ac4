package provider_test

import (
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
)

// socialLinks are n entries.
func socialLinks(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "link%d = \"https://social.example/%d\"\n", i, i)
	}
	return "social_links = {\n" + b.String() + "}"
}

// Each kind of bad input is an error at validate, without a call. An ID that is none says where to find it.
func TestBadInput(t *testing.T) {
	t.Parallel()
	const hostForID = `Invalid value for private_label_id: "sign.acme.example". Set the ID of a private label, 32 lowercase hex characters; sign.acme.example is a host name`
	w := providertest.NewTestEnv(t)
	for _, row := range texttable.Rows(strings.NewReplacer(
		"LABEL", `resource private_label: domain = "a.example";`, "HOST_FOR_ID", hostForID, "BOB", `email = "bob@acme.example"; first_name = "B"; last_name = "B"`,
		"REASON501", strings.Repeat("é", 501),
	).Replace(`
		resource private_label: domain = "https://sign.acme.example" | such as sign.acme.example
		resource private_label: domain = "sign.acme.example/x"       | such as sign.acme.example
		resource private_label: domain = ""                          | such as sign.acme.example
		resource private_label:                                      | The argument "domain" is required
		LABEL app_name = "  "                                        | must not be blank
		LABEL owner = { email = "ada", first_name = "Ada", last_name = "L" }           | Write one plain email address
		LABEL owner = { email = "ada@a.example", first_name = " ", last_name = "L" }   | must not be blank
		LABEL owner = { email = "ada@a.example", first_name = "Ada", last_name = "" }  | must not be blank
		LABEL color_primary = "green"                                | Write a color as
		LABEL color_accent = "#12345"                                | Write a color as
		LABEL support_url = "acme.example"                           | full http or https URL
		LABEL website_url = "ftp://acme.example"                     | full http or https URL
		LABEL LINKS21                                                | at most 20
		LABEL social_links = { x = "acme" }                          | full http or https URL
		LABEL social_links = { appName = "https://acme.example" }    | value must be none of
		LABEL social_links = { "a b" = "https://acme.example" }      | must be a field name in camelCase
		LABEL suspended = true; suspend_reason = "REASON501"         | between 1 and 500
		LABEL suspend_reason = "unpaid"                              | Invalid attribute combination
		LABEL suspended = false; suspend_reason = "unpaid"           | Invalid attribute combination
		LABEL deletion_policy = "DELETE"                             | value must be one of
		data private_label:                                          | Exactly one of
		data private_label: id = "0123456789abcdef0123456789abcdef"; domain = "a.example" | Exactly one of
		data private_label: id = "../../x"                           | 32 lowercase hex characters
		data private_labels: period = "2026-13"                      | YYYY-MM
		data private_labels: status = "Gone"                         | value must be one of
		data members: private_label_id = "sign.acme.example"         | HOST_FOR_ID
		resource member: private_label_id = "sign.acme.example"; BOB | HOST_FOR_ID
		resource assignment: private_label_id = "sign.acme.example"; package_id = "0123456789abcdef0123456789abcdef" | HOST_FOR_ID
		resource domain_verification: private_label_id = "sign.acme.example" | data "reseller_private_label" "example" { domain = "sign.acme.example" }
		resource assignment: private_label_id = "0123456789abcdef0123456789abcdef"; package_id = "PLAN-01" | Invalid value for package_id: "PLAN-01". Set the ID of a package, 32 lowercase hex characters. A code is not an ID.
		resource assignment: private_label_id = "0123456789abcdef0123456789abcdef"; package_id = "PLAN-01" | data "reseller_package" "example" { code = "PLAN-01" }
	`)) {
		head, body, _ := strings.Cut(row[0], ":")
		kind, typ, _ := strings.Cut(head, " ")
		c := coretest.New(t, w)
		c.Config(w.Config(fmt.Sprintf("%s \"reseller_%s\" \"bad\" {\n%s\n}\n", kind, typ, strings.NewReplacer("; ", "\n", "LINKS21", socialLinks(21)).Replace(body))))
		r := c.Validate()
		r.WantError(t, row[1])
		assert.Equal(t, strings.Contains(row[0], `"sign.acme.example"`), strings.Contains(r.Out, "is a host name"), row[0])
	}
	// A value that a plan knows first, and one that a CLI makes up for a mock, are errors of the plan.
	c := coretest.New(t, w)
	for _, row := range texttable.Rows(`
		member              | email = "bob@acme.example"; first_name = "B"; last_name = "B"
		assignment          | package_id = "0123456789abcdef0123456789abcdef"
		domain_verification | ""
	`) {
		for value, want := range map[string]string{"reseller_private_label.acme.domain": hostForID, `"acme"`: `Invalid value for private_label_id: "acme". Set the ID of a private label`} {
			c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "") +
				fmt.Sprintf("resource \"reseller_%s\" \"bad\" {\n%s\nprivate_label_id = %s\n}\n", row[0], strings.ReplaceAll(row[1], "; ", "\n"), value)))
			c.Plan().WantError(t, want)
		}
	}
	w.Sim.ResetJournal()
	// The limits themselves are allowed.
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, socialLinks(20)+"\nsuspended = true\nsuspend_reason = \""+strings.Repeat("é", 500)+"\"")))
	c.Validate().WantOK(t)
	assert.Empty(t, w.Sim.Journal(), "validate made calls")
}

// validated calls check for each configuration of each schema: with all values, and then with one of them replaced.
func validated(t *testing.T, replacements func(schema *tfprotov6.Schema, at *tftypes.AttributePath, was tftypes.Value) []any, check func(where string, bad any, told []*tfprotov6.Diagnostic)) {
	t.Helper()
	p := providertest.NewTestEnv(t).Protocol()
	actions := map[string]*tfprotov6.Schema{}
	for name, schema := range p.Schema.ActionSchemas {
		actions[name] = schema.Schema
	}
	for method, schemas := range map[string]map[string]*tfprotov6.Schema{
		"ValidateProviderConfig": {"provider": p.Schema.Provider}, "ValidateResourceConfig": p.Schema.ResourceSchemas,
		"ValidateDataResourceConfig": p.Schema.DataSourceSchemas, "ValidateEphemeralResourceConfig": p.Schema.EphemeralResourceSchemas,
		"ValidateListResourceConfig": p.Schema.ListResourceSchemas, "ValidateActionConfig": actions,
	} {
		validate := reflect.ValueOf(p.Server).MethodByName(method)
		for name, schema := range schemas {
			whole := filledValue(schema.ValueType())
			require.NoError(t, tftypes.Walk(whole, func(at *tftypes.AttributePath, was tftypes.Value) (bool, error) {
				for _, bad := range replacements(schema, at, was) {
					config, err := tftypes.Transform(whole, func(here *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
						if !here.Equal(at) {
							return v, nil
						}
						return tftypes.NewValue(v.Type(), bad), nil
					})
					require.NoError(t, err)
					req := reflect.New(validate.Type().In(1).Elem())
					req.Elem().FieldByName("Config").Set(reflect.ValueOf(providertest.Dynamic(config)))
					for _, field := range []string{"TypeName", "ActionType"} {
						if value := req.Elem().FieldByName(field); value.IsValid() {
							value.SetString(name)
						}
					}
					out := validate.Call([]reflect.Value{reflect.ValueOf(t.Context()), req})
					require.True(t, out[1].IsNil(), out[1])
					told, _ := reflect.TypeAssert[[]*tfprotov6.Diagnostic](out[0].Elem().FieldByName("Diagnostics"))
					check(name+"."+lastName(at), bad, told)
				}
				return true, nil
			}))
		}
	}
}

// lastName is the attribute at the end of a path, if it ends with one.
func lastName(at *tftypes.AttributePath) string {
	name, _ := at.LastStep().(tftypes.AttributeName)
	return string(name)
}

// filledValue has a value in every place.
func filledValue(typ tftypes.Type) tftypes.Value {
	switch t := typ.(type) {
	case tftypes.Object:
		values := map[string]tftypes.Value{}
		for name, inner := range t.AttributeTypes {
			values[name] = filledValue(inner)
		}
		return tftypes.NewValue(typ, values)
	case tftypes.List:
		return tftypes.NewValue(typ, []tftypes.Value{filledValue(t.ElementType)})
	case tftypes.Set:
		return tftypes.NewValue(typ, []tftypes.Value{filledValue(t.ElementType)})
	case tftypes.Map:
		return tftypes.NewValue(typ, map[string]tftypes.Value{"key": filledValue(t.ElementType)})
	}
	switch {
	case typ.Is(tftypes.Number):
		return tftypes.NewValue(typ, 1)
	case typ.Is(tftypes.Bool):
		return tftypes.NewValue(typ, true)
	default:
		return tftypes.NewValue(tftypes.String, "text")
	}
}

// No value that a configuration can have is called a bug of the provider: null and unknown values in every place, and
// numbers that an attribute does not have.
func TestBadInput_IsNoBug(t *testing.T) {
	t.Parallel()
	tried := 0
	validated(t, func(_ *tfprotov6.Schema, at *tftypes.AttributePath, was tftypes.Value) []any {
		switch {
		case len(at.Steps()) == 0:
			return nil
		case was.Type().Is(tftypes.Number):
			return []any{nil, tftypes.UnknownValue, big.NewFloat(1.5), new(big.Float).SetMantExp(big.NewFloat(1), 5000)}
		default:
			return []any{nil, tftypes.UnknownValue}
		}
	}, func(where string, bad any, told []*tfprotov6.Diagnostic) {
		tried++
		for _, d := range told {
			assert.NotRegexp(t, `error in the provider|bug|%!`, d.Summary+" "+d.Detail, "%s = %v", where, bad)
		}
	})
	t.Logf("%d configurations", tried)
}

// Each sensitive attribute gets values that must be rejected or accepted without showing them: a mistyped key is still a
// secret.
func TestBadInput_Secrets(t *testing.T) {
	t.Parallel()
	const secret = "hunter2hunter2"
	rejected := map[string]bool{}
	validated(t, func(schema *tfprotov6.Schema, at *tftypes.AttributePath, was tftypes.Value) []any {
		if !isSecret(schema.Block.Attributes, lastName(at)) || !was.Type().Is(tftypes.String) {
			return nil
		}
		return []any{secret, " " + secret, secret + "\n", "rsl_live_" + secret, "12345 " + secret, strings.Repeat(secret, 50), "http://" + secret}
	}, func(where string, bad any, told []*tfprotov6.Diagnostic) {
		for _, d := range told {
			assert.NotContains(t, d.Summary+d.Detail, secret, "%s: %q is shown", where, bad)
			rejected[where] = rejected[where] || d.Attribute != nil && strings.HasSuffix(where, "."+lastName(d.Attribute))
		}
	})
	for _, where := range []string{"provider.api_key", "provider.access_token", "provider.user_api_key", "reseller_document.passcode"} {
		assert.True(t, rejected[where], "%s takes all of it, so nothing was tried", where)
	}
}

// isSecret reports whether one of the attributes that a configuration sets has this name and is sensitive.
func isSecret(attributes []*tfprotov6.SchemaAttribute, name string) bool {
	for _, a := range attributes {
		if a.Name == name && a.Sensitive && (a.Optional || a.Required) || a.NestedType != nil && isSecret(a.NestedType.Attributes, name) {
			return true
		}
	}
	return false
}
