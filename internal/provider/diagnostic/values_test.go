package diagnostic

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
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

// Errors of stock validators are worded like the provider's own.
func TestShowable_StockValidators(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ summary, detail, wantSummary, want string }{
		{"Invalid Attribute Value Match", `Attribute due_date must not be blank, got: `, "Invalid attribute value", `Invalid value for due_date: must not be blank, got: "".`},
		{"Invalid Attribute Value Length", `Attribute unit_name UTF-8 character count must be at most 8, got: 15`, "Invalid attribute value", `Invalid value for unit_name: UTF-8 character count must be at most 8, got: 15.`},
		{"Invalid Attribute Value", `Attribute a["b \"c"].d map must contain at least 1 elements, got: 0`, "Invalid attribute value", `Invalid value for a["b \"c"].d: map must contain at least 1 element, got: 0.`},
		{"Invalid Attribute Value", `Another text`, "Invalid attribute value", `Another text`},
		{"Invalid Attribute Combination", `Attribute "a" must be specified when "b" is specified`, "Invalid attribute combination", `Attribute "a" must be specified when "b" is specified`},
		{"Missing required argument", `The argument "a" is required`, "Missing required argument", `The argument "a" is required`},
	} {
		d := &tfprotov6.Diagnostic{Summary: tc.summary, Detail: tc.detail}
		Showable([]*tfprotov6.Diagnostic{d})
		if d.Summary != tc.wantSummary || d.Detail != tc.want {
			t.Errorf("%s: %s, want %s: %s", d.Summary, d.Detail, tc.wantSummary, tc.want)
		}
	}
}
