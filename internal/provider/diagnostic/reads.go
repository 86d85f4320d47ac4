package diagnostic

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

func AsError(diags diag.Diagnostics) error {
	return fmt.Errorf("%s: %s", diags[0].Summary(), diags[0].Detail())
}

// ReadFailure is a read that failed. Name begins a sentence: "The assignment of sign.acme.example".
func ReadFailure(summary, name string) APIFailure {
	return APIFailure{
		Summary:   summary,
		Failed:    name + " could not be read",
		Unchanged: "Nothing was changed",
	}
}

func Capitalize(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
