package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// hostsIn are the private labels of a data file.
func hostsIn(t *testing.T, path string) string {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
		return ""
	}
	sim, err := simulator.New(simulator.Options{File: path})
	require.NoError(t, err)
	defer func() { _ = sim.Close() }()
	var hosts []string
	for _, l := range sim.Labels() {
		hosts = append(hosts, l.Host)
	}
	return strings.Join(hosts, " ")
}

// Each workspace has its own simulator, so the same host name is provisioned in each.
func TestSimulator_Workspaces(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	c.Config(providertest.InSimulator + providertest.Label("acme", providertest.AcmeHost, ""))
	c.Apply().WantOK(t, "(.reseller-simulator/default.json)", "1 added")
	c.Ok("workspace", "new", "blue")
	c.Apply().WantOK(t, "(.reseller-simulator/blue.json)", "1 added")
	c.WantEmptyPlan()
	const odd = "$a:b=@+&~"
	c.Ok("workspace", "new", odd)
	c.Apply().WantOK(t, "1 added")
	c.WantEmptyPlan()
	c.Ok("workspace", "select", "default")
	c.WantEmptyPlan()
	data := filepath.Dir(filepath.Join(c.Dir, providertest.SimulatorFile))
	for _, file := range []string{"default.json", "blue.json"} {
		assert.Equal(t, providertest.AcmeHost, hostsIn(t, filepath.Join(data, file)), file)
	}
	files, err := filepath.Glob(filepath.Join(data, "*.json"))
	require.NoError(t, err, files)
	assert.Len(t, files, 3)
	ignored, err := os.ReadFile(filepath.Join(data, ".gitignore"))
	require.NoError(t, err, "git ignores %q", ignored)
	assert.Equal(t, "*\n", string(ignored), "git ignores")
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
	in := func(file, rest string) {
		c.Config(fmt.Sprintf("provider \"reseller\" {\n  simulator = { path = %q }\n}\n", file) + rest)
	}
	label := providertest.Label("acme", providertest.AcmeHost, "")
	in("one.json", label)
	c.Apply().WantOK(t, "1 added")
	before := c.Read("terraform.tfstate")
	texts := []string{otherData, "This reseller_private_label belongs to other simulator data than two.json", "delete the state together with the data file"}

	in("two.json", label)
	for _, args := range [][]string{
		{"plan"},
		{"plan", "-refresh=false"},
		{"plan", "-destroy"},
		{"plan", "-destroy", "-refresh=false"},
		{"plan", "-refresh-only"},
		{"plan", "-replace=" + providertest.Acme},
		{"apply", "-auto-approve"},
		{"destroy", "-auto-approve"},
		{"refresh"},
	} {
		r := c.Run(append(args, "-no-color", "-input=false")...)
		r.WantError(t, texts...)
		for _, wrong := range []string{"never be provisioned", "cannot be reused", "removed from state", "API key"} {
			assert.NotContains(t, r.Out, wrong, "%v says", args)
		}
	}
	in("two.json", "")
	c.Plan().WantError(t, texts...) // a removed block
	c.Plan("-refresh=false").WantError(t, texts...)
	assert.Equal(t, before, c.Read("terraform.tfstate"), "the state was changed")
	assert.Equal(t, providertest.AcmeHost, hostsIn(t, filepath.Join(c.Dir, "one.json")), "the simulator")

	// A file that is known after apply is no other one.
	c.Config("resource \"terraform_data\" \"path\" {\n  input = \"one.json\"\n}\nprovider \"reseller\" {\n  simulator = { path = terraform_data.path.output }\n}\n" + label)
	r := c.Plan()
	assert.Equal(t, 2, r.Code, r.Out)
	c.Apply().WantOK(t, "1 added, 0 changed")
	c.WantEmptyPlan()

	// The remedies: the old file, or another state.
	in("one.json", label)
	c.Apply().WantOK(t)
	c.WantEmptyPlan()
	in("two.json", label)
	c.Forget(providertest.Acme)
	c.Apply().WantOK(t, "1 added")
	c.WantEmptyPlan()
}

// A state of the simulator, and a plan that was saved with it, are errors with the live API, and the reverse.
func TestSimulator_StateOfLiveAPI(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	w := providertest.NewTestEnv(t)
	live, simulated := slices.Concat(c.Env, w.LiveEnv()), slices.Concat(c.Env, []string{"RESELLER_SIMULATOR=data.json"})
	c.Config("provider \"reseller\" {}\n" + providertest.Label("acme", providertest.AcmeHost, "deletion_policy = \"SUSPEND\""))
	for _, side := range []struct {
		write, use []string
		texts      []string
	}{
		{simulated, live, []string{otherData, "set simulator in the provider block", "run terraform state rm"}},
		{live, simulated, []string{liveState, providertest.Slug, "remove simulator from the provider block"}},
	} {
		c.Env = side.write
		c.Apply().WantOK(t, "1 added")
		c.Ok("plan", "-destroy", "-out=destroy.plan", "-no-color", "-input=false")
		before := c.Read("terraform.tfstate")
		w.Sim.ResetJournal()
		c.Env = side.use
		c.Plan().WantError(t, side.texts...)
		c.Plan("-refresh=false").WantError(t, side.texts...)
		c.Run("apply", "-no-color", "-input=false", "destroy.plan").WantError(t, side.texts...)
		assert.Equal(t, before, c.Read("terraform.tfstate"), "the state was changed")
		for _, call := range w.Sim.Journal() {
			if call.Route != providertest.RouteToken && call.Route != providertest.RouteDashboard {
				t.Errorf("call %s", call.Route)
			}
		}
		require.NoError(t, os.Remove(filepath.Join(c.Dir, "terraform.tfstate")))
	}
}

// A data file that cannot be used is an error at the block, and is not changed.
func TestSimulator_BadFiles(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	config := func(path string) {
		c.Config(fmt.Sprintf("provider \"reseller\" {\n  simulator = { path = %q }\n}\n", path) + providertest.Label("acme", providertest.AcmeHost, ""))
	}
	config("good.json")
	c.Apply().WantOK(t)
	good := c.Read("good.json")
	for name, tc := range map[string]struct{ text, want string }{
		"truncated":     {good[:len(good)/2], "is damaged"},
		"empty":         {"", "is damaged"},
		"something":     {"[1, 2]", "is damaged"},
		"later version": {strings.Replace(good, `"data":{"version":1,`, `"data":{"version":99,`, 1), "data of version 99"},
	} {
		c.File("bad.json", tc.text)
		config("bad.json")
		r := c.Plan()
		r.WantError(t, provider.SummarySimulatorUnavailable, "bad.json", tc.want, "The file is set by", "use another file")
		if tc.want == "is damaged" {
			r.WantText(t, "Move or delete it")
		}
		assert.Contains(t, r.Out, "The file was not changed", name)
		assert.Equal(t, tc.text, c.Read("bad.json"), "%s: %s", name, r.Out)
	}
	require.NoError(t, os.Mkdir(filepath.Join(c.Dir, "directory.json"), 0o700))
	for path, want := range map[string]string{"directory.json": "not a regular file", "good.json/x.json": "not a directory", filepath.Join(c.Dir, "directory.json", strings.Repeat("x", 300)): "file name too long"} {
		config(path)
		c.Plan().WantError(t, provider.SummarySimulatorUnavailable, want)
	}
	config("good.json")
	c.WantEmptyPlan()
}
