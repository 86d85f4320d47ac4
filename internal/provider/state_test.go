package provider_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// The states below testdata/states were written by this provider: one directory for
// each combination of schema versions that was ever released, with the simulator's
// data in the same directory. RESELLER_WRITE_STATE=1 writes the newest directory again, which is
// right only before its schema versions are released.
const (
	statesFolder = "testdata/states"
	newestStates = "2026-11"
)

// stored is the configuration of the stored states: every type of resource.
const stored = `
resource "reseller_private_label" "acme" {
  domain          = "sign.acme.example"
  app_name        = "Acme Sign"
  support_url     = "https://acme.example/help"
  color_primary   = "#0a4"
  suspended       = false
  deletion_policy = "ABANDON"
  owner = {
    email      = "ada@acme.example"
    first_name = "Ada"
    last_name  = "Lovelace"
  }
}
resource "reseller_private_label" "settled" {
  domain   = "sign.settled.example"
  app_name = "Settled Sign"
  owner = {
    email      = "sam@settled.example"
    first_name = "Sam"
    last_name  = "Settled"
  }
}
resource "reseller_package" "gold" {
  code     = "GOLD"
  name     = "Gold"
  currency = "EUR"
  settings = { included = { seats = 5 } }
}
resource "reseller_addon" "seats" {
  code     = "SEATS"
  name     = "Seats"
  currency = "EUR"
}
resource "reseller_assignment" "acme" {
  private_label_id = reseller_private_label.acme.id
  package_id       = reseller_package.gold.id
  addons           = { (reseller_addon.seats.code) = 2 }
  allow_excess     = { seats = 3 }
}
resource "reseller_member" "bob" {
  private_label_id = reseller_private_label.acme.id
  email            = "bob@acme.example"
  first_name       = "Bob"
  last_name        = "Byte"
}
resource "reseller_members" "settled" {
  private_label_id = reseller_private_label.settled.id
  members          = { "eve@settled.example" = { first_name = "Eve", last_name = "Moss" } }
}
resource "reseller_branding" "acme" {
  domain        = reseller_private_label.acme.domain
  color_primary = "#0a0"
}
resource "reseller_domain_verification" "acme" {
  private_label_id = reseller_private_label.acme.id
  timeouts         = { create = "1h" }
}
`

// newStored is a test environment with a stored state, in a directory of the CLI.
func newStored(t *testing.T, folder string) (*providertest.TestEnv, *providertest.CLI) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "service.json")
	copyFile(t, filepath.Join(statesFolder, folder, "service.json"), file)
	w := providertest.NewTestEnvOptions(t, simulator.Options{File: file})
	c := w.Cli()
	c.Config(w.Config(stored))
	copyFile(t, filepath.Join(statesFolder, folder, "terraform.tfstate"), filepath.Join(c.Dir, "terraform.tfstate"))
	return w, c
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestState_Written writes the newest directory if requested.
func TestState_Written(t *testing.T) {
	t.Parallel()
	if os.Getenv("RESELLER_WRITE_STATE") == "" {
		t.Skip("the stored state is written only when RESELLER_WRITE_STATE is set")
	}
	folder := filepath.Join(statesFolder, newestStates)
	if err := os.MkdirAll(folder, 0o750); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "service.json")
	w := providertest.NewTestEnvOptions(t, simulator.Options{File: file, DNSDelay: 1})
	c := w.Cli()
	c.Config(w.Config(stored))
	c.Apply().WantOK(t)
	c.Apply("-refresh-only").WantOK(t)
	c.WantEmptyPlan()
	if err := w.Sim.Close(); err != nil {
		t.Fatal(err)
	}
	copyFile(t, file, filepath.Join(folder, "service.json"))
	copyFile(t, filepath.Join(c.Dir, "terraform.tfstate"), filepath.Join(folder, "terraform.tfstate"))
}

// Every stored state is read, and plans no changes.
func TestState_Upgraded(t *testing.T) {
	t.Parallel()
	folders, err := os.ReadDir(statesFolder)
	if err != nil || len(folders) == 0 {
		t.Fatalf("no stored states: %v", err)
	}
	for _, folder := range folders {
		t.Run(folder.Name(), func(t *testing.T) {
			t.Parallel()
			_, c := newStored(t, folder.Name())
			c.WantEmptyPlan()
		})
	}
}

// The newest directory has every type of resource in the present schema version: a change that raises the version first
// stores a state of the old one.
func TestState_VersionsAreStored(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join(statesFolder, newestStates, "terraform.tfstate"))
	if err != nil {
		t.Fatal(err)
	}
	var state struct {
		Resources []struct {
			Type      string
			Instances []struct {
				SchemaVersion int64 `json:"schema_version"`
			}
		}
	}
	if err := json.Unmarshal(raw, &state); err != nil {
		t.Fatal(err)
	}
	versions := map[string]int64{}
	for _, r := range state.Resources {
		versions[r.Type] = r.Instances[0].SchemaVersion
	}
	for name, schema := range providertest.NewTestEnv(t).Protocol().Schema.ResourceSchemas {
		if signing[name] {
			continue // has no state that a read could refresh
		}
		if version, ok := versions[name]; !ok || version != schema.Version {
			t.Errorf("%s has schema version %d; the newest stored state has it in %d (there: %t)", name, schema.Version, version, ok)
		}
	}
}

// signing resources are read only from their state, and tested there.
var signing = map[string]bool{"reseller_document": true, "reseller_document_signing": true, "reseller_minted_document": true}

// A state of a newer CLI, with identities, is read by this one.
func TestState_OfANewerCLI(t *testing.T) {
	t.Parallel()
	w, c := newStored(t, newestStates)
	var state map[string]any
	if err := json.Unmarshal([]byte(c.Read("terraform.tfstate")), &state); err != nil {
		t.Fatal(err)
	}
	p := w.Protocol()
	identities, err := p.Server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	state["terraform_version"] = "1.14.0"
	resources, _ := state["resources"].([]any)
	for _, r := range resources {
		resource, _ := r.(map[string]any)
		for _, i := range resource["instances"].([]any) {
			instance, _ := i.(map[string]any)
			attributes, _ := instance["attributes"].(map[string]any)
			typeName, _ := resource["type"].(string)
			schema := identities.IdentitySchemas[typeName]
			if schema == nil {
				continue
			}
			// A CLI that supports identities requires every attribute of the schema.
			identity := map[string]any{}
			for _, a := range schema.IdentityAttributes {
				if identity[a.Name] = attributes[a.Name]; identity[a.Name] == nil {
					t.Errorf("%s has no %s for its identity", typeName, a.Name)
				}
			}
			instance["identity_schema_version"] = schema.Version
			instance["identity"] = identity
			p.WantIdentity(typeName, schema, instance, identity)
		}
	}
	raw, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	c.File("terraform.tfstate", string(raw))
	c.WantEmptyPlan()
}

// The upgrade itself returns what was stored, with any CLI.
func TestState_UpgradeKeepsValues(t *testing.T) {
	t.Parallel()
	var state struct {
		Resources []struct {
			Type      string
			Instances []struct {
				SchemaVersion int64           `json:"schema_version"`
				Attributes    json.RawMessage `json:"attributes"`
			}
		}
	}
	raw, err := os.ReadFile(filepath.Join(statesFolder, newestStates, "terraform.tfstate"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &state); err != nil {
		t.Fatal(err)
	}
	p := providertest.NewTestEnv(t).Protocol()
	for _, r := range state.Resources {
		stored := r.Instances[0]
		upgraded, err := p.Server.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
			TypeName: r.Type, Version: stored.SchemaVersion, RawState: &tfprotov6.RawState{JSON: stored.Attributes},
		})
		if err != nil {
			t.Fatal(err)
		}
		p.WantNone(upgraded.Diagnostics)
		var want map[string]any
		if err := json.Unmarshal(stored.Attributes, &want); err != nil {
			t.Fatal(err)
		}
		for name, value := range p.Object(upgraded.UpgradedState, p.Schema.ResourceSchemas[r.Type].Block.ValueType()) {
			if text, isText := want[name].(string); isText && !strings.Contains(value.String(), fmt.Sprintf("%q", text)) {
				t.Errorf("%s.%s is %s, want %q", r.Type, name, value, text)
			}
			if want[name] == nil && !value.IsNull() {
				t.Errorf("%s.%s is %s, want null", r.Type, name, value)
			}
		}
	}
}

// Every type of resource is moved without a change, and removed from state by a removed block without a call that
// writes.
func TestState_MovedAndRemoved(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.7.0", "the removed block")
	w, c := newStored(t, newestStates)
	moved, removed := stored, ""
	for address := range c.State() {
		kind, name, _ := strings.Cut(address, ".")
		moved = strings.ReplaceAll(moved, fmt.Sprintf("%q %q", kind, name), fmt.Sprintf("%q \"%s_moved\"", kind, name))
		moved = strings.ReplaceAll(moved, address+".", address+"_moved.")
		moved += fmt.Sprintf("moved {\n  from = %s\n  to = %s_moved\n}\n", address, address)
		removed += fmt.Sprintf("removed {\n  from = %s_moved\n  lifecycle {\n    destroy = false\n  }\n}\n", address)
	}
	c.Config(w.Config(moved))
	w.Sim.ResetJournal()
	c.Apply().WantOK(t, "0 added, 0 changed, 0 destroyed")
	c.WantEmptyPlan()
	if providertest.IsTofu(t) {
		removed = regexp.MustCompile(`(?s)  lifecycle \{.*?\n  \}\n`).ReplaceAllString(removed, "") // its removed blocks never destroy
	}
	c.Config(w.Config(removed))
	c.Apply().WantOK(t, "0 added, 0 changed, 0 destroyed")
	if len(c.State()) != 0 {
		t.Errorf("state %v", c.State())
	}
	w.WantReads()
}
