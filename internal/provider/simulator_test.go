package provider_test

import (
	"fmt"
	"image/color"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/conformance"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

const (
	otherData = session.SummaryOtherSimulator
	liveState = session.SummaryLiveState
)

// simulated is a configuration of the simulator with settings, and a private label.
func simulated(settings string) string {
	return "provider \"reseller\" {\n  simulator = { " + settings + " }\n}\n" + acmeLabel
}

var acmeLabel = providertest.Label("acme", providertest.AcmeHost, "")

// hostsIn are the private labels of a data file.
func hostsIn(t *testing.T, path string) (hosts string) {
	t.Helper()
	require.FileExists(t, path)
	sim, err := simulator.New(simulator.Options{File: path})
	require.NoError(t, err)
	defer func() { _ = sim.Close() }()
	for _, l := range sim.Labels() {
		hosts += l.Host
	}
	return hosts
}

// The real binary, no network, no API key: plan, apply, a plan without changes and an import, all with one file.
func TestSimulator(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	two := simulated("") + providertest.Label("bolt", "sign.bolt.example", "")
	c.Config(two)
	r := c.Plan()
	r.WantText(t, provider.SummarySimulator)
	assert.Equal(t, 2, r.Code, "exit code\n%s", r.Out)
	c.Apply().WantOK(t, provider.SummarySimulator, "2 added")
	c.WantEmptyPlan()
	c.Destroy().WantError(t, effect.SummaryProtected)
	c.Forget(providertest.Acme)
	c.Config(two + imported(providertest.Acme, providertest.AcmeHost))
	c.Apply().WantOK(t, "1 imported")
	c.WantEmptyPlan()
	books := c.Books()
	assert.Len(t, books.Labels(), 2, "labels in the simulator")
	for _, route := range []string{providertest.RouteToken, providertest.RouteDashboard} {
		assert.Equal(t, 1, providertest.Count(books.Journal(), func(call simulator.Call) bool { return call.Route == route }), route)
	}
}

func TestSimulator_FromEnvironment(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t, "RESELLER_SIMULATOR=box.json")
	c.Config(acmeLabel)
	c.Apply().WantOK(t, "(box.json)")
	c.WantEmptyPlan()
	for _, name := range []string{".gitignore", filepath.Dir(providertest.SimulatorFile)} {
		assert.NoFileExists(t, filepath.Join(c.Dir, name), "beside a file of the user's choice")
		assert.NoDirExists(t, filepath.Join(c.Dir, name), "beside a file of the user's choice")
	}
}

// Two configurations with one simulator at the same time: both are in the books.
func TestSimulator_Shared(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "shared.json")
	var wg sync.WaitGroup
	for i := range 3 {
		c := providertest.InstalledCLI(t, "RESELLER_SIMULATOR="+path)
		c.Config(providertest.Label("acme", fmt.Sprintf("sign%d.acme.example", i), ""))
		wg.Go(func() {
			c.Apply().WantOK(t, "1 added")
			c.WantEmptyPlan()
		})
	}
	wg.Wait()
	assert.Len(t, hostsIn(t, path), 3*len("sign0.acme.example"))
}

// Each workspace has its own simulator, so the same host name is provisioned in each.
func TestSimulator_Workspaces(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	c.Config(simulated(""))
	c.Apply().WantOK(t, "(.reseller-simulator/default.json)", "1 added")
	for name, said := range map[string]string{"blue": "(.reseller-simulator/blue.json)", "$a:b=@+&~": "1 added"} {
		c.Ok("workspace", "new", name)
		c.Apply().WantOK(t, said, "1 added")
		c.WantEmptyPlan()
	}
	c.Ok("workspace", "select", "default")
	c.WantEmptyPlan()
	data := filepath.Dir(filepath.Join(c.Dir, providertest.SimulatorFile))
	for _, file := range []string{"default.json", "blue.json"} {
		assert.Equal(t, providertest.AcmeHost, hostsIn(t, filepath.Join(data, file)), file)
	}
	files, err := filepath.Glob(filepath.Join(data, "*.json"))
	require.NoError(t, err)
	assert.Len(t, files, 3)
	assert.Equal(t, "*\n", c.Read(filepath.Dir(providertest.SimulatorFile)+"/.gitignore"), "git ignores")
	c.Env = append(c.Env, "TF_WORKSPACE=blue")
	c.WantEmptyPlan()
	c.Env = append(c.Env, "TF_WORKSPACE=a/b")
	c.Plan().WantError(t, "Invalid workspace name")
}

// A state that was written with another data file is an error that keeps it, with any options of the plan, and says
// nothing about host names. With the old file, plans show no changes.
func TestSimulator_StateOfAnother(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	one, two := simulated(`path = "one.json"`), simulated(`path = "two.json"`)
	c.Config(one)
	c.Apply().WantOK(t, "1 added")
	before := c.Read("terraform.tfstate")
	texts := []string{otherData, "This reseller_private_label belongs to other simulator data than two.json", "delete the state together with the data file"}
	c.Config(two)
	for _, command := range []string{
		"plan", "plan -refresh=false", "plan -destroy", "plan -destroy -refresh=false", "plan -refresh-only", "plan -replace=" + providertest.Acme,
		"apply -auto-approve", "destroy -auto-approve", "refresh",
	} {
		r := c.Run(append(strings.Fields(command), "-no-color", "-input=false")...)
		r.WantError(t, texts...)
		assert.NotRegexp(t, "never be provisioned|cannot be reused|removed from state|API key", r.Out, command)
	}
	c.Config(strings.TrimSuffix(two, acmeLabel)) // a removed block
	c.Plan().WantError(t, texts...)
	c.Plan("-refresh=false").WantError(t, texts...)
	assert.Equal(t, before, c.Read("terraform.tfstate"), "the state was changed")
	assert.Equal(t, providertest.AcmeHost, hostsIn(t, filepath.Join(c.Dir, "one.json")), "the simulator")
	// A file that is known after apply is no other one.
	c.Config("resource \"terraform_data\" \"path\" {\n  input = \"one.json\"\n}\n" + simulated("path = terraform_data.path.output"))
	r := c.Plan()
	assert.Equal(t, 2, r.Code, r.Out)
	c.Apply().WantOK(t, "1 added, 0 changed")
	c.WantEmptyPlan()
	// The remedies: the old file, or another state.
	c.Config(one)
	c.Apply().WantOK(t)
	c.WantEmptyPlan()
	c.Config(two)
	c.Forget(providertest.Acme)
	c.Apply().WantOK(t, "1 added")
	c.WantEmptyPlan()
}

// wantConnects asserts that there were only calls that find out whose API key it is.
func wantConnects(t *testing.T, sim *simulator.Simulator) {
	t.Helper()
	for _, call := range sim.Journal() {
		assert.Contains(t, []string{providertest.RouteToken, providertest.RouteDashboard}, call.Route)
	}
	sim.ResetJournal()
}

// A data file that cannot be used is an error at the block, and is not changed.
func TestSimulator_BadFiles(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	config := func(path string) { c.Config(simulated(fmt.Sprintf("path = %q", path))) }
	config("good.json")
	c.Apply().WantOK(t)
	good := c.Read("good.json")
	for text, want := range map[string]string{
		good[:len(good)/2]: "is damaged", "": "is damaged", "[1, 2]": "is damaged",
		strings.Replace(good, `"data":{"version":1,`, `"data":{"version":99,`, 1): "data of version 99",
	} {
		c.File("bad.json", text)
		config("bad.json")
		r := c.Plan()
		r.WantError(t, provider.SummarySimulatorUnavailable, "bad.json", want, "The file is set by", "use another file", "The file was not changed")
		assert.Equal(t, want == "is damaged", strings.Contains(r.Out, "Move or delete it"), r.Out)
		assert.Equal(t, text, c.Read("bad.json"), r.Out)
	}
	require.NoError(t, os.Mkdir(filepath.Join(c.Dir, "directory.json"), 0o700))
	for path, want := range map[string]string{"directory.json": "not a regular file", "good.json/x.json": "not a directory", filepath.Join(c.Dir, "directory.json", strings.Repeat("x", 300)): "file name too long"} {
		config(path)
		c.Plan().WantError(t, provider.SummarySimulatorUnavailable, want)
	}
	config("good.json")
	c.WantEmptyPlan()
}

// mixedUp is a live API and a simulator with the same objects under the same IDs, so that nothing but the provider keeps
// a state or a plan of one from taking effect on the other.
type mixedUp struct {
	t               *testing.T
	live            *providertest.World
	written, used   *providertest.World // states and plans are written with the one, and used with the other
	c               *coretest.Workspace
	writesSimulated bool
}

func (w *mixedUp) write() { w.live.Use(!w.writesSimulated) }
func (w *mixedUp) use()   { w.live.Use(w.writesSimulated) }

func (w *mixedUp) config(block string) { w.c.Config("provider \"reseller\" {}\n" + block) }

// rejects asserts that a run ends because of the state, and calls nothing.
func (w *mixedUp) rejects(what string, r providertest.Result) {
	w.t.Helper()
	w.t.Log(what)
	r.WantError(w.t, map[bool][]string{
		true:  {otherData, "set simulator in the provider block", "run terraform state rm"},
		false: {liveState, "This run uses the simulator", "remove simulator from the provider block"},
	}[w.writesSimulated]...)
	if !strings.Contains(r.Out, "live Signing API") { // which knows no slug
		r.WantText(w.t, providertest.Slug)
	}
	wantConnects(w.t, w.used.Sim)
}

// A state of the simulator is an error with the live API, and the reverse, before any call that reads or changes an
// object. So is a plan that was saved with the other one.
func TestSimulator_NeverMixes(t *testing.T) {
	t.Parallel()
	for _, c := range conformance.Cases() {
		for direction, writesSimulated := range map[string]bool{"simulator to live": true, "live to simulator": false} {
			t.Run(c.Type+"/"+direction, func(t *testing.T) {
				t.Parallel()
				live, simulated := providertest.NewLiveAndSimulated(t)
				w := &mixedUp{t: t, live: live, written: live, used: simulated, c: coretest.New(t, live.TestEnv), writesSimulated: writesSimulated}
				if writesSimulated {
					w.written, w.used = simulated, live
				}
				w.c.File("terms.pdf", string(providertest.OnePage("Terms")))
				w.c.File("logo.png", string(providertest.Drawn(t, 2, 2, color.White)))
				w.check(c)
			})
		}
	}
}

func (w *mixedUp) check(c providertest.Case) {
	w.t.Helper()
	forgetAll := func() {
		for address := range w.c.State() {
			w.c.Forget(address)
		}
	}
	w.write()
	if c.Calls["sign"].Prepare != nil {
		w.config(providertest.MinimalDocument)
		w.c.Apply().WantOK(w.t)
		forgetAll()
	}
	configs := []string{c.Block(w.written), ""}
	for _, name := range slices.Sorted(maps.Keys(c.Calls)) {
		if call := c.Calls[name]; call.Prepare == nil && call.Before != nil && call.After != nil {
			configs = []string{c.Block(w.written), call.After(w.written), ""}
		}
	}
	w.config(configs[0])
	w.c.Plan().WantText(w.t, "1 to add")
	w.use()
	r, writes := w.c.ApplySaved(), providertest.Writes(w.used.Sim) // Terraform's own words, about the planned value of `reseller`
	w.used.Sim.ResetJournal()
	forgetAll()
	w.write()
	w.c.Apply().WantOK(w.t, "1 added")
	assert.Equal(w.t, 1, r.Code, "saved create: exit code\n%s", r.Out)
	assert.Empty(w.t, writes, "saved create: calls\n%s", r.Out)
	before := fmt.Sprint(w.c.State())
	for _, config := range configs {
		w.config(config)
		w.write()
		planned := w.c.Plan()
		assert.NotEqual(w.t, 1, planned.Code, "planned: %s", planned.Out)
		w.use()
		if len(planned.Changes) > 0 {
			w.rejects("saved plan", w.c.ApplySaved())
		}
		w.rejects("plan", w.c.Plan())
		w.rejects("plan without refresh", w.c.Plan("-refresh=false"))
	}
	assert.Equal(w.t, before, fmt.Sprint(w.c.State()), "the state was changed")
}

// ephemeralCLI has a temporary directory of its own, and settings that would keep tokens and markers elsewhere.
func ephemeralCLI(t *testing.T) (c *providertest.CLI, tmp string) {
	t.Helper()
	tmp = t.TempDir()
	notUsed := filepath.Join(tmp, "not-used")
	return providertest.InstalledCLI(t, "TMPDIR="+tmp, "TMP="+tmp, "RESELLER_TOKEN_CACHE_DIR="+notUsed, "RESELLER_OPERATIONS_DIR="+notUsed), tmp
}

// ephemeralDirs are the directories of ephemeral simulators in a temporary directory.
func ephemeralDirs(t *testing.T, tmp string) []string {
	t.Helper()
	assert.NoDirExists(t, filepath.Join(tmp, "not-used"), "something of the simulator is in another directory")
	files, err := filepath.Glob(filepath.Join(tmp, "terraform-provider-reseller*", "*", "reseller-simulator.json"))
	require.NoError(t, err)
	for i, file := range files {
		files[i] = filepath.Dir(file)
	}
	return files
}

// A command has its own simulator, which its processes share and no other command sees. None is in the project. A directory
// that others may use is an error that names it.
func TestSimulator_Ephemeral(t *testing.T) {
	t.Parallel()
	c, tmp := ephemeralCLI(t)
	c.File("terms.pdf", string(providertest.OnePage("Terms")))
	c.Config(simulated("ephemeral = true") + providertest.MinimalMint)
	c.Apply().WantOK(t, provider.SummarySimulator, "whose data exists for this command only", "2 added")
	first := ephemeralDirs(t, tmp)
	require.Len(t, first, 1, "simulators")
	assert.DirExists(t, filepath.Join(first[0], "reseller-simulator.json.tokens", "operations"), "the tokens and operation markers are in the simulator")
	for _, dir := range []string{first[0], filepath.Dir(first[0])} {
		info, err := os.Stat(dir)
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o700), info.Mode().Perm(), dir)
	}
	before := c.Read("terraform.tfstate")
	c.Plan().WantError(t, otherData, "exists for one command only", "set path instead of ephemeral", "delete the state")
	assert.Equal(t, before, c.Read("terraform.tfstate"), "the state was changed")
	second := ephemeralDirs(t, tmp)
	require.Len(t, second, 1, "simulators: %v, then", first)
	assert.NotEqual(t, first, second)
	assert.NoError(t, filepath.WalkDir(c.Dir, func(path string, _ fs.DirEntry, err error) error {
		assert.NotContains(t, path, "operations", "in the project")
		return err
	}))
	require.NoError(t, os.Chmod(filepath.Dir(second[0]), 0o755))
	c.Plan().WantError(t, provider.SummarySimulatorUnavailable, "mode 0755 instead of 0700")
	require.NoError(t, os.Chmod(filepath.Dir(second[0]), 0o700))
	// A run without an ephemeral simulator removes the last one.
	c.Config(simulated(""))
	c.Plan("-state=other.tfstate").WantText(t, "1 to add")
	require.NoError(t, os.RemoveAll(filepath.Join(tmp, "not-used"))) // which this one may use
	assert.Empty(t, ephemeralDirs(t, tmp), "simulators")
}

// terraform test: state and simulator carry over between the runs of a file, two concurrent commands are separate, and
// the next command starts with an empty simulator.
func TestSimulator_EphemeralTests(t *testing.T) {
	t.Parallel()
	providertest.NeedsCLI(t, "1.6.0", "terraform test")
	c, tmp := ephemeralCLI(t)
	c.Config(simulated("ephemeral = true") + `
variable "first" {
  type    = string
  default = ""
}
output "id" {
  value = reseller_private_label.acme.id
}
`)
	c.File("acme.tftest.hcl", `
run "provisions" {
  assert {
    condition     = reseller_private_label.acme.status == "Active"
    error_message = "not active"
  }
}
run "finds_it_again" {
  command = plan
  variables {
    first = run.provisions.id
  }
  assert {
    condition     = reseller_private_label.acme.id == var.first
    error_message = "another one"
  }
}
`)
	for range 2 {
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() { c.Run("test", "-no-color").WantOK(t, "2 passed, 0 failed") })
		}
		both.Wait()
	}
	dirs := ephemeralDirs(t, tmp)
	require.NotEmpty(t, dirs, "simulators")
	assert.LessOrEqual(t, len(dirs), 2, "simulators: %v", dirs)
}

// ephemeral and path exclude each other, once both are known.
func TestSimulator_EphemeralWithPath(t *testing.T) {
	t.Parallel()
	c, tmp := ephemeralCLI(t)
	c.Config(simulated(`path = "x.json", ephemeral = true`))
	c.Plan().WantError(t, diagnostic.SummaryInvalidCombination, "ephemeral = true", "Remove path")
	c.Config(simulated("path = var.path, ephemeral = var.ephemeral") + "variable \"path\" {\n  type    = string\n  default = null\n}\nvariable \"ephemeral\" {\n  type    = bool\n  default = true\n}\n")
	c.Validate().WantOK(t)
	c.Plan("-var=path=x.json").WantError(t, diagnostic.SummaryInvalidCombination)
	c.Plan().WantText(t, "for this command only")
	before := len(ephemeralDirs(t, tmp))
	c.Config("resource \"terraform_data\" \"path\" {\n  input = \"x.json\"\n}\n" + simulated("path = terraform_data.path.output, ephemeral = true"))
	c.Apply().WantError(t, diagnostic.SummaryInvalidCombination)
	assert.LessOrEqual(t, len(c.State()), 1, "something was provisioned")
	assert.LessOrEqual(t, len(ephemeralDirs(t, tmp)), before, "something was provisioned")
	c.Config(simulated(`path = "x.json", ephemeral = false`))
	c.Plan().WantText(t, "(x.json)")
}
