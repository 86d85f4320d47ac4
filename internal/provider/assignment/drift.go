package assignment

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// drift says what the console has changed. Add-ons are in state only where `addons` is configured or was imported.
func drift(was, now *model) []string {
	if now == nil {
		return []string{"package removed in the console"}
	}
	var out []string
	if now.PackageID.ValueString() != was.PackageID.ValueString() {
		out = append(out, fmt.Sprintf("package changed in the console from %s to %s", was.PackageCode.ValueString(), now.PackageCode.ValueString()))
	}
	before, after := was.AttachedAddons.Elements(), now.AttachedAddons.Elements()
	for _, code := range slices.Sorted(maps.Keys(after)) {
		if _, attached := before[code]; !attached {
			out = append(out, "add-on attached in the console: "+code)
		} else if !quantityIn(before[code]).Equal(quantityIn(after[code])) {
			out = append(out, fmt.Sprintf("quantity of an add-on changed in the console: %s, from %s to %s", code, client.Amount(quantityIn(before[code]).ValueFloat64()), client.Amount(quantityIn(after[code]).ValueFloat64())))
		}
	}
	for _, code := range slices.Sorted(maps.Keys(before)) {
		if _, stays := after[code]; !stays {
			out = append(out, "add-on removed in the console: "+code)
		}
	}
	return out
}

// quantityIn is the quantity of an element of `attached_addons`.
func quantityIn(attached any) types.Float64 {
	object, _ := attached.(types.Object)
	quantity, _ := object.Attributes()["quantity"].(types.Float64)
	return quantity
}
