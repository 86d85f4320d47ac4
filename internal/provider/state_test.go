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
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
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
	text = resourcesIn(t, text, func(_, _ string, instance, _ map[string]any) { delete(instance, "sensitive_attributes") })
	return regexp.MustCompile(`"terraform_version": "[^"]*"`).ReplaceAllString(text, `"terraform_version": "1.5.0"`)
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

// resourcesIn visits the object of each resource in a state as JSON: its type, and what the state has of it.
func resourcesIn(t *testing.T, text string, visit func(typ, address string, instance, attributes map[string]any)) string {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var state map[string]any
	require.NoError(t, decoder.Decode(&state))
	for _, r := range state["resources"].([]any) {
		resource := r.(map[string]any)
		instance := resource["instances"].([]any)[0].(map[string]any)
		visit(fmt.Sprint(resource["type"]), fmt.Sprintf("%s.%s", resource["type"], resource["name"]), instance, instance["attributes"].(map[string]any))
	}
	out, err := json.MarshalIndent(state, "", "  ")
	require.NoError(t, err)
	return string(out) + "\n"
}

// The newest directory has every type of resource in the present schema version: a change that raises the version first stores
// a state of the old one. The upgrade itself returns what was stored, with any CLI, and a state of a newer CLI, with
// identities, is read by this one.
func TestState_EveryType(t *testing.T) {
	t.Parallel()
	w, c := newStored(t, newestStates)
	p := w.Protocol()
	identities, err := p.Server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	require.NoError(t, err)
	found := map[string]bool{}
	text := resourcesIn(t, c.Read("terraform.tfstate"), func(typ, _ string, instance, attributes map[string]any) {
		found[typ] = true
		schema := p.Schema.ResourceSchemas[typ]
		assert.Equal(t, fmt.Sprint(schema.Version), fmt.Sprint(instance["schema_version"]), "%s: schema version; the newest stored state has", typ)
		stored, err := json.Marshal(attributes)
		require.NoError(t, err)
		upgraded, err := p.Server.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{TypeName: typ, Version: schema.Version, RawState: &tfprotov6.RawState{JSON: stored}})
		require.NoError(t, err)
		require.Empty(t, upgraded.Diagnostics)
		object, err := upgraded.UpgradedState.Unmarshal(schema.Block.ValueType())
		require.NoError(t, err)
		for name, value := range providertest.Members(object) {
			text, isText := attributes[name].(string)
			assert.True(t, !isText || strings.Contains(value.String(), `"`+text+`"`), "%s.%s is %s, want %q", typ, name, value, text)
			assert.True(t, attributes[name] != nil || value.IsNull(), "%s.%s is %s, want null", typ, name, value)
		}
		shape := identities.IdentitySchemas[typ]
		if shape == nil {
			return
		}
		identity := map[string]string{} // a CLI that supports identities requires every attribute of the schema
		for _, a := range shape.IdentityAttributes {
			identity[a.Name], _ = attributes[a.Name].(string)
			assert.NotEmpty(t, identity[a.Name], "%s has no %s for its identity", typ, a.Name)
		}
		instance["identity_schema_version"], instance["identity"] = shape.Version, identity
		private, err := base64.StdEncoding.DecodeString(fmt.Sprint(instance["private"]))
		require.NoError(t, err)
		walker := coretest.NewWalker(t, p, typ)
		walker.Store(stored, private, identity)
		assert.Empty(t, walker.Read())
		assert.True(t, walker.HasIdentity(identity), "%s: a read changes the identity %v", typ, identity)
	})
	for typ := range p.Schema.ResourceSchemas {
		assert.True(t, found[typ], "%s is not in the newest stored state", typ)
	}
	c.File("terraform.tfstate", strings.Replace(text, `"terraform_version": "1.5.0"`, `"terraform_version": "1.14.0"`, 1))
	c.WantEmptyPlan()
}

// An identity that a newer version of the provider stored is an error. No identity has had an earlier version, which would
// need an upgrade.
func TestState_IdentityOfANewerVersion(t *testing.T) {
	t.Parallel()
	server := providertest.NewTestEnv(t).Protocol().Server
	served, err := server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	require.NoError(t, err)
	require.NotEmpty(t, served.IdentitySchemas)
	for typ, schema := range served.IdentitySchemas {
		assert.Zero(t, schema.Version, typ)
		resp, err := server.UpgradeResourceIdentity(t.Context(), &tfprotov6.UpgradeResourceIdentityRequest{
			TypeName: typ, Version: 1, RawIdentity: &tfprotov6.RawState{JSON: []byte(`{"other":"x"}`)},
		})
		require.NoError(t, err)
		assert.Nil(t, resp.UpgradedIdentity, typ)
		providertest.FromProtocol(typ, resp.Diagnostics).WantError(t, "Unable to Upgrade Resource Identity")
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

// A moved block between two types ends in the provider's words, with what to do instead.
func TestState_MovedToAnotherType(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.8.0", "a moved block between resource types")
	if providertest.IsTofu(t) {
		providertest.NeedsCLI(t, "1.11.0", "a moved block between resource types")
	}
	w := providertest.NewTestEnv(t)
	c := w.Cli()
	c.Config(w.Config(providertest.Item("package", "gold", "GOLD", "")))
	c.Apply().WantOK(t, "1 added")
	c.Config(w.Config(providertest.Item("addon", "gold", "GOLD", "") + "moved {\n  from = reseller_package.gold\n  to   = reseller_addon.gold\n}\n"))
	c.Plan().WantError(t, "Moved block changes the resource type", "cannot turn reseller_package into reseller_addon", "removed block with destroy = false")
}

// The stored states have a settled private label, with deletion_policy PREVENT, which the short path handles. One that
// was written under another schema lacks what this version added, and is read.
func TestState_ShortPath(t *testing.T) {
	t.Parallel()
	const settled = "reseller_private_label.settled"
	w, c := newStored(t, newestStates)
	w.Compares = true
	answers := func(args ...string) int64 {
		t.Helper()
		before := w.Answered.Load()
		c.Ok(append(args, "-no-color", "-target="+settled)...)
		return w.Answered.Load() - before
	}
	answers("apply", "-refresh-only", "-auto-approve") // the schema may have changed since
	require.Equal(t, int64(2), answers("plan", "-detailed-exitcode"), "answers of the short path")
	c.File("terraform.tfstate", resourcesIn(t, c.Read("terraform.tfstate"), func(_, address string, _, attributes map[string]any) {
		if address == settled {
			attributes["dns_records"] = nil // as if this version had added both
			delete(attributes, "created_at")
		}
	}))
	assert.Zero(t, answers("apply", "-refresh-only", "-auto-approve"), "answers of the short path")
	state := c.State()[settled].Attributes
	for _, name := range []string{"created_at", "dns_records"} {
		assert.NotNil(t, state[name], "%s stays null", name)
	}
	assert.Equal(t, int64(2), answers("plan", "-detailed-exitcode"), "answers of the short path, which is not taken again")
	assert.Equal(t, "PREVENT", state["deletion_policy"])
	c.Plan("-destroy", "-target="+settled).WantError(t, effect.SummaryProtected)
}

// The short path handles an unchanged private label, also one that waits for its DNS; every change reaches the framework.
// (The server compares both responses.)
func TestState_Settled(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	w.Compares = true
	c := coretest.New(t, w)
	declare := func(extra string) { c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, extra))) }
	answers := func(act func()) int64 {
		before := w.Answered.Load()
		act()
		return w.Answered.Load() - before
	}
	declare("")
	c.Apply().WantOK(t)
	assert.Equal(t, int64(2), answers(c.WantEmptyPlan), "answers for a label that waits for its DNS: its read and its plan")
	w.VerifyDNS(providertest.AcmeHost)
	assert.LessOrEqual(t, answers(c.Refresh), int64(1), "answers for a label whose DNS was verified")
	assert.Equal(t, int64(2), answers(c.WantEmptyPlan), "answers for a settled label: its read and its plan")
	w.Sim.ResetJournal()
	c.WantEmptyPlan()
	assert.NoError(t, w.WantCalls(map[string]int{providertest.RouteList: 1}))
	declare(`deletion_policy = "ABANDON"`) // a default comes back
	c.Apply().WantOK(t, "1 changed")
	declare("")
	c.Apply().WantOK(t, "1 changed")
	assert.Equal(t, "PREVENT", c.State()[providertest.Acme].Attributes["deletion_policy"])
	require.NoError(t, w.Sim.SuspendByPlatform(providertest.AcmeHost, "abuse"))
	c.Plan().WantOK(t, privatelabel.SummaryPlatform)
	require.NoError(t, w.Sim.LiftPlatformSuspension(providertest.AcmeHost))
	c.WantEmptyPlan()
	c.Plan("-replace="+providertest.Acme).WantError(t, privatelabel.SummaryNotReplaceable, providertest.AcmeHost)
	require.NoError(t, w.Sim.DeprovisionInConsole(providertest.AcmeHost))
	c.Plan().WantError(t, privatelabel.SummaryNotFound, privatelabel.SummaryHostRetired)
}

// A light refresh reads the list, and the members or the add-ons of a private label only where the list differs. A plan of a
// change reads in full, and so does an apply.
func TestState_LightRefresh(t *testing.T) {
	t.Parallel()
	w := providertest.NewWorld(t)
	w.Console(w.Gold, map[string]float64{w.Seats: 2})
	w.Join(providertest.BobEmail)
	label := fmt.Sprintf("resource \"reseller_private_label\" \"acme\" {\n  domain = %q\n}\n", providertest.AcmeHost)
	imports := providertest.Imports{providertest.Acme: w.Label, providertest.Assigned: w.Label, providertest.Team: w.Label}
	config := func(emails ...string) string {
		return w.Config(label + w.Body(w.Gold, w.Addons(2)) + w.Set(emails...) + imports.Blocks())
	}
	c := coretest.Applied(t, w.TestEnv, config(providertest.BobEmail))
	calls := func(mode string) (sent string) {
		t.Helper()
		w.Env.Set("RESELLER_REFRESH", mode)
		w.Sim.ResetJournal()
		c.Plan()
		for _, call := range w.Sim.Journal() {
			sent += call.Route[strings.LastIndex(call.Route, "/"):]
		}
		return sent
	}
	assert.Greater(t, strings.Count(calls("full"), "/"), 2)
	assert.Equal(t, "/private-labels", calls("light"))
	w.Join(providertest.EveEmail)
	assert.Equal(t, "/private-labels/members", calls("light"), "one member more")
	require.NoError(t, w.Sim.RemovePersonInConsole(providertest.AcmeHost, providertest.BobEmail))
	assert.NotContains(t, calls("light"), "/members", "a member in exchange for another is not seen")
	c.Config(config(providertest.BobEmail, "kim@acme.example"))
	c.Plan().WantError(t, object.SummaryOutdated, "RESELLER_REFRESH=full")
	w.Env.Set("RESELLER_REFRESH", "full")
	r := c.Plan()
	assert.NotEqual(t, 1, r.Code, "the same in full: %s", r.Out)
	assert.NotContains(t, r.Out, "State is older", "the same in full")
}
