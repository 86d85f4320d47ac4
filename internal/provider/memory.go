package provider

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// memoryKey is the key of memory in a resource's private state.
const memoryKey = "memory"

// memory is what a resource remembers in its private state, beside what its
// attributes say.
type memory struct {
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
	Settled bool `json:"settled,omitempty"`
	// Schema fingerprints the schema that a settled object was read with. Under another schema, the short path steps aside.
	Schema string `json:"schema,omitempty"`
	// Provisioned: made by Terraform, so a null attribute was not sent.
	Provisioned bool `json:"provisioned,omitempty"`
}

type privateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type privateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// readMemory returns what the private state holds; nothing there is a zero memory.
func readMemory(ctx context.Context, from privateReader) (memory, diag.Diagnostics) {
	var m memory
	raw, diags := from.GetKey(ctx, memoryKey)
	if diags.HasError() || len(raw) == 0 {
		return m, diags
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		diags.AddWarning("The resource's private state is not readable",
			"It is taken for empty; the next apply writes it anew. "+err.Error())
		return memory{}, diags
	}
	return m, diags
}

// save writes the memory to the private state.
func (m memory) save(ctx context.Context, to privateWriter) diag.Diagnostics {
	raw, err := json.Marshal(m)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("The resource's private state cannot be written", err.Error())}
	}
	return to.SetKey(ctx, memoryKey, raw)
}
