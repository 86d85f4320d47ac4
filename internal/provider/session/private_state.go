package session

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// PrivateStateKey is the one key of this provider in the private state of a resource.
const PrivateStateKey = "reseller"

type PrivateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type PrivateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// ReadPrivateState returns what a resource stored in addition to its attributes, the zero value if there is nothing.
func ReadPrivateState[P any](ctx context.Context, from PrivateReader) (P, diag.Diagnostics) {
	var p, zero P
	raw, diags := from.GetKey(ctx, PrivateStateKey)
	if diags.HasError() || len(raw) == 0 {
		return zero, diags
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		diags.AddWarning(SummaryPrivateRead,
			"The private state of this resource is treated as empty, and the next apply writes it again. The attributes in state are not affected.\n\n"+err.Error())
		return zero, diags
	}
	return p, diags
}

// PrivateOf decodes the private state of a request, with all its keys: the framework stores the JSON of each as bytes.
func PrivateOf[P any](raw []byte) (p P, keys map[string][]byte) {
	if json.Unmarshal(raw, &keys) != nil || json.Unmarshal(keys[PrivateStateKey], &p) != nil {
		var zero P
		return zero, nil
	}
	return p, keys
}

// PrivateWith encodes the private state of a request with another value beside the attributes.
func PrivateWith(keys map[string][]byte, p any) (raw []byte) {
	var err error
	if keys[PrivateStateKey], err = json.Marshal(p); err == nil {
		raw, err = json.Marshal(keys)
	}
	if err != nil {
		return nil // neither can fail
	}
	return raw
}

// SavePrivateState stores p beside the attributes of a resource.
func SavePrivateState(ctx context.Context, to PrivateWriter, p any) diag.Diagnostics {
	raw, err := json.Marshal(p)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic(summaryPrivateState, err.Error())}
	}
	return to.SetKey(ctx, PrivateStateKey, raw)
}
