package fwtype

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// Amount is a number above 0, or 0 as well: the stock rules have no "above", and
// write 0.000000.
type Amount struct{ OrZero bool }

func (v Amount) Description(context.Context) string {
	if v.OrZero {
		return "0 or more"
	}
	return "more than 0"
}

func (v Amount) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v Amount) ValidateFloat64(ctx context.Context, req validator.Float64Request, resp *validator.Float64Response) {
	given := req.ConfigValue.ValueFloat64()
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || given > 0 || v.OrZero && given == 0 {
		return
	}
	resp.Diagnostics.Append(diagnostic.InvalidValue(req.Path, client.Amount(given), "set a number of "+v.Description(ctx)))
}
