package document

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// fingerprint is the same for operations with the same content, in a plan and in a state. It is "" while a part is
// unknown, and after an import, which knows no content.
func fingerprint(ctx context.Context, model oneTimeModel) string {
	if model.isImported() {
		return ""
	}
	parts := model.content()
	for _, f := range model.files() {
		parts = append(parts, *f.sum)
	}
	var texts []string
	for _, part := range parts {
		raw, err := part.ToTerraformValue(ctx)
		if err != nil || !raw.IsFullyKnown() {
			return ""
		}
		texts = append(texts, canonical(part))
	}
	return strings.Join(texts, "\n")
}

// canonical renders equal values alike: host names and email addresses without case, an omitted list as an empty one.
func canonical(v attr.Value) string {
	var parts []string
	switch v := v.(type) {
	case fwtype.Email:
		return fmt.Sprintf("%q", v.Normal())
	case fwtype.HostName:
		return fmt.Sprintf("%q", v.Normal())
	case types.List:
		for _, element := range v.Elements() {
			parts = append(parts, canonical(element))
		}
	case types.Object:
		for _, name := range fwtype.SortedKeys(v.Attributes()) {
			parts = append(parts, name+"="+canonical(v.Attributes()[name]))
		}
	default:
		return v.String()
	}
	return "[" + strings.Join(parts, ",") + "]"
}
