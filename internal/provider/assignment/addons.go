package assignment

import (
	"context"
	"fmt"
	"math"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// wholeQuantity validates the quantity of an add-on.
type wholeQuantity struct{}

func (wholeQuantity) Description(context.Context) string { return "a whole number of 1 or more" }

func (v wholeQuantity) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v wholeQuantity) ValidateFloat64(ctx context.Context, req validator.Float64Request, resp *validator.Float64Response) {
	if req.ConfigValue.IsUnknown() {
		return
	}
	given := req.ConfigValue.ValueFloat64()
	switch {
	case req.ConfigValue.IsNull():
		resp.Diagnostics.Append(diagnostic.InvalidValue(req.Path, "null", fmt.Sprintf("set %s, or remove the code from addons", v.Description(ctx))))
	case given < 1 || given != math.Trunc(given):
		resp.Diagnostics.Append(diagnostic.InvalidValue(req.Path, client.Amount(given), "set "+v.Description(ctx)))
	}
}

// validate rejects two spellings of one code, which a map accepts.
func validate(_ context.Context, config *model) diag.Diagnostics {
	var diags diag.Diagnostics
	at, seen := path.Root("addons"), map[string]string{}
	for _, code := range fwtype.SortedKeys(config.Addons.Elements()) {
		normal := normal(code)
		if first, twice := seen[normal]; twice {
			diags.AddAttributeError(at.AtMapKey(code), summaryAddonTwice,
				fmt.Sprintf("addons contains %q and %q, which are the same code, since codes are compared without case. Keep one of them.", first, code))
		}
		seen[normal] = code
	}
	return diags
}
