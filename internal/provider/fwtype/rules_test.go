package fwtype

import (
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
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
			rule := &StringRule{Accepts: "good", Check: check, Secret: tc.secret}
			rule.ValidateString(t.Context(), validator.StringRequest{Path: path.Root("name"), ConfigValue: tc.given}, &resp)
			var got []string
			for _, d := range resp.Diagnostics {
				got = append(got, d.Detail())
			}
			assert.Equal(t, tc.want, strings.Join(got, "\n"), "got %q", got)
		})
	}
}
