package main

import (
	"bytes"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/bench/schemafile"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
)

func newEcho(t *testing.T) echo {
	t.Helper()
	schemas, err := schemafile.Of(t.Context(), provider.NewServer("test", provider.Options{})())
	if err != nil {
		t.Fatal(err)
	}
	return echo{schemas: schemas}
}

// A plan over any resource type of the provider has no changes: what is read
// and planned is what came in.
func TestEcho_PlansNoChanges(t *testing.T) {
	t.Parallel()
	e := newEcho(t)
	served, err := e.GetProviderSchema(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, schema := range served.ResourceSchemas {
		typ := schema.ValueType()
		upgraded, err := e.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{TypeName: name, RawState: &tfprotov6.RawState{JSON: []byte(`{"id":"x1","removed":true}`)}})
		if err != nil {
			t.Fatalf("%s: %s", name, err)
		}
		value, err := upgraded.UpgradedState.Unmarshal(typ)
		if err != nil {
			t.Fatalf("%s: %s", name, err)
		}
		var attributes map[string]tftypes.Value
		if err := value.As(&attributes); err != nil {
			t.Fatal(err)
		}
		if id := attributes["id"]; !id.Equal(tftypes.NewValue(tftypes.String, "x1")) {
			t.Errorf("%s: the upgraded state has the ID %s", name, id)
		}
		state, private := upgraded.UpgradedState, []byte("private")
		read, err := e.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: name, CurrentState: state, Private: private})
		if err != nil || read.NewState != state || !bytes.Equal(read.Private, private) {
			t.Errorf("%s: read %+v, %v", name, read, err)
		}
		planned, err := e.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{TypeName: name, PriorState: state, ProposedNewState: state, PriorPrivate: private})
		if err != nil || planned.PlannedState != state || !bytes.Equal(planned.PlannedPrivate, private) {
			t.Errorf("%s: planned %+v, %v", name, planned, err)
		}
	}
}

// The floor serves every resource type, with the identity of each.
func TestEcho_ServesAllResources(t *testing.T) {
	t.Parallel()
	e := newEcho(t)
	want, err := provider.NewServer("test", provider.Options{})().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	served, err := e.GetProviderSchema(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	identities, err := e.GetResourceIdentitySchemas(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name := range want.ResourceSchemas {
		if served.ResourceSchemas[name] == nil {
			t.Errorf("no schema of %s", name)
		}
	}
	for name, identity := range identities.IdentitySchemas {
		raw := &tfprotov6.RawState{JSON: []byte(`{"id":"x1"}`)}
		if !slices.ContainsFunc(identity.IdentityAttributes, func(a *tfprotov6.ResourceIdentitySchemaAttribute) bool { return a.Name == "id" }) {
			continue
		}
		got, err := e.UpgradeResourceIdentity(t.Context(), &tfprotov6.UpgradeResourceIdentityRequest{TypeName: name, RawIdentity: raw})
		if err != nil || got.UpgradedIdentity.IdentityData == nil {
			t.Errorf("%s: upgraded identity %+v, %v", name, got, err)
		}
	}
}
