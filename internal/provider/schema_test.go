package provider

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/attr/xattr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func TestSchemaIsValid(t *testing.T) {
	t.Parallel()
	srv, err := providerserver.NewProtocol6WithError(New("test")())()
	require.NoError(t, err)
	resp, err := srv.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	for _, d := range resp.Diagnostics {
		t.Errorf("%s: %s", d.Summary, d.Detail)
	}
}

// schemas are those that a configuration writes in, by name.
func schemas(t *testing.T) map[string]any {
	t.Helper()
	ctx := t.Context()
	p, ok := New("test")().(*resellerProvider)
	require.True(t, ok, "the provider is of another type")
	var providerSchema provider.SchemaResponse
	p.Schema(ctx, provider.SchemaRequest{}, &providerSchema)
	out := map[string]any{"provider": providerSchema.Schema}
	for _, newResource := range p.Resources(ctx) {
		var name resource.MetadataResponse
		var shape resource.SchemaResponse
		r := newResource()
		r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "reseller"}, &name)
		r.Schema(ctx, resource.SchemaRequest{}, &shape)
		out["resource "+name.TypeName] = shape.Schema
	}
	for _, newDataSource := range p.DataSources(ctx) {
		var name datasource.MetadataResponse
		var shape datasource.SchemaResponse
		d := newDataSource()
		d.Metadata(ctx, datasource.MetadataRequest{ProviderTypeName: "reseller"}, &name)
		d.Schema(ctx, datasource.SchemaRequest{}, &shape)
		out["data "+name.TypeName] = shape.Schema
	}
	return out
}

// walkAttributes visits every attribute of a schema, including nested ones. The schemas of providers, resources and
// data sources have only the names of their fields in common.
func walkAttributes(at string, schema reflect.Value, visit func(at string, attribute reflect.Value)) {
	if nested := schema.FieldByName("NestedObject"); nested.IsValid() {
		schema = nested
	}
	attributes := schema.FieldByName("Attributes")
	if !attributes.IsValid() {
		return
	}
	for _, key := range attributes.MapKeys() {
		attribute := attributes.MapIndex(key).Elem()
		visit(at+"."+key.String(), attribute)
		walkAttributes(at+"."+key.String(), attribute, visit)
	}
}

// Values that a configuration sets are checked; values from the API never are.
func TestSchema_InputRules(t *testing.T) {
	t.Parallel()
	checked := 0
	for name, schema := range schemas(t) {
		walkAttributes(name, reflect.ValueOf(schema), func(at string, attribute reflect.Value) {
			custom := attribute.FieldByName("CustomType")
			if !custom.IsValid() || custom.IsNil() {
				return
			}
			typ, ok := reflect.TypeAssert[attr.Type](custom)
			if !ok {
				return
			}
			noun, isText := strings.CutPrefix(typ.String(), "text(")
			if !isText {
				return
			}
			_, judges := typ.ValueType(t.Context()).(xattr.ValidateableAttribute)
			assert.False(t, judges, "%s: values of its type are validated from any source", at)
			if !attribute.FieldByName("Optional").Bool() && !attribute.FieldByName("Required").Bool() {
				return
			}
			checked++
			rules, _ := reflect.TypeAssert[[]validator.String](attribute.FieldByName("Validators"))
			for _, rule := range rules {
				if rule.Description(t.Context()) == fmt.Sprintf("a valid %s", strings.TrimSuffix(noun, ")")) {
					return
				}
			}
			t.Errorf("%s: its type says %s, and no validator checks that", at, typ)
		})
	}
	assert.NotEqual(t, 0, checked, "no attribute was found")
}

// Every argument that takes the ID of a private label says where to find it.
func TestSchema_PrivateLabelIDs(t *testing.T) {
	t.Parallel()
	found := 0
	for name, schema := range schemas(t) {
		walkAttributes(name, reflect.ValueOf(schema), func(at string, attribute reflect.Value) {
			if !strings.HasSuffix(at, ".private_label_id") || !attribute.FieldByName("Optional").Bool() && !attribute.FieldByName("Required").Bool() {
				return
			}
			found++
			rules, _ := reflect.TypeAssert[[]validator.String](attribute.FieldByName("Validators"))
			assert.Contains(t, rules, fwtype.PrivateLabelIDValidator, "%s takes anything", at)
		})
	}
	assert.GreaterOrEqual(t, found, 6, "only were found")
}
