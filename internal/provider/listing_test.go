package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/querycheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// found is one result of a list.
type found struct {
	name     string
	identity map[string]tftypes.Value
	resource map[string]tftypes.Value // nil where it was not asked for
}

// list lists as `terraform query` does: validate, then the stream, until limit.
func (p *protocol) list(typeName string, given map[string]string, include bool, limit int64) ([]found, []*tfprotov6.Diagnostic) {
	p.t.Helper()
	config := p.value(p.schema.ListResourceSchemas[typeName], given)
	validated, err := p.server.ValidateListResourceConfig(p.t.Context(), &tfprotov6.ValidateListResourceConfigRequest{TypeName: typeName, Config: config})
	if err != nil {
		p.t.Fatal(err)
	}
	if len(validated.Diagnostics) > 0 {
		return nil, validated.Diagnostics
	}
	stream, err := p.server.ListResource(p.t.Context(), &tfprotov6.ListResourceRequest{TypeName: typeName, Config: config, IncludeResource: include, Limit: limit})
	if err != nil {
		p.t.Fatal(err)
	}
	identities, err := p.server.GetResourceIdentitySchemas(p.t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		p.t.Fatal(err)
	}
	var out []found
	for result := range stream.Results {
		if len(result.Diagnostics) > 0 {
			return out, result.Diagnostics
		}
		one := found{name: result.DisplayName, identity: p.object(result.Identity.IdentityData, identities.IdentitySchemas[typeName].ValueType())}
		if include {
			one.resource = p.object(result.Resource, p.schema.ResourceSchemas[typeName].Block.ValueType())
		}
		out = append(out, one)
	}
	return out, nil
}

func (p *protocol) object(value *tfprotov6.DynamicValue, typ tftypes.Type) map[string]tftypes.Value {
	p.t.Helper()
	raw, err := value.Unmarshal(typ)
	if err != nil {
		p.t.Fatal(err)
	}
	var out map[string]tftypes.Value
	if err := raw.As(&out); err != nil {
		p.t.Fatal(err)
	}
	return out
}

// imported is what a read after an import by this identity has.
func (p *protocol) imported(typeName string, identity map[string]tftypes.Value) map[string]tftypes.Value {
	p.t.Helper()
	attrs := map[string]tftypes.Type{}
	for name := range identity {
		attrs[name] = tftypes.String
	}
	typ := tftypes.Object{AttributeTypes: attrs}
	value, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, identity))
	if err != nil {
		p.t.Fatal(err)
	}
	imported, err := p.server.ImportResourceState(p.t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: typeName, Identity: &tfprotov6.ResourceIdentityData{IdentityData: &value}})
	if err != nil {
		p.t.Fatal(err)
	}
	p.wantNone(imported.Diagnostics)
	one := imported.ImportedResources[0]
	read, err := p.server.ReadResource(p.t.Context(), &tfprotov6.ReadResourceRequest{TypeName: typeName, CurrentState: one.State, Private: one.Private, CurrentIdentity: one.Identity})
	if err != nil {
		p.t.Fatal(err)
	}
	p.wantNone(read.Diagnostics)
	return p.object(read.NewState, p.schema.ResourceSchemas[typeName].Block.ValueType())
}

// newAgency is a world with ten labels, their packages, add-ons and people.
func newAgency(t *testing.T) (*world, []simulator.LabelView) {
	t.Helper()
	w := newWorld(t)
	if err := w.sim.Seed(10); err != nil {
		t.Fatal(err)
	}
	labels := w.sim.Labels()
	if err := w.sim.SuspendInConsole(labels[3].Host, "unpaid"); err != nil {
		t.Fatal(err)
	}
	w.sim.ResetJournal()
	return w, labels
}

// Every type is listed whole, with as few calls as there can be; the resources
// that are included are those that an import would read.
func TestListing(t *testing.T) {
	t.Parallel()
	w, labels := newAgency(t)
	packaged := 0
	for _, l := range labels {
		if l.Package != "" {
			packaged++
		}
	}
	const start = 2 // the exchange and the dashboard
	for typeName, tc := range map[string]struct {
		want         int
		calls, whole map[string]int // without and with the resources
		name         string         // of one of them
	}{
		"reseller_private_label": {10, map[string]int{routeList: 1}, map[string]int{routeList: 1, routeDetail: 10}, labels[0].Host},
		"reseller_assignment":    {packaged, map[string]int{routeList: 1}, map[string]int{routeList: 1, routeDetail: packaged}, labels[0].Host + " has " + labels[0].Package},
		"reseller_package":       {12, map[string]int{routePackageSearch: 1}, map[string]int{routePackageSearch: 1}, "PLAN-01 (Plan 1)"},
		"reseller_addon":         {8, map[string]int{routeAddonSearch: 1}, map[string]int{routeAddonSearch: 1}, "EXTRA-01 (Extra 1)"},
	} {
		for _, include := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%t", typeName, include), func(t *testing.T) {
				want := tc.calls
				if include {
					want = tc.whole
				}
				p := w.protocol()
				w.sim.ResetJournal()
				results, diags := p.list(typeName, nil, include, 0)
				p.wantNone(diags)
				if len(results) != tc.want {
					t.Fatalf("%d results, want %d", len(results), tc.want)
				}
				total := 0
				for route, n := range want {
					total += n
					if w.calls(route) != n {
						t.Errorf("%s: %d calls, want %d", route, w.calls(route), n)
					}
				}
				if n := len(w.sim.Journal()); n > total+start {
					t.Errorf("%d calls in all, want %d", n, total)
				}
				named := false
				for _, r := range results {
					named = named || r.name == tc.name
				}
				if !named {
					t.Errorf("none is called %q: %v", tc.name, results[0].name)
				}
				for _, r := range results[:2] {
					imported := p.imported(typeName, r.identity)
					for name, value := range r.resource {
						if !value.Equal(imported[name]) {
							t.Errorf("%s: %s is %s, after an import %s", r.name, name, value, imported[name])
						}
					}
				}
			})
		}
	}
}

func TestListing_Limit(t *testing.T) {
	t.Parallel()
	w, _ := newAgency(t)
	p := w.protocol()
	results, diags := p.list("reseller_private_label", nil, true, 3)
	p.wantNone(diags)
	if len(results) != 3 || w.calls(routeDetail) != 3 {
		t.Errorf("%d results with %d details, want 3", len(results), w.calls(routeDetail))
	}
}

func TestListing_Status(t *testing.T) {
	t.Parallel()
	w, labels := newAgency(t)
	p := w.protocol()
	results, diags := p.list("reseller_private_label", map[string]string{"status": "Suspended"}, true, 0)
	p.wantNone(diags)
	if len(results) != 1 || results[0].name != labels[3].Host || w.calls(routeDetail) != 1 {
		t.Errorf("results %v with %d details", results, w.calls(routeDetail))
	}
	_, diags = p.list("reseller_private_label", map[string]string{"status": "suspended"}, false, 0)
	p.wantDiag(diags, "value must be one of")
}

// What cannot be read is told with the first result, and nothing else comes.
func TestListing_Refused(t *testing.T) {
	t.Parallel()
	for _, typeName := range []string{"reseller_private_label", "reseller_assignment", "reseller_package", "reseller_addon", "reseller_member"} {
		t.Run(typeName, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			key, err := w.sim.MintKey("reseller:provision")
			if err != nil {
				t.Fatal(err)
			}
			w.key = key
			p := w.protocol()
			results, diags := p.list(typeName, nil, false, 0)
			p.wantDiag(diags, "could not be read", "INSUFFICIENT_SCOPE", "reseller:read")
			if len(results) != 0 {
				t.Errorf("%d results", len(results))
			}
		})
	}
}

func TestListing_Members(t *testing.T) {
	t.Parallel()
	w, labels := newAgency(t)
	if err := w.sim.MakeAdmin(labels[0].Host, "person-2@"+strings.TrimPrefix(labels[0].Host, "sign.")); err != nil {
		t.Fatal(err)
	}
	t.Run("of one label", func(t *testing.T) {
		p := w.protocol()
		w.sim.ResetJournal()
		results, diags := p.list("reseller_member", map[string]string{"private_label_id": labels[0].ID}, true, 0)
		p.wantNone(diags)
		if len(results) != 3 || w.calls(routeMembers) != 1 || w.calls(routeList) != 0 {
			t.Errorf("%d results with %d lists of members and %d of labels", len(results), w.calls(routeMembers), w.calls(routeList))
		}
		roles := ""
		for _, r := range results {
			var role string
			if err := r.resource["role"].As(&role); err != nil {
				t.Fatal(err)
			}
			roles += role + " "
			imported := p.imported("reseller_member", r.identity)
			for name, value := range r.resource {
				if !value.Equal(imported[name]) {
					t.Errorf("%s: %s is %s, after an import %s", r.name, name, value, imported[name])
				}
			}
		}
		if roles != "owner admin member " {
			t.Errorf("roles %q", roles)
		}
	})
	t.Run("of all, as far as they are wanted", func(t *testing.T) {
		p := w.protocol()
		w.sim.ResetJournal()
		results, diags := p.list("reseller_member", nil, false, 7)
		p.wantNone(diags)
		if len(results) != 7 {
			t.Fatalf("%d results", len(results))
		}
		if w.calls(routeMembers) != 3 || w.calls(routeList) != 1 {
			t.Errorf("%d results with %d lists of members and %d of labels", len(results), w.calls(routeMembers), w.calls(routeList))
		}
		if want := "person-1@client-0001.example on " + labels[0].Host; results[0].name != want {
			t.Errorf("name %q, want %q", results[0].name, want)
		}
	})
	t.Run("of no label", func(*testing.T) {
		p := w.protocol()
		_, diags := p.list("reseller_member", map[string]string{"private_label_id": strings.Repeat("0", 32)}, false, 0)
		p.wantDiag(diags, "is no live label of")
	})
}

// Through the CLI, where it knows `terraform query`.
func TestListing_ThroughQuery(t *testing.T) {
	t.Parallel()
	w, labels := newAgency(t)
	resource.UnitTest(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_14_0)}, // terraform query
		ProtoV6ProviderFactories: w.factories(),
		Steps: []resource.TestStep{
			// The query file is put beside this configuration, which has the provider
			// block: it must not be there twice.
			{Config: w.config(`data "reseller_dashboard" "d" {}`)},
			{
				Query: true,
				Config: fmt.Sprintf(`
list "reseller_private_label" "suspended" {
  provider         = reseller
  include_resource = true
  config {
    status = "Suspended"
  }
}
list "reseller_assignment" "all" {
  provider = reseller
}
list "reseller_member" "one" {
  provider = reseller
  config {
    private_label_id = %q
  }
}
`, labels[0].ID),
				QueryResultChecks: []querycheck.QueryResultCheck{
					querycheck.ExpectLength("reseller_private_label.suspended", 1),
					querycheck.ExpectIdentity("reseller_private_label.suspended", map[string]knownvalue.Check{"id": knownvalue.StringExact(labels[3].ID)}),
					querycheck.ExpectLengthAtLeast("reseller_assignment.all", 5),
					querycheck.ExpectLength("reseller_member.one", 3),
				},
			},
		},
	})
}
