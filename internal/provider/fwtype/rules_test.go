package fwtype

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// A rule is about known values, and shows one that it rejects unless that is a secret.
func TestStringRule(t *testing.T) {
	t.Parallel()
	check := func(given string) error {
		if given == "good" {
			return nil
		}
		return errors.New("write good")
	}
	for name, tc := range map[string]struct {
		given  types.String
		secret bool
		want   string
	}{
		"accepted":        {types.StringValue("good"), false, ""},
		"rejected":        {types.StringValue("bad"), false, `Invalid value for name: "bad". Write good.`},
		"rejected secret": {types.StringValue("bad"), true, "Invalid value for name. Write good."},
		"null":            {types.StringNull(), false, ""},
		"unknown":         {types.StringUnknown(), false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var resp validator.StringResponse
			rule := &StringRule{Check: check, Secret: tc.secret}
			rule.ValidateString(t.Context(), validator.StringRequest{Path: path.Root("name"), ConfigValue: tc.given}, &resp)
			var got []string
			for _, d := range resp.Diagnostics {
				got = append(got, d.Detail())
			}
			assert.Equal(t, tc.want, strings.Join(got, "\n"), "got %q", got)
		})
	}
}

// A Rule says what it accepts and what was given, in a sentence that names the attribute.
func TestRule(t *testing.T) {
	t.Parallel()
	text, number := types.StringValue, types.Int64Value
	elements := func(n int) types.Map {
		out := map[string]attr.Value{}
		for i := range n {
			out[strconv.Itoa(i)] = text("x")
		}
		return types.MapValueMust(types.StringType, out)
	}
	size := Size("map must contain 1 element", 1, 1)
	for name, tc := range map[string]struct {
		rule  Rule
		given attr.Value
		want  string
	}{
		"blank":            {NotBlank, text(" \n"), `must not be blank, got: " \n"`},
		"not blank":        {NotBlank, text(" x "), ""},
		"empty":            {NotEmpty, text(""), "string length must be at least 1, got: 0"},
		"not empty":        {NotEmpty, text(" "), ""},
		"in the list":      {OneOf("a", "b"), text("b"), ""},
		"not in the list":  {OneOf("a", "b"), text("c"), `value must be one of: ["a" "b"], got: "c"`},
		"excluded":         {NoneOf("a"), text("a"), `value must be none of: ["a"], got: "a"`},
		"not excluded":     {NoneOf("a"), text("A"), ""},
		"long enough":      {LengthAtMost(2), text("éé"), ""},
		"too long":         {LengthAtMost(2), text("ééé"), "UTF-8 character count must be at most 2, got: 3"},
		"too short":        {LengthBetween(1, 2), text(""), "UTF-8 character count must be between 1 and 2, got: 0"},
		"least":            {Between(1, 3), number(1), ""},
		"most":             {Between(1, 3), number(3), ""},
		"below":            {Between(1, 3), number(0), "value must be between 1 and 3, got: 0"},
		"above":            {Between(1, 3), number(4), "value must be between 1 and 3, got: 4"},
		"no elements":      {size, elements(0), "map must contain 1 element, got: 0"},
		"one element":      {size, elements(1), ""},
		"two elements":     {size, elements(2), "map must contain 1 element, got: 2"},
		"null":             {NotBlank, types.StringNull(), ""},
		"unknown":          {NotBlank, types.StringUnknown(), ""},
		"unknown elements": {size, types.MapUnknown(types.StringType), ""},
	} {
		want := diag.Diagnostics(nil)
		if tc.want != "" {
			want.AddAttributeError(path.Root("a"), diagnostic.SummaryInvalidValue, "Invalid value for a: "+tc.want+".")
		}
		var got diag.Diagnostics
		switch given := tc.given.(type) {
		case types.Int64:
			var resp validator.Int64Response
			tc.rule.ValidateInt64(t.Context(), validator.Int64Request{Path: path.Root("a"), ConfigValue: given}, &resp)
			got = resp.Diagnostics
		case types.Map:
			var resp validator.MapResponse
			tc.rule.ValidateMap(t.Context(), validator.MapRequest{Path: path.Root("a"), ConfigValue: given}, &resp)
			got = resp.Diagnostics
		case types.String:
			var resp validator.StringResponse
			tc.rule.ValidateString(t.Context(), validator.StringRequest{Path: path.Root("a"), ConfigValue: given}, &resp)
			got = resp.Diagnostics
		}
		assert.Equal(t, want, got, name)
	}
}
