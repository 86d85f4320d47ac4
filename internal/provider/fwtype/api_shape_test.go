package fwtype

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

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
	model := struct {
		UserID   types.String  `tfsdk:"user_id"`
		Trust    types.Float64 `tfsdk:"trust"`
		NoRows   types.List    `tfsdk:"no_rows"`
		LastRows types.List    `tfsdk:"last_rows"`
		NotInAPI types.String  `tfsdk:"not_in_api"`
	}{UserID: types.StringValue("configured")}
	if err := FromAPI(t.Context(), s, read, &model); err != nil {
		t.Fatal(err)
	}
	for want, got := range map[string]attr.Value{
		`"configured"`: model.UserID, "0.100000": model.Trust, "[]": model.NoRows, "<null>": model.NotInAPI,
		`[{"is_open":true,"json":"{\"isOpen\":true,\"role\":null,\"sentAt\":1772000000123}","role":<null>,"sent_at":"2026-02-25T06:13:20.123Z"}]`: model.LastRows,
	} {
		if got.String() != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if err := FromAPI(t.Context(), s, map[string]any{"userId": json.RawMessage("1e100000000")}, &model); err == nil {
		t.Error("a number that cannot be calculated with is accepted")
	}
}

func TestToAPI(t *testing.T) {
	t.Parallel()
	email := NewText[EmailKind]("Ada@acme.example")
	kinds := map[string]attr.Type{"last_name": types.StringType, "email": TextType[EmailKind]{}, "sign_order": types.Int64Type, "x": types.Float64Type, "font_size": types.StringType}
	one := types.ObjectValueMust(kinds, map[string]attr.Value{
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
	if err := ToAPI(t.Context(), types.ListValueMust(one.Type(t.Context()), []attr.Value{one}), &got); err != nil {
		t.Fatal(err)
	}
	if want := (signer{LastName: "<L>", Email: "Ada@acme.example", SignOrder: 2, X: 0.1}); len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if err := ToAPI(t.Context(), types.ListNull(types.ObjectType{AttrTypes: kinds}), &got); err != nil || got != nil {
		t.Errorf("null becomes %+v, %v", got, err)
	}
	if err := ToAPI(t.Context(), types.ListUnknown(types.StringType), &got); err == nil {
		t.Error("an unknown value is sent")
	}
}
