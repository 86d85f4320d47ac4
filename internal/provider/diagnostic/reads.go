package diagnostic

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// AsError returns the first error, nil for none.
func AsError(diags diag.Diagnostics) error {
	for _, d := range diags.Errors() {
		return fmt.Errorf("%s: %s", d.Summary(), d.Detail())
	}
	return nil
}

// ReadFailure is a read that failed. Name begins a sentence: "The assignment of sign.acme.example".
func ReadFailure(summary, name string) APIFailure {
	return APIFailure{
		Summary:   summary,
		Failed:    name + " could not be read",
		Unchanged: "Nothing was changed",
	}
}

// LabelListFailure is the list of private labels that could not be read.
func LabelListFailure() APIFailure {
	return ReadFailure(SummaryListLabels, "The list of private labels")
}

func Capitalize(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
