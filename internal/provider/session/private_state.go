package session

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// PrivateStateKey is the key of memory in a resource's private state.
const PrivateStateKey = "memory"

// PrivateState is what a resource remembers in its private state, beside what its
// attributes say.
type PrivateState struct {
	// ID of the object.
	ID string `json:"id,omitempty"`
	// Slug of the reseller the object was last seen under. Under another slug
	// an absent object is never "gone": the key is probably the wrong one.
	Slug string `json:"slug,omitempty"`
	// Host of the object when it was last seen.
	Host string `json:"host,omitempty"`
	// CustomDomain when it was last seen.
	CustomDomain string `json:"custom_domain,omitempty"`
	// Role of a member when they were last seen.
	Role string `json:"role,omitempty"`
	// ImageSHA256 of a minted document's thumbnail, in hex.
	ImageSHA256 string `json:"image_sha256,omitempty"`
	// Settled: nothing of it moves by itself, and nothing is left to be done.
	Stable bool `json:"settled,omitempty"`
	// Schema fingerprints the schema that a settled object was read with. Under another schema, the short path steps aside.
	Schema string `json:"schema,omitempty"`
	// Provisioned: made by Terraform, so a null attribute was not sent.
	Provisioned bool `json:"provisioned,omitempty"`
}

type PrivateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type PrivateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// ReadPrivateState returns what the private state holds; nothing there is a zero memory.
func ReadPrivateState(ctx context.Context, from PrivateReader) (PrivateState, diag.Diagnostics) {
	var m PrivateState
	raw, diags := from.GetKey(ctx, PrivateStateKey)
	if diags.HasError() || len(raw) == 0 {
		return m, diags
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		diags.AddWarning(summaryPrivateRead,
			"The private state of this resource is treated as empty, and the next apply writes it again. The attributes in state are not affected.\n\n"+err.Error())
		return PrivateState{}, diags
	}
	return m, diags
}

// RawPrivateState reads what a resource remembers from the private state of a request of the protocol. The framework
// keeps the JSON of each key as bytes. alone is false beside another key, such as the framework's own after an import.
func RawPrivateState(private []byte) (m PrivateState, alone, ok bool) {
	var keys map[string][]byte
	if len(private) == 0 || json.Unmarshal(private, &keys) != nil {
		return PrivateState{}, false, false
	}
	err := json.Unmarshal(keys[PrivateStateKey], &m)
	return m, len(keys) == 1, err == nil
}

// SaveChange writes what a read remembers, if that is another than before. While the reseller is not known, what was
// remembered stays.
func (m PrivateState) SaveChange(ctx context.Context, before PrivateState, to PrivateWriter) diag.Diagnostics {
	if m == before || m.Slug == "" {
		return nil
	}
	return m.Save(ctx, to)
}

// Save writes the memory to the private state.
func (m PrivateState) Save(ctx context.Context, to PrivateWriter) diag.Diagnostics {
	raw, err := json.Marshal(m)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryPrivateState, err.Error())}
	}
	return to.SetKey(ctx, PrivateStateKey, raw)
}
