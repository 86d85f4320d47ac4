package provider_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/conformance"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The directories below testdata/states were written by this provider, one for each generation of what it stores:
//
//	terraform.tfstate  the state of every type of resource
//	plan.json          `terraform show -json` of a saved plan
//	service.json       the simulator's data file
//	cache              the token cache, with the marker of an operation whose outcome is unknown
//
// RESELLER_WRITE_STATE=1 writes the newest directory again, which is right only before the generation is released.
const (
	statesFolder = "testdata/states"
	newestStates = "2026-11"
)

// storedBody is the configuration of the stored state, with the documents that the simulator has.
func storedBody(w *providertest.SigningEnv) string { return storedBlocks(w, true) }

// storedBlocks are the blocks of the stored states: those of every type, with or without the documents.
func storedBlocks(w *providertest.SigningEnv, documents bool) (all string) {
	for _, c := range conformance.Cases() {
		if c.Once == nil || documents {
			all += c.Stored(w)
		}
	}
	return all
}

// inDoubt is a mint whose response was lost.
var inDoubt = strings.NewReplacer(`"terms"`, `"doubt"`, `"TERMS"`, `"DOUBT"`, "Acme terms 2026", "Acme doubt 2026").Replace(providertest.MinimalMint)

const anyModule = "/any/module" // stands for the directory of the configuration

// newStored is a test environment with what a generation stored, in a directory of the CLI.
func newStored(t *testing.T, folder string) (*providertest.SigningEnv, *providertest.CLI) {
	t.Helper()
	from := filepath.Join(statesFolder, folder)
	file, cache := filepath.Join(t.TempDir(), "service.json"), filepath.Join(t.TempDir(), "cache")
	copyFile(t, filepath.Join(from, "service.json"), file)
	copyFiles(t, filepath.Join(from, "cache"), cache)
	w := &providertest.SigningEnv{LabelEnv: &providertest.LabelEnv{TestEnv: providertest.NewTestEnvOptions(t, simulator.Options{File: file})}}
	w.Env.Set("RESELLER_TOKEN_CACHE_DIR", cache)
	w.Sim.ResetJournal()
	sent, err := os.ReadFile(filepath.Join(from, "terms.pdf"))
	require.NoError(t, err)
	c := w.CliWith(sent)
	c.Config(w.Config(storedBody(w)))
	state, err := os.ReadFile(filepath.Join(from, "terraform.tfstate"))
	require.NoError(t, err)
	c.File("terraform.tfstate", strings.ReplaceAll(string(state), anyModule, c.Dir))
	return w, c
}

// copyFiles copies a directory without its locks, which are empty, for its user only.
func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err == nil {
		err = os.MkdirAll(to, 0o700)
	}
	require.NoError(t, err)
	for _, e := range entries {
		switch source, target := filepath.Join(from, e.Name()), filepath.Join(to, e.Name()); {
		case e.IsDir():
			copyFiles(t, source, target)
		case filepath.Ext(e.Name()) != ".lock":
			copyFile(t, source, target)
		}
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, content, 0o600))
}

// asOldestCLI is a state as the oldest CLI writes it, without a list of sensitive values: with one it plans updates.
func asOldestCLI(t *testing.T, text string) string {
	t.Helper()
	var state map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &state))
	state["terraform_version"] = "1.5.0"
	for _, resource := range state["resources"].([]any) {
		for _, instance := range resource.(map[string]any)["instances"].([]any) {
			delete(instance.(map[string]any), "sensitive_attributes")
		}
	}
	out, err := json.MarshalIndent(state, "", "  ")
	require.NoError(t, err)
	return string(out) + "\n"
}

// TestState_Written writes the newest directory if requested.
func TestState_Written(t *testing.T) {
	t.Parallel()
	if os.Getenv("RESELLER_WRITE_STATE") == "" {
		t.Skip("the stored state is written only when RESELLER_WRITE_STATE is set")
	}
	folder := filepath.Join(statesFolder, newestStates)
	file := filepath.Join(t.TempDir(), "service.json")
	w := &providertest.SigningEnv{LabelEnv: &providertest.LabelEnv{
		TestEnv: providertest.NewTestEnvOptions(t, simulator.Options{File: file, DNSDelay: 1, IDs: "stored"}),
	}}
	c := w.CliWith(providertest.OnePage("Terms"))
	for _, documents := range []bool{false, true, true} {
		c.Config(w.Config(storedBlocks(w, documents)))
		c.Apply().WantOK(t)
	}
	c.Apply("-refresh-only").WantOK(t)
	c.WantEmptyPlan()
	state := asOldestCLI(t, c.Read("terraform.tfstate"))

	w.Sim.Inject(simulator.Fault{Route: providertest.RouteMint, Kind: simulator.FaultReset, After: true})
	c.Config(w.Config(storedBody(w) + inDoubt))
	c.Apply().WantError(t, document.SummaryMintUnknown)

	c.Config(w.Config(strings.ReplaceAll(storedBlocks(w, false), "bob@", "eve@")))
	c.Ok("plan", "-input=false", "-out=saved.plan")
	plan := c.Raw("show", "-json", "saved.plan")
	require.NoError(t, w.Sim.Close())
	require.NoError(t, os.RemoveAll(folder))
	copyFiles(t, w.Env.Get("RESELLER_TOKEN_CACHE_DIR"), filepath.Join(folder, "cache"))
	copyFile(t, file, filepath.Join(folder, "service.json"))
	copyFile(t, filepath.Join(c.Dir, "terms.pdf"), filepath.Join(folder, "terms.pdf"))
	for name, text := range map[string]string{"terraform.tfstate": state, "plan.json": plan} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(strings.ReplaceAll(text, c.Dir, anyModule)), 0o600))
	}
}

// Every stored state is read and plans no changes, with the stored token. The stored marker keeps its operation from being
// sent again, and the stored plan is reviewed.
func TestState_Upgraded(t *testing.T) {
	t.Parallel()
	folders, err := os.ReadDir(statesFolder)
	require.NoError(t, err, "no stored states")
	require.NotEmpty(t, folders, "no stored states: %v", err)
	for _, folder := range folders {
		t.Run(folder.Name(), func(t *testing.T) {
			t.Parallel()
			w, c := newStored(t, folder.Name())
			c.WantEmptyPlan()
			assert.Equal(t, 0, w.Calls(providertest.RouteToken), "token exchanges")
			c.Config(w.Config(storedBody(w) + inDoubt))
			c.Apply().WantError(t, document.SummaryMintUnknown, "Acme doubt 2026")
			assert.Equal(t, 0, w.Calls(providertest.RouteMint), "minted times")
			plan, err := os.ReadFile(filepath.Join(statesFolder, folder.Name(), "plan.json"))
			require.NoError(t, err)
			wantSameRows(t, listed(t, string(plan)), []string{
				"email reseller_member.bob: " + emailing + ": eve@acme.example",
				"removed reseller_member.bob: " + signedOut + ": bob@acme.example",
				"forgotten reseller_document.terms: removed from state only: Terms",
				"forgotten reseller_document_signing.terms: removed from state only: " + w.Sim.Documents()[0].ID,
				"forgotten reseller_minted_document.terms: removed from state only: Acme terms 2026",
			})
		})
	}
}

// The newest directory has every type of resource in the present schema version: a change that raises the version first
// stores a state of the old one.
func TestState_VersionsAreStored(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join(statesFolder, newestStates, "terraform.tfstate"))
	require.NoError(t, err)
	var state struct {
		Resources []struct {
			Type      string
			Instances []struct {
				SchemaVersion int64 `json:"schema_version"`
			}
		}
	}
	require.NoError(t, json.Unmarshal(raw, &state))
	versions := map[string]int64{}
	for _, r := range state.Resources {
		versions[r.Type] = r.Instances[0].SchemaVersion
	}
	for name, schema := range providertest.NewTestEnv(t).Protocol().Schema.ResourceSchemas {
		version, ok := versions[name]
		require.True(t, ok, "%s has schema version %d; the newest stored state has it in %d (there: %t)", name, schema.Version, version, ok)
		assert.Equal(t, schema.Version, version, "%s has schema version; the newest stored state has it in (there: %t)", name, ok)
	}
}

// A state of a newer CLI, with identities, is read by this one.
func TestState_OfANewerCLI(t *testing.T) {
	t.Parallel()
	w, c := newStored(t, newestStates)
	var state map[string]any
	require.NoError(t, json.Unmarshal([]byte(c.Read("terraform.tfstate")), &state))
	p := w.Protocol()
	identities, err := p.Server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	require.NoError(t, err)
	state["terraform_version"] = "1.14.0"
	resources, _ := state["resources"].([]any)
	for _, r := range resources {
		resource, _ := r.(map[string]any)
		typeName, _ := resource["type"].(string)
		schema := identities.IdentitySchemas[typeName]
		if schema == nil {
			continue
		}
		for _, i := range resource["instances"].([]any) {
			instance, _ := i.(map[string]any)
			attributes, _ := instance["attributes"].(map[string]any)
			identity := map[string]string{} // a CLI that supports identities requires every attribute of the schema
			for _, a := range schema.IdentityAttributes {
				identity[a.Name], _ = attributes[a.Name].(string)
				assert.NotEmpty(t, identity[a.Name], "%s has no %s for its identity", typeName, a.Name)
			}
			instance["identity_schema_version"], instance["identity"] = schema.Version, identity
			stored, err := json.Marshal(attributes)
			require.NoError(t, err)
			text, _ := instance["private"].(string)
			private, err := base64.StdEncoding.DecodeString(text)
			require.NoError(t, err)
			object := coretest.NewWalker(t, p, typeName)
			object.Store(stored, private, identity)
			assert.Empty(t, object.Read())
			assert.True(t, object.HasIdentity(identity), "%s: a read changes the identity %v", typeName, identity)
		}
	}
	raw, err := json.Marshal(state)
	require.NoError(t, err)
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
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &state))
	p := providertest.NewTestEnv(t).Protocol()
	for _, r := range state.Resources {
		stored := r.Instances[0]
		upgraded, err := p.Server.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
			TypeName: r.Type, Version: stored.SchemaVersion, RawState: &tfprotov6.RawState{JSON: stored.Attributes},
		})
		require.NoError(t, err)
		require.Empty(t, upgraded.Diagnostics)
		object, err := upgraded.UpgradedState.Unmarshal(p.Schema.ResourceSchemas[r.Type].Block.ValueType())
		require.NoError(t, err)
		var want map[string]any
		require.NoError(t, json.Unmarshal(stored.Attributes, &want))
		for name, value := range providertest.Members(object) {
			if text, isText := want[name].(string); isText && !strings.Contains(value.String(), `"`+text+`"`) {
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
	moved, removed := storedBody(w), ""
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
	assert.Empty(t, c.State())
	w.WantReads()
}
