package fwtype

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// PrivateLabelIDValidator accepts the ID of a private label. A host name is the likeliest mistake, so the error says
// where the ID is.
var PrivateLabelIDValidator validator.String = privateLabelID{}

type privateLabelID struct{}

func (privateLabelID) Description(context.Context) string {
	return "the ID of a private label, 32 lowercase hex characters"
}

func (v privateLabelID) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v privateLabelID) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	value := req.ConfigValue.ValueString()
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || IDForm.MatchString(value) {
		return
	}
	rule := fmt.Sprintf("%s must be %s", req.Path, v.Description(ctx))
	resource, read := `reseller_private_label.example.id`, `data "reseller_private_label" "example" { domain = "…" }`
	if isHostName(value) {
		rule += fmt.Sprintf("; %s is a host name", value)
		read = strings.Replace(read, "…", value, 1)
	}
	resp.Diagnostics.AddAttributeError(req.Path, "Invalid private label ID",
		fmt.Sprintf("%s.\n\nIf the private label is a resource of this configuration, refer to its ID: %s. Otherwise read it by its host name with a data source, and refer to data.%s:\n\n  %s",
			rule, resource, resource, read))
}

// isHostName reports whether a value that is no ID names a website.
func isHostName(value string) bool {
	return strings.Contains(value, ".") && HostKind{}.Check(value) == nil
}
