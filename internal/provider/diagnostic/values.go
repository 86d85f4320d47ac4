package diagnostic

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
)

// InvalidValue is the error of a value that an attribute does not accept. Given is as the configuration writes it, "" for
// a secret; rule says what the attribute accepts.
func InvalidValue(at path.Path, given, rule string) diag.Diagnostic {
	detail := fmt.Sprintf("Invalid value for %s.", at)
	if given != "" {
		detail = fmt.Sprintf("Invalid value for %s: %s.", at, given)
	}
	return diag.NewAttributeErrorDiagnostic(at, SummaryInvalidValue, detail+" "+sentence(Capitalize(rule)))
}

// NotAccepted is the error of a value that breaks a rule, which begins with a verb or with what it is about.
func NotAccepted(at path.Path, rule, got string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, SummaryInvalidValue, fmt.Sprintf("Invalid value for %s: %s, got: %s.", at, rule, got))
}

// wrongNumber is in the framework's error for a number that an attribute's type does not have: it has only this text, which
// calls it a bug of the provider, and the path without the elements.
var wrongNumber = regexp.MustCompile(
	`(?s)^An unexpected error was encountered .*\sValue (?:%!s\(\*big\.Float=)?([-+.\de]+)\)? (is not an integer|cannot be represented)`)

// rewordNumber rewords that error like InvalidValue.
func rewordNumber(d *tfprotov6.Diagnostic) {
	number := wrongNumber.FindStringSubmatch(d.Detail)
	if number == nil || d.Attribute == nil || len(d.Attribute.Steps()) == 0 {
		return
	}
	name, _ := d.Attribute.Steps()[0].(tftypes.AttributeName)
	rule := "This number is out of range."
	if number[2] == "is not an integer" {
		rule = "Set a whole number."
	}
	d.Summary = SummaryInvalidValue
	d.Detail = fmt.Sprintf("Invalid value in %s: %s. %s", name, number[1], rule)
}

// Limits of shown texts, in characters.
const (
	maxLine   = 300 // of a summary or a name
	maxValue  = 100 // of a value in a detail
	MaxDetail = 2000
)

// ShownText returns a text of several lines for display: without control characters, and shortened in the middle.
func ShownText(text string, limit int) string {
	return printable.Text(printable.Cut(text, limit))
}

// ShownLine is ShownText on one line.
func ShownLine(text string) string {
	return strings.ReplaceAll(ShownText(text, maxLine), "\n", " ")
}

// value is a quoted text, or a word.
var value = regexp.MustCompile(`"[^"\n]*"|[^\s"]+`)

// withShortValues omits the middle of each long value of a detail, except for blocks to paste and the API's own words.
func withShortValues(detail string) string {
	var out strings.Builder
	for line := range strings.Lines(detail) {
		if !strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "API error ") {
			line = value.ReplaceAllStringFunc(line, func(value string) string { return printable.Cut(value, maxValue) })
		}
		out.WriteString(line)
	}
	return out.String()
}

// Showable prepares diagnostics for display: it cleans the API's texts, and rewords the error of a wrong number.
func Showable(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		if d != nil {
			rewordNumber(d)
			d.Summary = ShownLine(d.Summary)
			d.Detail = ShownText(withShortValues(d.Detail), MaxDetail)
		}
	}
}
