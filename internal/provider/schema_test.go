package provider

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func TestSchema_IsValid(t *testing.T) {
	t.Parallel()
	resp, err := NewServer("test", Options{})().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	assert.Empty(t, resp.Diagnostics)
}

// schemas are those that a configuration writes in, by name.
func schemas(t *testing.T) map[string]any {
	t.Helper()
	ctx := t.Context()
	p := newProvider("test", Options{})
	var providerSchema provider.SchemaResponse
	p.Schema(ctx, provider.SchemaRequest{}, &providerSchema)
	out := map[string]any{"provider": providerSchema.Schema}
	for _, newResource := range p.Resources(ctx) {
		var shape resource.SchemaResponse
		newResource().Schema(ctx, resource.SchemaRequest{}, &shape)
		out[fmt.Sprintf("%T %d", shape, len(out))] = shape.Schema
	}
	for _, newDataSource := range p.DataSources(ctx) {
		var shape datasource.SchemaResponse
		newDataSource().Schema(ctx, datasource.SchemaRequest{}, &shape)
		out[fmt.Sprintf("%T %d", shape, len(out))] = shape.Schema
	}
	return out
}

// walkAttributes visits every attribute of a schema that is set, including nested ones. The schemas of providers, resources and
// data sources have only the names of their fields in common.
func walkAttributes(at string, schema reflect.Value, visit func(at string, attribute reflect.Value, isSet bool)) {
	if nested := schema.FieldByName("NestedObject"); nested.IsValid() {
		schema = nested
	}
	attributes := schema.FieldByName("Attributes")
	if !attributes.IsValid() {
		return
	}
	for _, key := range attributes.MapKeys() {
		attribute := attributes.MapIndex(key).Elem()
		visit(at+"."+key.String(), attribute, attribute.FieldByName("Optional").Bool() || attribute.FieldByName("Required").Bool())
		walkAttributes(at+"."+key.String(), attribute, visit)
	}
}

// Values that a configuration sets are checked; values from the API never are. Every argument that takes the ID of a private
// label says where to find it.
func TestSchema_InputRules(t *testing.T) {
	t.Parallel()
	texts, ids := 0, 0
	kinds := map[string]fwtype.Kind{}
	for _, kind := range []fwtype.Kind{fwtype.HostKind{}, fwtype.EmailKind{}, fwtype.CodeKind{}, fwtype.CurrencyKind{}, fwtype.ColorKind{}, fwtype.URLKind{}} {
		kinds[fmt.Sprintf("text(%T)", kind)] = kind
	}
	for name, schema := range schemas(t) {
		walkAttributes(name, reflect.ValueOf(schema), func(at string, attribute reflect.Value, isSet bool) {
			var rules []validator.String
			if field := attribute.FieldByName("Validators"); field.IsValid() {
				rules, _ = reflect.TypeAssert[[]validator.String](field)
			}
			if isSet && strings.HasSuffix(at, ".private_label_id") {
				ids++
				assert.Contains(t, rules, fwtype.PrivateLabelIDValidator, "%s takes anything", at)
			}
			custom := attribute.FieldByName("CustomType")
			if !custom.IsValid() || custom.IsNil() {
				return
			}
			typ, isType := reflect.TypeAssert[attr.Type](custom)
			if !isType || !strings.HasPrefix(typ.String(), "text(") {
				return
			}
			_, judges := typ.ValueType(t.Context()).(xattr.ValidateableAttribute)
			assert.False(t, judges, "%s: values of its type are validated from any source", at)
			if isSet {
				texts++
				want := diagnostic.InvalidValue(path.Root("a"), `""`, kinds[typ.String()].Check("").Error())
				var got validator.StringResponse
				for _, rule := range rules {
					rule.ValidateString(t.Context(), validator.StringRequest{Path: path.Root("a"), ConfigValue: types.StringValue("")}, &got)
				}
				assert.True(t, got.Diagnostics.Contains(want), "%s: its type says %s, and no validator checks that", at, typ)
			}
		})
	}
	assert.NotZero(t, texts, "no attribute was found")
	assert.GreaterOrEqual(t, ids, 6, "IDs of private labels were found")
}

// The runtime calls every exported method of a resource and of its operations. The compiler does not see an optional one that is
// misspelled or has another signature.
func TestResources_MethodsAreCalled(t *testing.T) {
	t.Parallel()
	count := 0
	for _, typ := range all.Resources {
		carried, ok := typ.(interface {
			Contract() ([]any, []reflect.Type)
		})
		if !ok {
			continue // of the Signing API, which the runtime does not carry out
		}
		count++
		assert.Empty(t, uncalled(carried.Contract()), "%s: the runtime does not call them: is an optional method of object/resource.go misspelled, or its signature another one?", typ.TypeName())
	}
	assert.GreaterOrEqual(t, count, 7, "resources")
	interfaces := []reflect.Type{reflect.TypeFor[interface{ Validate(n int) bool }]()}
	assert.Equal(t, []string{"provider.misspelled.Valdate", "provider.otherSignature.Validate"}, uncalled([]any{wellSpelled{}, misspelled{}, otherSignature{}}, interfaces))
}

func uncalled(parts []any, interfaces []reflect.Type) (names []string) {
	for _, part := range parts {
		typ := reflect.TypeOf(part)
		for method := range typ.Methods() {
			if !slices.ContainsFunc(interfaces, func(i reflect.Type) bool {
				_, ok := i.MethodByName(method.Name)
				return ok && (i.Kind() != reflect.Interface || typ.Implements(i))
			}) {
				names = append(names, typ.String()+"."+method.Name)
			}
		}
	}
	return names
}

type wellSpelled struct{}

func (wellSpelled) Validate(int) bool { return true }

type misspelled struct{ wellSpelled }

func (misspelled) Valdate(int) bool { return true }

type otherSignature struct{}

func (otherSignature) Validate() bool { return true }
