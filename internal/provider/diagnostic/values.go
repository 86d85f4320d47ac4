package diagnostic

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
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

// likeOurs rewords the error of a stock validator like InvalidValue.
func likeOurs(d *tfprotov6.Diagnostic) {
	summary, ok := stockSummaries[d.Summary]
	if !ok {
		return
	}
	d.Summary = summary
	found := stockDetail.FindStringSubmatch(d.Detail)
	if summary != SummaryInvalidValue || found == nil {
		return
	}
	subject, rule := found[1], found[2]
	if strings.HasSuffix(rule, "got:") || strings.HasSuffix(rule, "got: ") {
		rule = strings.TrimSpace(rule) + ` ""`
	}
	d.Detail = fmt.Sprintf("Invalid value for %s: %s", subject, sentence(strings.ReplaceAll(rule, " 1 elements", " 1 element")))
}
