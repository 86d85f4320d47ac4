package object_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/shortpath"
)

// single is a rig with an applied toy of one part: the framework writes the elements of a map in any order.
func single(t *testing.T, policy string) (*rig, *config) {
	t.Helper()
	r, c := newRig(t), &config{name: "bear", policy: policy, parts: []string{"arm"}}
	r.runs(c)
	r.read().want(t)
	return r, c
}

// An unchanged object takes the short path, whose response is the framework's, byte for byte. Every other one does not.
func TestShortPath_Read(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(*rig)
		short  bool
	}{
		"unchanged":        {func(*rig) {}, true},
		"changed":          {func(r *rig) { delete(r.toys["bear"].parts, "arm") }, false},
		"gone":             {func(r *rig) { delete(r.toys, "bear") }, false},
		"not readable":     {func(r *rig) { r.lookErr = errServer }, false},
		"no private state": {func(r *rig) { r.private = nil }, false},
		"other private state": {func(r *rig) {
			r.private = []byte(`{"reseller":"` + "eyJpZCI6ImJlYXIvaWQtYmVhciJ9" + `","other":"e30="}`)
		}, false},
		"private of another":   {func(r *rig) { r.private = []byte(`{"reseller":"` + "eyJpZCI6ImJlYXIvaWQtZHVjayJ9" + `"}`) }, false},
		"of another reseller":  {func(r *rig) { r.set("reseller", "other.example") }, false},
		"imported":             {func(r *rig) { r.set("reseller", nil) }, false},
		"without its identity": {func(r *rig) { r.identity = nil }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := single(t, "")
			tc.change(r)
			r.looks = nil
			rest, ids, ok := shortpath.Of(r.typ).Read(t.Context(), r.run, r.dynamic(r.state), r.private)
			require.Equal(t, tc.short, ok, "the short path says")
			resp := must(r.server.ReadResource(rest, r.readRequest()))
			assert.LessOrEqual(t, len(r.looks), 1, "looks of one request")
			if !ok {
				return
			}
			saying(resp.Diagnostics).want(t)
			assert.Equal(t, r.dynamic(r.state).MsgPack, resp.NewState.MsgPack, "the framework's read returns, %s", resp.Private)
			assert.True(t, sameJSON(resp.Private, r.private), "the framework's read returns %q, %s", resp.NewState.MsgPack, resp.Private)
			require.Len(t, ids, 2, "the identity")
			assert.Equal(t, "bear", ids[0], "the identity is %q", ids)
			assert.Equal(t, "id-bear", ids[1], "the identity is %q", ids)
		})
	}
}

func TestShortPath_Plan(t *testing.T) {
	t.Parallel()
	always := func(*model) bool { return true }
	for name, tc := range map[string]struct {
		policy string
		quiet  func(*model) bool
		change func(*rig)
		short  bool
	}{
		"unchanged":         {"", always, nil, true},
		"another policy":    {"ABANDON", always, nil, false}, // its default comes back when it is removed
		"with a warning":    {"", func(*model) bool { return false }, nil, false},
		"announced destroy": {"", always, func(r *rig) { plan, _ := r.plan(nil); r.private = plan[0].private }, false},
		"unreadable":        {"", always, func(r *rig) { r.private = []byte("no JSON") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, c := single(t, tc.policy)
			r.kind.quiet = tc.quiet
			r.read().want(t) // stores whether the object is quiet
			if tc.change != nil {
				tc.change(r)
			}
			state := r.dynamic(r.state)
			require.Equal(t, tc.short, shortpath.Of(r.typ).Plan(t.Context(), r.run, state, r.private), "the short path says")
			if !tc.short {
				return
			}
			resp := must(r.server.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
				TypeName: typeName, PriorState: state, ProposedNewState: state, Config: r.dynamic(r.valueOf(c)), PriorPrivate: r.private, PriorIdentity: r.identity,
			}))
			saying(resp.Diagnostics).want(t)
			assert.Equal(t, state.MsgPack, resp.PlannedState.MsgPack, "the framework's plan returns, %s, %v", resp.PlannedPrivate, resp.RequiresReplace)
			assert.True(t, sameJSON(resp.PlannedPrivate, r.private),
				"the framework's plan returns %q, %s, %v", resp.PlannedState.MsgPack, resp.PlannedPrivate, resp.RequiresReplace)
			assert.Empty(t, resp.RequiresReplace, "the framework's plan returns %q, %s", resp.PlannedState.MsgPack, resp.PlannedPrivate)
		})
	}
}

// sameJSON compares private states, whose keys the framework writes in any order.
func sameJSON(a, b []byte) bool {
	var first, other map[string][]byte
	return json.Unmarshal(a, &first) == nil && json.Unmarshal(b, &other) == nil && bytes.Equal(first["reseller"], other["reseller"]) && len(first) == len(other)
}

// set changes a text of the state.
func (r *rig) set(name string, value any) {
	now := fields(r.state)
	now[name] = tftypes.NewValue(tftypes.String, value)
	r.state = tftypes.NewValue(r.shape, now)
}

// A model that does not have exactly the attributes of its schema is found by the first request.
func TestShortPath_ModelFitsTheSchema(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(map[string]schema.Attribute){
		"one more attribute": func(a map[string]schema.Attribute) { a["more"] = schema.StringAttribute{Optional: true} },
		"one less attribute": func(a map[string]schema.Attribute) { delete(a, "note") },
		"another type":       func(a map[string]schema.Attribute) { a["note"] = schema.BoolAttribute{Optional: true} },
		"an unknown default": func(a map[string]schema.Attribute) {
			a["note"] = schema.Int64Attribute{Computed: true, Default: int64default.StaticInt64(1)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKind(newShop())
			k.schema = func(ctx context.Context) schema.Schema {
				s := toySchema(ctx)
				change(s.Attributes)
				return s
			}
			defer func() {
				assert.NotNil(t, recover(), "no panic")
			}()
			shortpath.Of(object.New(k.as(k))).Plan(t.Context(), nil, nil, []byte(`{"reseller":"e30="}`))
		})
	}
}
