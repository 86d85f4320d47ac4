package object

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// privateKey is the key of the runtime's private state.
const privateKey = "memory"

// private is what the runtime stores beside the attributes of an object.
type private struct {
	// ID is the key of the object. A create that has one is the second half of a replacement.
	ID string `json:"id,omitempty"`
	// Host of the private label at the last read, for messages.
	Host string `json:"host,omitempty"`
	// Created by Terraform, so that null attributes were not sent.
	Created bool `json:"provisioned,omitempty"`
	// Quiet is the fingerprint of the schema, if a plan without changes says nothing about the object.
	Quiet string `json:"quiet,omitempty"`
	// Announced are the steps of a planned destroy; nil if none was planned.
	Announced *announcement `json:"announced,omitempty"`
}

// announcement counts what a plan announced: each step by its key, and what the steps remove.
type announcement map[string]int

func announce[S Step](steps []S) announcement {
	a := announcement{}
	for _, s := range steps {
		maps.Copy(a, countsOf(s))
	}
	return a
}

func countsOf(s Step) map[string]int {
	counts := map[string]int{}
	if counted, ok := s.(Counted); ok {
		maps.Copy(counts, counted.Counts())
	}
	counts[s.Key()] = 1
	return counts
}

// beyond says what a step does that the plan did not announce, "" for nothing.
func (a announcement) beyond(s Step) string {
	if a[s.Key()] == 0 {
		return s.Key()
	}
	counts := countsOf(s)
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		if counts[what] > a[what] {
			return fmt.Sprintf("%s with %d %s, where the plan announced %d", s.Key(), counts[what], what, a[what])
		}
	}
	return ""
}

// lasting is the private state without what belongs to one plan.
func (p private) lasting() private {
	p.Announced = nil
	return p
}

// Lasting returns the private state in a request to apply without what belongs to its plan, for a response that keeps the
// object.
func Lasting(planned []byte) []byte {
	var keys map[string][]byte
	var p private
	if json.Unmarshal(planned, &keys) != nil || json.Unmarshal(keys[privateKey], &p) != nil || p.Announced == nil {
		return planned
	}
	lasting, err := json.Marshal(p.lasting())
	if err != nil {
		return planned
	}
	keys[privateKey] = lasting
	raw, err := json.Marshal(keys)
	if err != nil {
		return planned
	}
	return raw
}

func readPrivate(ctx context.Context, from session.PrivateReader) (private, diag.Diagnostics) {
	var p private
	raw, diags := from.GetKey(ctx, privateKey)
	if diags.HasError() || len(raw) == 0 {
		return p, diags
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		diags.AddWarning(session.SummaryPrivateRead,
			"The private state of this resource is treated as empty, and the next apply writes it again. The attributes in state are not affected.\n\n"+err.Error())
		return private{}, diags
	}
	return p, diags
}

func (p private) save(ctx context.Context, to session.PrivateWriter) diag.Diagnostics {
	if p.ID == "" && p.Announced == nil {
		return to.SetKey(ctx, privateKey, nil)
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic(session.SummaryPrivateState, err.Error())}
	}
	return to.SetKey(ctx, privateKey, raw)
}
