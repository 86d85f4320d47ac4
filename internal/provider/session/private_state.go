package session

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// PrivateStateKey is the key of PrivateState in a resource's private state.
const PrivateStateKey = "memory"

// PrivateState is what a resource stores in its private state, in addition to its attributes.
type PrivateState struct {
	// ID of the object.
	ID string `json:"id,omitempty"`
	// Slug of the reseller under which the object was last read. Under another slug an absence proves nothing: the API
	// key is probably that of another reseller.
	Slug string `json:"slug,omitempty"`
	// Host of the object at its last read.
	Host string `json:"host,omitempty"`
	// CustomDomain at the last read.
	CustomDomain string `json:"custom_domain,omitempty"`
	// Role of a member at the last read.
	Role string `json:"role,omitempty"`
	// ImageSHA256 of a minted document's thumbnail, in hex.
	ImageSHA256 string `json:"image_sha256,omitempty"`
	// Stable: the object does not change by itself, and no work remains.
	Stable bool `json:"settled,omitempty"`
	// Schema is the fingerprint of the schema with which a stable object was read. The fast path is not used with
	// another schema.
	Schema string `json:"schema,omitempty"`
	// Provisioned: created by Terraform, so that null attributes were not sent.
	Provisioned bool `json:"provisioned,omitempty"`
}

type PrivateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type PrivateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// ReadPrivateState returns the private state of a resource, the zero value if there is none.
func ReadPrivateState(ctx context.Context, from PrivateReader) (PrivateState, diag.Diagnostics) {
	var m PrivateState
	raw, diags := from.GetKey(ctx, PrivateStateKey)
	if diags.HasError() || len(raw) == 0 {
		return m, diags
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		diags.AddWarning(SummaryPrivateRead,
			"The private state of this resource is treated as empty, and the next apply writes it again. The attributes in state are not affected.\n\n"+err.Error())
		return PrivateState{}, diags
	}
	return m, diags
}

// RawPrivateState decodes PrivateState from the private state in a protocol request. The framework stores the JSON of
// each key as bytes. alone is false if there is another key, such as the framework's own after an import.
func RawPrivateState(private []byte) (m PrivateState, alone, ok bool) {
	var keys map[string][]byte
	if len(private) == 0 || json.Unmarshal(private, &keys) != nil {
		return PrivateState{}, false, false
	}
	err := json.Unmarshal(keys[PrivateStateKey], &m)
	return m, len(keys) == 1, err == nil
}

// SaveChange saves the private state if a read changed it. If the reseller is unknown, the earlier private state stays.
func (m PrivateState) SaveChange(ctx context.Context, before PrivateState, to PrivateWriter) diag.Diagnostics {
	if m == before || m.Slug == "" {
		return nil
	}
	return m.Save(ctx, to)
}

// Save writes m to the private state of a resource.
func (m PrivateState) Save(ctx context.Context, to PrivateWriter) diag.Diagnostics {
	raw, err := json.Marshal(m)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryPrivateState, err.Error())}
	}
	return to.SetKey(ctx, PrivateStateKey, raw)
}
