package fwtype

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
)

func TestFromAPI(t *testing.T) {
	t.Parallel()
	s := schema.Schema{Attributes: map[string]schema.Attribute{
		"user_id":    schema.StringAttribute{Required: true},
		"trust":      ComputedNumber(""),
		"no_rows":    ComputedRows("", map[string]schema.Attribute{"id": ComputedString("")}),
		"last_rows":  ComputedRows("", map[string]schema.Attribute{"is_open": ComputedBool(""), "sent_at": ComputedTime(""), "role": ComputedString(""), "json": ComputedJSON("")}),
		"not_in_api": ComputedString(""),
	}}
	type row struct {
		IsOpen bool           `json:"isOpen"`
		SentAt anyjson.Millis `json:"sentAt"`
		Role   *string        `json:"role"`
	}
	read := struct {
		UserID   string  `json:"userId"`
		Trust    float64 `json:"trust"`
		NoRows   []row   `json:"noRows"`
		LastRows []row   `json:"lastRows"`
	}{"u1", 0.1, nil, []row{{true, 1_772_000_000_123, nil}}}
	got, err := FromAPI(t.Context(), s, read)
	require.NoError(t, err)
	want := map[string]string{ // neither what is configured nor what was not read
		"trust": "0.100000", "no_rows": "[]",
		"last_rows": `[{"is_open":true,"json":"{\"isOpen\":true,\"role\":null,\"sentAt\":1772000000123}","role":<null>,"sent_at":"2026-02-25T06:13:20.123Z"}]`,
	}
	for name, value := range got {
		assert.Equal(t, want[name], value.String(), "%s is %s", name, value)
	}
	assert.Len(t, got, len(want), "got attributes")
	_, err = FromAPI(t.Context(), s, map[string]any{"userId": json.RawMessage("1e100000000")})
	assert.Error(t, err, "a number that cannot be calculated with is accepted")
}

func TestToAPI(t *testing.T) {
	t.Parallel()
	email := NewText[EmailKind]("Ada@acme.example")
	kinds := map[string]attr.Type{"last_name": types.StringType, "email": TextType[EmailKind]{}, "sign_order": types.Int64Type, "x": types.Float64Type, "font_size": types.StringType}
	object := types.ObjectValueMust(kinds, map[string]attr.Value{
		"last_name": types.StringValue("<L>"), "email": email, "sign_order": types.Int64Value(2), "x": types.Float64Value(0.1), "font_size": types.StringNull(),
	})
	type signer struct {
		LastName  string  `json:"lastName"`
		Email     string  `json:"email"`
		SignOrder int64   `json:"signOrder"`
		X         float64 `json:"x"`
		FontSize  *string `json:"fontSize"`
	}
	var got []signer
	require.NoError(t, ToAPI(t.Context(), types.ListValueMust(object.Type(t.Context()), []attr.Value{object}), &got))
	if want := (signer{LastName: "<L>", Email: "Ada@acme.example", SignOrder: 2, X: 0.1}); len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	err := ToAPI(t.Context(), types.ListNull(types.ObjectType{AttrTypes: kinds}), &got)
	require.NoError(t, err, "null becomes %+v", got)
	assert.Nil(t, got, "null becomes")
	assert.Error(t, ToAPI(t.Context(), types.ListUnknown(types.StringType), &got), "an unknown value is sent")
}
