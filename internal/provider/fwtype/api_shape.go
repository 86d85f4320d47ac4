package fwtype

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
)

var laterWord = regexp.MustCompile(`_[a-z]`)

// apiName is the API's name of an attribute: that of user_id is userId.
func apiName(attribute string) string {
	return laterWord.ReplaceAllStringFunc(attribute, func(start string) string { return strings.ToUpper(start[1:]) })
}

// FromAPI returns the computed attributes of a data source that the client read.
func FromAPI(ctx context.Context, s schema.Schema, read any) (map[string]attr.Value, error) {
	plain, err := decoded(read)
	fields, _ := plain.(map[string]any)
	values := map[string]attr.Value{}
	for name, attribute := range s.Attributes {
		if value, ok := fields[apiName(name)]; ok && attribute.IsComputed() {
			values[name] = shapedLike(ctx, attribute.GetType(), value)
		}
	}
	return values, err
}

// ObjectFromAPI is a part of what the client read, by the names of its attributes; null for nil.
func ObjectFromAPI(attributes map[string]attr.Type, read any) types.Object {
	plain, _ := decoded(read) // a type of the client can be encoded
	object, _ := shapedLike(context.Background(), types.ObjectType{AttrTypes: attributes}, plain).(types.Object)
	return object
}

// shapedLike is a decoded value of the client as a value of a type. A list of null is empty, and an attribute json has the
// entire object.
func shapedLike(ctx context.Context, shape attr.Type, plain any) (value attr.Value) {
	switch shape := shape.(type) {
	case types.ObjectType:
		fields, ok := plain.(map[string]any)
		if !ok {
			return types.ObjectNull(shape.AttrTypes)
		}
		values := map[string]attr.Value{}
		for name, typ := range shape.AttrTypes {
			values[name] = shapedLike(ctx, typ, fields[apiName(name)])
		}
		if whole, ok := shape.AttrTypes["json"]; ok {
			values["json"] = shapedLike(ctx, whole, plain)
		}
		return types.ObjectValueMust(shape.AttrTypes, values)
	case types.ListType:
		rows, _ := plain.([]any)
		values := make([]attr.Value, len(rows))
		for i, row := range rows {
			values[i] = shapedLike(ctx, shape.ElemType, row)
		}
		return types.ListValueMust(shape.ElemType, values)
	case jsontypes.NormalizedType:
		value, _ = NormalizedJSON(plain)
		return value
	}
	if number, ok := plain.(json.Number); ok {
		f, _ := number.Float64()
		if _, isTime := shape.(timetypes.RFC3339Type); isTime {
			ms := anyjson.Millis(f)
			return TimeValue(&ms)
		}
		plain = f
	}
	value, _ = shape.ValueFromTerraform(ctx, tftypes.NewValue(shape.TerraformType(ctx), plain))
	return value
}

// ToAPI sets a part of the client's request to a value that is fully known and has no map, whose keys are no names.
func ToAPI(ctx context.Context, v attr.Value, request any) error {
	value, err := v.ToTerraformValue(ctx)
	if err != nil {
		return err
	}
	plain, err := plainWith(value, apiName)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(plain)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, request)
}
