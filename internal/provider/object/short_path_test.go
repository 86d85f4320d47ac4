package object_test

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/shortpath"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// single is a rig with an applied toy of one part: the framework writes the elements of a map in any order.
func single(t *testing.T, policy string) (*rig, *config) {
	t.Helper()
	r, c := newRig(t), &config{name: "bear", policy: policy, parts: []string{"arm"}}
	r.runs(c)
	r.read().want(t)
	return r, c
}

// Requests at the same time share the fields of a type.
func TestType_FieldsConcurrent(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	typ := object.New(r.kind.as(r.kind))
	r.kind.typ = typ
	var requests sync.WaitGroup
	for range 4 {
		requests.Go(func() {
			assert.NotEmpty(t, typ.Fields())
		})
	}
	requests.Wait()
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
		"no private state": {func(r *rig) { r.keep(nil) }, false},
		"other private state": {func(r *rig) {
			r.keep([]byte(`{"reseller":"` + "eyJpZCI6ImJlYXIvaWQtYmVhciJ9" + `","other":"e30="}`))
		}, false},
		"private of another":   {func(r *rig) { r.keep([]byte(`{"reseller":"` + "eyJpZCI6ImJlYXIvaWQtZHVjayJ9" + `"}`)) }, false},
		"of another reseller":  {func(r *rig) { r.set("reseller", "other.example") }, false},
		"imported":             {func(r *rig) { r.set("reseller", nil) }, false},
		"unknown value":        {func(r *rig) { r.set("note", tftypes.UnknownValue) }, false},
		"without its identity": {func(r *rig) { r.Set(r.State(), r.Private(), nil) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := single(t, "")
			tc.change(r)
			r.looks = nil
			known, ids, ok := shortpath.Of(r.typ).Read(t.Context(), r.run, providertest.Dynamic(r.State()), r.Private())
			require.Equal(t, tc.short, ok, "the short path says")
			resp := must((&shortpath.Server{Framework: r.protocol.Server}).FrameworkOf(known).ReadResource(t.Context(), r.readRequest()))
			assert.LessOrEqual(t, len(r.looks), 1, "looks of one request")
			if !ok {
				return
			}
			saying(providertest.FromProtocol("", resp.Diagnostics)).want(t)
			assert.Equal(t, providertest.Dynamic(r.State()).MsgPack, resp.NewState.MsgPack, "the framework's read returns, %s", resp.Private)
			assert.True(t, sameJSON(resp.Private, r.Private()), "the framework's read returns %q, %s", resp.NewState.MsgPack, resp.Private)
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
		"announced destroy": {"", always, func(r *rig) { plan, _ := r.plan(nil); r.keep(plan.Private()) }, false},
		"unreadable":        {"", always, func(r *rig) { r.keep([]byte("no JSON")) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, _ := single(t, tc.policy)
			r.kind.quiet = tc.quiet
			r.read().want(t) // stores whether the object is quiet
			if tc.change != nil {
				tc.change(r)
			}
			state := providertest.Dynamic(r.State())
			require.Equal(t, tc.short, shortpath.Of(r.typ).Plan(t.Context(), r.run, state, r.Private()), "the short path says")
			if !tc.short {
				return
			}
			config := providertest.Members(r.State())
			for _, computed := range []string{"id", "serials", "reseller", "deletion_policy"} {
				config[computed] = tftypes.NewValue(config[computed].Type(), nil)
			}
			resp := must(r.protocol.Server.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
				TypeName: typeName, PriorState: state, ProposedNewState: state, Config: providertest.Dynamic(tftypes.NewValue(r.State().Type(), config)), PriorPrivate: r.Private(), PriorIdentity: r.Identity(),
			}))
			saying(providertest.FromProtocol("", resp.Diagnostics)).want(t)
			assert.Equal(t, state.MsgPack, resp.PlannedState.MsgPack, "the framework's plan returns, %s, %v", resp.PlannedPrivate, resp.RequiresReplace)
			assert.True(t, sameJSON(resp.PlannedPrivate, r.Private()),
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

// keep changes the private state.
func (r *rig) keep(private []byte) { r.Set(r.State(), private, r.Identity()) }

// set changes a text of the state.
func (r *rig) set(name string, value any) {
	now := providertest.Members(r.State())
	now[name] = tftypes.NewValue(tftypes.String, value)
	r.Set(tftypes.NewValue(r.State().Type(), now), r.Private(), r.Identity())
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
			k := newResource(newShop())
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
