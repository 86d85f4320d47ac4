package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// hostsIn are the private labels of a data file.
func hostsIn(t *testing.T, path string) string {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
		return ""
	}
	sim, err := simulator.New(simulator.Options{File: path})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sim.Close() }()
	var hosts []string
	for _, l := range sim.Labels() {
		hosts = append(hosts, l.Host)
	}
	return strings.Join(hosts, " ")
}

// Each workspace has its own sandbox, so the same host name is provisioned in each.
func TestSandbox_Workspaces(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	c.Config(providertest.InSandbox + providertest.Label("acme", providertest.AcmeHost, ""))
	c.Apply().WantOK(t, "reseller-sandbox.json", "1 added")
	c.Ok("workspace", "new", "blue")
	c.Apply().WantOK(t, "reseller-sandbox.blue.json", "1 added")
	c.WantEmptyPlan()
	const odd = "$a:b=@+&~"
	c.Ok("workspace", "new", odd)
	c.Apply().WantOK(t, "1 added")
	c.WantEmptyPlan()
	c.Ok("workspace", "select", "default")
	c.WantEmptyPlan()
	data := filepath.Join(c.Dir, ".terraform")
	for _, file := range []string{"reseller-sandbox.json", "reseller-sandbox.blue.json"} {
		if got := hostsIn(t, filepath.Join(data, file)); got != providertest.AcmeHost {
			t.Errorf("%s has %q", file, got)
		}
	}
	if files, err := filepath.Glob(filepath.Join(data, "reseller-sandbox*.json")); err != nil || len(files) != 3 {
		t.Errorf("%v, %v", files, err)
	}
	c.Env = append(c.Env, "TF_WORKSPACE=blue")
	c.WantEmptyPlan()
	c.Env = append(c.Env, "TF_WORKSPACE=a/b")
	c.Plan().WantError(t, "Invalid workspace name")
}

// A state that was written with another data file is an error that keeps it, with any options of the plan, and says
// nothing about host names. With the old file, plans show no changes.
func TestSandbox_StateOfAnother(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	in := func(file, rest string) {
		c.Config(fmt.Sprintf("provider \"reseller\" {\n  sandbox = { path = %q }\n}\n", file) + rest)
	}
	label := providertest.Label("acme", providertest.AcmeHost, "")
	in("one.json", label)
	c.Apply().WantOK(t, "1 added")
	before := c.Read("terraform.tfstate")
	const summary = "State was written with another sandbox"
	texts := []string{summary, "sign.acme.example was last read as reseller reseller-", "state stays as it is", "this run uses two.json", "delete the state together with the data file"}

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
			if strings.Contains(r.Out, wrong) {
				t.Errorf("%v says %q:\n%s", args, wrong, r.Out)
			}
		}
	}
	in("two.json", "")
	c.Plan().WantError(t, texts...) // a removed block
	c.Plan("-refresh=false").WantError(t, texts...)
	if after := c.Read("terraform.tfstate"); after != before {
		t.Errorf("the state was changed:\n%s", after)
	}
	if got := hostsIn(t, filepath.Join(c.Dir, "one.json")); got != providertest.AcmeHost {
		t.Errorf("the sandbox has %q", got)
	}

	// The remedies: the old file, or another state.
	in("one.json", label)
	c.WantEmptyPlan()
	in("two.json", label)
	c.Forget(providertest.Acme)
	c.Apply().WantOK(t, "1 added")
	c.WantEmptyPlan()
}

// A plan that was saved with one sandbox changes nothing with another one.
func TestSandbox_SavedPlanOfAnother(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	env := c.Env
	in := func(file string) { c.Env = slices.Concat(env, []string{"RESELLER_SANDBOX=" + file}) }
	in("one.json")
	c.Config("provider \"reseller\" {}\n" + providertest.Label("acme", providertest.AcmeHost, "deletion_policy = \"ABANDON\""))
	c.Apply().WantOK(t)
	c.Ok("plan", "-destroy", "-out=destroy.plan", "-no-color", "-input=false")
	in("two.json")
	c.Run("apply", "-no-color", "-input=false", "destroy.plan").WantError(t, "State was written with another sandbox")
	if _, kept := c.State()[providertest.Acme]; !kept {
		t.Error("the label left the state")
	}
	in("one.json")
	c.Destroy().WantOK(t, "1 destroyed")
}

// Without the sandbox in the provider block, the API key belongs to the other sandbox.
func TestSandbox_StateOfAnotherOutside(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	label := providertest.Label("acme", providertest.AcmeHost, "")
	c.Config(providertest.InSandbox + label)
	c.Apply().WantOK(t)

	w := providertest.NewTestEnv(t)
	live := w.KillableCLI()
	live.Config(label)
	live.File("terraform.tfstate", c.Read("terraform.tfstate"))
	r := live.Plan()
	r.WantError(t, "State was written with another sandbox", "set sandbox in the provider block")
	if _, kept := live.State()[providertest.Acme]; !kept {
		t.Error("the label left the state")
	}

	live.Config(label)
	if err := os.Remove(filepath.Join(live.Dir, "terraform.tfstate")); err != nil {
		t.Fatal(err)
	}
	live.Apply().WantOK(t)
	c.File("terraform.tfstate", live.Read("terraform.tfstate"))
	c.Plan().WantError(t, "State was written with the live API", providertest.Slug, "Remove sandbox from the provider block")
	c.Plan("-refresh=false").WantError(t, "State was written with the live API")
}

// A data file that cannot be used is an error at the block, and is not changed.
func TestSandbox_BadFiles(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t)
	config := func(path string) {
		c.Config(fmt.Sprintf("provider \"reseller\" {\n  sandbox = { path = %q }\n}\n", path) + providertest.Label("acme", providertest.AcmeHost, ""))
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
		r.WantError(t, "Error opening sandbox", "bad.json", tc.want, "Nothing was changed", "use another file")
		if !strings.Contains(r.Out, "The file was not changed") || c.Read("bad.json") != tc.text {
			t.Errorf("%s: %s", name, r.Out)
		}
	}
	if err := os.Mkdir(filepath.Join(c.Dir, "directory.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"directory.json": "not a regular file", "good.json/x.json": "not a directory", filepath.Join(c.Dir, "directory.json", strings.Repeat("x", 300)): "file name too long"} {
		config(path)
		c.Plan().WantError(t, "Error opening sandbox", want)
	}
	config("good.json")
	c.WantEmptyPlan()
}
