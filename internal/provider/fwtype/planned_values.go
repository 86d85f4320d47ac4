package fwtype

import "github.com/hashicorp/terraform-plugin-go/tftypes"

// KeepPlanned returns a value with everything that a plan knows, and the rest from a result: Terraform reports a known
// value that changes during an apply as an error of the provider. The next plan shows such a change.
func KeepPlanned(planned, result tftypes.Value) tftypes.Value {
	switch {
	case !planned.IsKnown():
		return Known(result)
	case planned.IsFullyKnown():
		return planned
	}
	var want, have map[string]tftypes.Value
	if planned.As(&want) != nil {
		return Known(result) // a list or a set with unknown elements
	}
	_ = result.As(&have) // null or unknown: nothing is known of the elements
	out := map[string]tftypes.Value{}
	for name, value := range want {
		found, ok := have[name]
		if !ok {
			found = tftypes.NewValue(value.Type(), nil)
		}
		out[name] = KeepPlanned(value, found)
	}
	return tftypes.NewValue(planned.Type(), out)
}

// Known replaces what is unknown by null.
func Known(v tftypes.Value) tftypes.Value {
	out, err := tftypes.Transform(v, func(_ *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		if !v.IsKnown() {
			return tftypes.NewValue(v.Type(), nil), nil
		}
		return v, nil
	})
	if err != nil {
		return tftypes.NewValue(v.Type(), nil)
	}
	return out
}
