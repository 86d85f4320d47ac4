package diagnostic

import (
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/tool/wording"
)

func TestInvalidValue(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`"x"`: `Invalid value for signers[0].email: "x". Write one email address.`,
		"":    "Invalid value for signers[0].email. Write one email address.",
	} {
		d := InvalidValue(path.Root("signers").AtListIndex(0).AtName("email"), given, "write one email address")
		if d.Summary() != SummaryInvalidValue || d.Detail() != want {
			t.Errorf("%s: %s", d.Summary(), d.Detail())
		}
	}
}

// A number that an attribute's type does not have is an invalid value, not a bug. What the API says of one stays.
func TestShowable_Numbers(t *testing.T) {
	t.Parallel()
	const conversion = "An unexpected error was encountered trying to convert an attribute value from the configuration. This is always an error in the provider. Please report the following to the provider developer:\n\nError: "
	for _, tc := range []struct{ detail, wantSummary, want string }{
		{conversion + "Value %!s(*big.Float=1.5) is not an integer.", SummaryInvalidValue, "Invalid value in limit: 1.5. Set a whole number."},
		{conversion + "Value -2.5 is not an integer.", SummaryInvalidValue, "Invalid value in limit: -2.5. Set a whole number."},
		{conversion + "Value %!s(*big.Float=1e+30) cannot be represented as a 64-bit integer.", SummaryInvalidValue, "Invalid value in limit: 1e+30. This number is out of range."},
		{
			strings.TrimSuffix(conversion, "Error: ") + "Value %!s(*big.Float=1.4e+1505) cannot be represented as a 64-bit floating point.",
			SummaryInvalidValue, "Invalid value in limit: 1.4e+1505. This number is out of range.",
		},
		{"acme.example was not changed. API error INVALID: Value 1.5 is not an integer.", "Error", "acme.example was not changed. API error INVALID: Value 1.5 is not an integer."},
	} {
		d := &tfprotov6.Diagnostic{Summary: "Error", Detail: tc.detail, Attribute: tftypes.NewAttributePath().WithAttributeName("limit")}
		Showable([]*tfprotov6.Diagnostic{d})
		assert.Equal(t, tc.wantSummary, d.Summary, "%s: %s", d.Detail, tc.want)
		assert.Equal(t, tc.want, d.Detail, "%s, want %s", d.Summary, tc.wantSummary)
	}
}

// A value of 300 characters takes two lines at most, except in a block to paste and in the API's own words.
func TestShowable_LongValues(t *testing.T) {
	t.Parallel()
	long, words := strings.Repeat("x", 300), strings.Repeat("word ", 60)
	shown := func(detail string) string {
		d := &tfprotov6.Diagnostic{Summary: "Any", Detail: detail}
		Showable([]*tfprotov6.Diagnostic{d})
		return d.Detail
	}
	for _, value := range []string{long, strconv.Quote(long), strconv.Quote(words)} {
		got := shown("The package " + value + " cannot be replaced.\n\nRemove it.")
		assert.LessOrEqual(t, wording.Lines(got), 5, got)
		assert.Contains(t, got, " […] ")
		assert.True(t, strings.HasPrefix(got, "The package ") && strings.HasSuffix(got, " cannot be replaced.\n\nRemove it."), got)
	}
	for _, kept := range []string{
		"Import it:\n\nimport {\n  id = " + strconv.Quote(long) + "\n}",
		"API error ANY (HTTP 400): " + long,
		`"a" must be a number that has no sign, no exponent and no digits behind a point, and is not more than 1000 or "b".`,
	} {
		assert.Equal(t, kept, shown(kept))
	}
}
