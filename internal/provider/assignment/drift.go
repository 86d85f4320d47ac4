package assignment

import (
	"fmt"

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
	before, after := was.holding(), now.holding()
	for _, a := range after.sorted() {
		if b, attached := before.addon(a.Code); !attached {
			out = append(out, "add-on attached in the console: "+a.Code)
		} else if a.Quantity != b.Quantity {
			out = append(out, fmt.Sprintf("quantity of an add-on changed in the console: %s, from %s to %s",
				a.Code, client.Amount(b.Quantity), client.Amount(a.Quantity)))
		}
	}
	for _, b := range before.sorted() {
		if _, stays := after.addon(b.Code); !stays {
			out = append(out, "add-on removed in the console: "+b.Code)
		}
	}
	return out
}
