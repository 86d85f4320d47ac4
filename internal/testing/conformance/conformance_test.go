package conformance_test

import (
	"bytes"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/existing"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/export"
	"github.com/privatelabels/terraform-provider-reseller/internal/command/export/hclblock"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/conformance"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// checks are what every type of resource must do. The hostile service and the stored states meet all types at once, and
// are tests of the provider that take the cases, too.
var checks = map[string]func(*testing.T, providertest.Case){
	"complete":       complete,
	"identity":       identity,
	"import":         imports,
	"other reseller": otherReseller,
	"settled":        settled,
	"faults":         faults,
	"truth":          truth,
	"kill":           kills,
	"page":           page,
	"export":         exports,
	"generated":      generates,
}

// lengthy checks start a CLI some seven times. An everyday run has each with a third of the types.
var lengthy = []string{"import", "other reseller"}

// TestConformance derives the checks of each type from its case. `go test ./internal/testing/conformance -run
// TestConformance/reseller_member` are those of one type.
func TestConformance(t *testing.T) {
	t.Parallel()
	cells := matrix.Of(t)
	for typeName := range providertest.NewTestEnv(t).Protocol().Schema.ResourceSchemas {
		t.Run(typeName, func(t *testing.T) {
			t.Parallel()
			c, err := caseOf(typeName)
			require.NoError(t, err)
			for name, check := range checks {
				if slices.Contains(lengthy, name) && !cells.IsFull && cells.Number(3, typeName, name) > 0 {
					continue
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					check(t, c)
				})
			}
		})
	}
}

// complete names what a case lacks, and what no check can notice.
func complete(t *testing.T, c providertest.Case) {
	for _, field := range c.Missing() {
		t.Errorf("the case of %s has no %s", c.Type, field)
	}
}

// A case without one of its fields fails by its name, and so does a call without the reads that show its effect.
func TestConformance_Incomplete(t *testing.T) {
	t.Parallel()
	member, _ := conformance.Of("reseller_member")
	for field, drop := range map[string]func(*providertest.Case){
		"IDs":       func(c *providertest.Case) { c.IDs = nil },
		"Generated": func(c *providertest.Case) { c.Generated = "" },
		"Settled":   func(c *providertest.Case) { c.Settled = nil },
		"Calls":     func(c *providertest.Case) { c.Calls = nil },
		"Calls[add].Reads": func(c *providertest.Case) {
			c.Calls = map[string]providertest.Call{"add": {Route: providertest.RouteAdd}}
		},
		"Calls[add].Route": func(c *providertest.Case) { c.Calls = map[string]providertest.Call{"add": {OnlyReads: true}} },
	} {
		c := member
		drop(&c)
		assert.Equal(t, []string{field}, c.Missing(), "missing, want %s", field)
	}
	_, err := caseOf("reseller_new")
	assert.ErrorContains(t, err, "reseller_new has no case")
}

func caseOf(typeName string) (providertest.Case, error) {
	c, ok := conformance.Of(typeName)
	if !ok {
		return c, fmt.Errorf("%s has no case: add one to internal/testing/conformance", typeName)
	}
	return c, nil
}

// made is a world with the object.
func createdWorld(t *testing.T, c providertest.Case) *providertest.World {
	t.Helper()
	w := providertest.NewWorld(t)
	c.Make(w)
	w.Sim.ResetJournal()
	return w
}

// blockOf is the configuration of an object under a name.
func blockOf(w *providertest.World, c providertest.Case, name string) string {
	return providertest.As(c.Block(w), name)
}

// workspace has the files that blocks refer to.
func workspace(t *testing.T, w *providertest.World, throughCLI bool) providertest.Workspace {
	t.Helper()
	c := coretest.For(t, w.TestEnv, throughCLI)
	files(t, c)
	return c
}

func files(t *testing.T, c providertest.Workspace) {
	t.Helper()
	c.File("terms.pdf", string(providertest.OnePage("Terms")))
	c.File("moved.pdf", string(providertest.OnePage("Terms")))
	c.File("logo.png", string(providertest.Drawn(t, 2, 2, color.White)))
}

// identity: each import ID reads the same object with the identity of the case, and so does that identity. CLIs before 1.12
// have none, so this uses the protocol.
func identity(t *testing.T, c providertest.Case) {
	w := createdWorld(t, c)
	first := coretest.NewWalker(t, w.Configured(), c.Type)
	must(t, first.ImportBy(c.IDs(w)[0]))
	var want map[string]string
	if c.Identity != nil {
		want = c.Identity(w)
	}
	same := func(by string, walker *coretest.Walker) {
		t.Helper()
		assert.True(t, walker.State().Equal(first.State()), "import by %s: %s, want %s with the identity %v", by, walker.State(), first.State(), want)
		assert.True(t, walker.HasIdentity(want), "import by %s: %s, want %s with the identity %v", by, walker.State(), first.State(), want)
	}
	for _, id := range c.IDs(w) {
		walker := coretest.NewWalker(t, w.Configured(), c.Type) // another process
		must(t, walker.ImportBy(id))
		same(id, walker)
	}
	if want != nil {
		walker := coretest.NewWalker(t, w.Configured(), c.Type) // another process
		must(t, walker.ImportByIdentity(want))
		same("identity", walker)
	}
}

// imports: an object that was made in the console is imported by each ID without a call that writes, unless no read shows
// what is configured. The error of another ID, through the CLI, names the right form and says that nothing was imported.
func imports(t *testing.T, c providertest.Case) {
	for n := range c.IDs(createdWorld(t, c)) {
		w := createdWorld(t, c)
		ws := workspace(t, w, false)
		block := c.Block
		if c.Found != nil {
			block = c.Found
		}
		ws.Config(w.Config(providertest.As(block(w), "it")))
		ws.Import(c.Type+".it", c.IDs(w)[n])
		ws.Apply().WantOK(t, "0 added", "0 destroyed")
		ws.WantEmptyPlan()
		if !c.Writes {
			w.WantReads()
		}
	}
	w := createdWorld(t, c)
	w.Lose()
	ws := workspace(t, w, true)
	ws.Config(w.Config(blockOf(w, c, "it")))
	for id, said := range c.Wrong(w) {
		ws.Import(c.Type+".it", id).WantError(t, said, "Nothing was imported", c.Form)
	}
	assert.Empty(t, ws.State())
}

// otherReseller: another reseller's API key has none of the objects, which does not prove that they are absent. Neither a
// plan nor an apply of a plan that was saved under the right key changes state or service.
func otherReseller(t *testing.T, c providertest.Case) {
	if c.OneReseller != "" {
		t.Skip(c.OneReseller)
	}
	w := providertest.NewWorld(t)
	rival, err := w.Sim.AddReseller("rival.example")
	require.NoError(t, err)
	ws := w.Cli()
	files(t, ws)
	w.Env.Set("RESELLER_API_KEY", w.APIKey()) // a saved plan has the settings of its provider block
	ws.Config(fmt.Sprintf("provider \"reseller\" {\n  base_url = %q\n%s}\n%s", simulator.BaseURL, providertest.WithUploadURL, blockOf(w, c, "it")))
	ws.Apply().WantOK(t)
	ws.Ok("plan", "-destroy", "-input=false", "-out=saved")
	effects := w.Effects()
	w.Env.Set("RESELLER_API_KEY", rival)
	w.Sim.ResetJournal()
	ws.ApplySaved().WantError(t)
	ws.Destroy("-refresh=false").WantError(t)
	ws.Plan().WantError(t, session.SummaryOtherReseller, "rival.example")
	ws.Apply("-refresh-only").WantError(t, session.SummaryOtherReseller, "rival.example")
	if len(ws.State()) != 1 || w.Effects() != effects {
		t.Errorf("state %v\n%s\nwant %s", ws.State(), w.Effects(), effects)
	}
	w.WantReads()
	w.Env.Set("RESELLER_API_KEY", w.APIKey())
	ws.WantEmptyPlan()
}

// settled: the short path answers for an unchanged object, every change reaches the framework, and a read that failed is not
// repeated there. The server compares both responses.
func settled(t *testing.T, c providertest.Case) {
	for _, moves := range c.Settled {
		settle(t, c, moves)
	}
}

func settle(t *testing.T, c providertest.Case, moves func(*providertest.World) providertest.Settled) {
	t.Helper()
	w := createdWorld(t, c)
	w.Compares = true
	s := moves(w)
	walker := coretest.NewWalker(t, w.Configured(), c.Type)
	must(t, walker.ImportBy(c.IDs(w)[0]))
	told := walker.Apply(s.Config)
	require.False(t, providertest.AnyErrors(told), told) // what an import cannot read
	must(t, walker.Read())
	answers := func(want int64, what string, act func()) {
		t.Helper()
		before := w.Answered.Load()
		act()
		assert.Equal(t, want, w.Answered.Load()-before, "%s: answers without the framework", what)
	}
	unchanged := func(config providertest.Values) {
		t.Helper()
		told := walker.Read()
		unchanged, more := walker.Plan(config)
		assert.True(t, unchanged, "the plan has changes: %v %v", told, more)
		assert.LessOrEqual(t, len(told)+len(more), 0, "the plan has changes: %v %v", told, more)
	}
	answers(2, "unchanged", func() { unchanged(s.Config) })
	answers(0, "configured otherwise", func() { _, _ = walker.Plan(s.Other) })
	w.Compares = false
	w.Sim.ResetJournal()
	w.Sim.Inject(simulator.Fault{Route: s.Read, Kind: simulator.FaultForbidden, Times: -1})
	failing := coretest.NewWalker(t, w.Configured(), c.Type)
	failing.Take(walker)
	told = failing.Read()
	assert.True(t, providertest.AnyErrors(told), "no error: %v", told)
	assert.Equal(t, s.Reads, w.Calls(s.Read), "calls of %s", s.Read)
	w.Sim.ClearFaults()
	w.Compares = true
	if s.Drift != nil {
		require.NoError(t, s.Drift())
		answers(0, "read after a change", func() { walker.Read() })
	}
	if s.Again != nil {
		answers(2, "unchanged again", func() { unchanged(s.Again) })
	}
	if s.Remove == nil {
		return
	}
	require.NoError(t, s.Remove())
	answers(0, "removed", func() { walker.Read() })
	assert.True(t, walker.State().IsNull(), "what was removed is still in state")
}

func must(t *testing.T, told providertest.Diagnostics) {
	t.Helper()
	require.Empty(t, told)
}

const docs = "../../../docs"

var guideOf = regexp.MustCompile(`\.\./guides/([a-z-]+)\.md`)

// page: its first paragraph says what a destroy does, or the attribute that does. The page and its guides, if it has any,
// link to each other.
func page(t *testing.T, c providertest.Case) {
	name := strings.TrimPrefix(c.Type, "reseller_") + ".md"
	text := readFile(t, "resources", name)
	_, body, _ := strings.Cut(text, "(Resource)\n\n")
	first, _, _ := strings.Cut(body, "\n")
	assert.Contains(t, strings.ToLower(first), "destroy", "%s does not begin with what a destroy does: %s", name, first)
	guides, _, _ := strings.Cut(text, "## Example Usage")
	for _, guide := range guideOf.FindAllStringSubmatch(guides, -1) {
		if guide[1] != "open-questions" && !strings.Contains(readFile(t, "guides", guide[1]+".md"), "../resources/"+name) {
			t.Errorf("the guide %s has no link to %s", guide[1], name)
		}
	}
}

func readFile(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{docs}, path...)...))
	require.NoError(t, err)
	return string(text)
}

// exports: what the API lists is in an export, with a block and an import, and nothing else. For a type that is not, the
// guide says what stays by hand.
func exports(t *testing.T, c providertest.Case) {
	w := createdWorld(t, c)
	w.Env.Set("RESELLER_BASE_URL", simulator.BaseURL)
	w.Env.Set("RESELLER_API_KEY", w.APIKey())
	pace := &existing.Pace{Transport: w.Sim.Transport()}
	w.Transport = pace
	server, err := w.Server()
	require.NoError(t, err)
	args := []string{}
	if c.Type == "reseller_members" {
		args = append(args, "-members", "set")
	}
	var out, said bytes.Buffer
	require.Equal(t, 0, export.Main(t.Context(), args, server, pace, &out, &said), "exit code\n%s", said.String())
	block, imported := fmt.Sprintf("resource %q ", c.Type), regexp.MustCompile(`to += `+c.Type+`\.`)
	written := strings.Contains(out.String(), block)
	assert.Equal(t, c.Exported, written, "exported:\n%s", out.String())
	assert.Equal(t, c.Exported, imported.MatchString(out.String()), "exported: %t:\n%s", written, out.String())
	_, byHand, _ := strings.Cut(readFile(t, "guides", "import-reseller.md"), "## What the export does not include\n")
	if !c.Exported && !strings.Contains(byHand, "`"+c.Type+"`") {
		t.Errorf("%s is not exported, and the guide on taking over does not say so", c.Type)
	}
}

// generates: a CLI since Terraform 1.14 asks for the configuration of an imported object. It plans without a change.
func generates(t *testing.T, c providertest.Case) {
	w := createdWorld(t, c)
	p := w.Configured()
	schema, id := p.Schema.ResourceSchemas[c.Type], c.IDs(w)[0]
	imported := coretest.NewWalker(t, p, c.Type)
	must(t, imported.ImportBy(id))
	resp, err := p.Server.GenerateResourceConfig(t.Context(), &tfprotov6.GenerateResourceConfigRequest{TypeName: c.Type, State: providertest.Dynamic(imported.State())})
	require.NoError(t, err)
	told := providertest.FromProtocol("", resp.Diagnostics)
	if missing, isError := strings.CutPrefix(c.Generated, "error: "); isError {
		told.WantError(t, "Configuration cannot be generated", c.Type, "with "+missing+" as they were sent")
		return
	}
	told.WantNone(t)
	typ, err := hclblock.Type(schema)
	require.NoError(t, err)
	config, err := msgpack.Unmarshal(resp.Config.MsgPack, typ)
	require.NoError(t, err)
	file := hclwrite.NewEmptyFile()
	body := file.Body().AppendNewBlock("resource", []string{c.Type, "it"}).Body()
	want := strings.Fields(c.Generated)
	for name, value := range config.AsValueMap() {
		assert.NotEqual(t, slices.Contains(want, name), value.IsNull(), "%s is %#v", name, value)
		if !value.IsNull() {
			body.SetAttributeValue(name, value)
		}
	}
	ws := coretest.New(t, w.TestEnv)
	ws.Config(w.Config(string(file.Bytes())))
	ws.Import(c.Type+".it", id)
	ws.WantEmptyPlan()
}
