package fwtype

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// PrivateLabelIDValidator accepts the ID of a private label. A host name is the most likely mistake, so the error says
// where to find the ID.
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
	const resource = "reseller_private_label.example.id"
	rule, read := "set "+v.Description(ctx), `data "reseller_private_label" "example" { domain = "…" }`
	if isHostName(value) {
		rule += "; " + value + " is a host name"
		read = strings.Replace(read, "…", value, 1)
	}
	resp.Diagnostics.Append(diagnostic.InvalidValue(req.Path, strconv.Quote(value),
		fmt.Sprintf("%s.\n\nFor a private label of this configuration, set %s. "+
			"For another one, add this data source:\n\n  %s\n\nand set data.%s", rule, resource, read, resource)))
}

// isHostName reports whether a value that is not an ID is a host name.
func isHostName(value string) bool {
	return strings.Contains(value, ".") && HostKind{}.Check(value) == nil
}
