package diagnostic

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

func AsError(diags diag.Diagnostics) error {
	return fmt.Errorf("%s: %s", diags[0].Summary(), diags[0].Detail())
}

func ReadFailure(host string) APIFailure {
	return APIFailure{
		Summary:   host + " could not be read",
		Unchanged: "Nothing was changed; the state stays as it is.",
	}
}

func Capitalize(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
