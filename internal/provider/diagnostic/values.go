package diagnostic

import (
	"fmt"
	"regexp"
	"strconv"
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

// stockSummaries are the summaries of terraform-plugin-framework-validators for errors that InvalidValue words.
var stockSummaries = map[string]string{
	"Invalid Attribute Value":        SummaryInvalidValue,
	"Invalid Attribute Value Length": SummaryInvalidValue,
	"Invalid Attribute Value Match":  SummaryInvalidValue,
	"Invalid Attribute Combination":  SummaryInvalidCombination,
}

// stockDetail has a path, whose map keys may have spaces, and a rule.
var stockDetail = regexp.MustCompile(`(?s)^Attribute ((?:[^" ]|"(?:[^"\\]|\\.)*")+) (.*)$`)

var stockConflict = regexp.MustCompile(`^These attributes cannot be configured together: \[(\S+),\s*(\S+)\]$`)

// wrongNumber is in the framework's error for a number that an attribute's type does not have. The framework calls it a
// bug of the provider, and has the path without the elements.
var wrongNumber = regexp.MustCompile(
	`(?s)^An unexpected error was encountered .*\sValue (?:%!s\(\*big\.Float=)?([-+.\de]+)\)? (is not an integer|cannot be represented)`)

// likeOurs rewords an error of the framework or of a stock validator like InvalidValue.
func likeOurs(d *tfprotov6.Diagnostic) {
	summary, isStock := stockSummaries[d.Summary]
	if isStock {
		d.Summary = summary
	}
	number := wrongNumber.FindStringSubmatch(d.Detail)
	both := stockConflict.FindStringSubmatch(d.Detail)
	value := stockDetail.FindStringSubmatch(d.Detail)
	switch {
	case number != nil && d.Attribute != nil && len(d.Attribute.Steps()) > 0:
		name, _ := d.Attribute.Steps()[0].(tftypes.AttributeName)
		rule := "This number is out of range."
		if number[2] == "is not an integer" {
			rule = "Set a whole number."
		}
		d.Summary = SummaryInvalidValue
		d.Detail = fmt.Sprintf("Invalid value in %s: %s. %s", name, number[1], rule)
	case isStock && both != nil:
		d.Detail = fmt.Sprintf("%s and %s cannot be set together. Remove one of them.", both[1], both[2])
	case summary == SummaryInvalidValue && value != nil:
		rule := strings.ReplaceAll(value[2], " 1 elements", " 1 element")
		if accepted, given, found := strings.Cut(rule, "got: "); found && strings.TrimSpace(given) == "" {
			rule = accepted + "got: " + strconv.Quote(given)
		}
		d.Detail = fmt.Sprintf("Invalid value for %s: %s", value[1], sentence(rule))
	}
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

// Showable prepares diagnostics for display: it cleans the API's texts, and rewords the errors of stock validators.
func Showable(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		if d != nil {
			likeOurs(d)
			d.Summary = ShownLine(d.Summary)
			d.Detail = ShownText(withShortValues(d.Detail), MaxDetail)
		}
	}
}
