package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

const requiredProviders = `
terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}
`

// cli is a working folder of the real CLI, attached to a provider inside the
// test. The testing library asserts the states of a success well; this is for
// exit codes, taint, -replace and runs that end in the middle.
type cli struct {
	t      *testing.T
	dir    string
	env    []string
	served *sync.WaitGroup // requests of a servedCLI that its service is at; nil otherwise
}

type result struct {
	out  string
	code int
}

// cliBinary is the CLI the testing library would use, too.
func cliBinary(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("TF_ACC_TERRAFORM_PATH"); path != "" {
		return path
	}
	for _, name := range []string{"terraform", "tofu"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no terraform or tofu on PATH: install one of them (terraform.io/downloads, opentofu.org/docs/intro/install)")
	return ""
}

// cliVersion is the version of the CLI, "1.11.4".
var cliVersion = sync.OnceValue(func() string {
	name := os.Getenv("TF_ACC_TERRAFORM_PATH")
	for _, candidate := range []string{"terraform", "tofu"} {
		if path, err := exec.LookPath(candidate); err == nil && name == "" {
			name = path
		}
	}
	cmd := exec.Command(name, "version", "-json")
	cmd.Env = append(os.Environ(), "CHECKPOINT_DISABLE=1", "TF_CLI_CONFIG_FILE="+os.DevNull)
	out, err := cmd.Output()
	var told struct {
		Version string `json:"terraform_version"`
	}
	if err != nil || json.Unmarshal(out, &told) != nil {
		return ""
	}
	return told.Version
})

// needsCLI skips a test of what an older CLI does not know.
func needsCLI(t *testing.T, least, what string) {
	t.Helper()
	if olderCLI(t, least) {
		t.Skipf("the CLI is %s; %s came with Terraform %s", cliVersion(), what, least)
	}
}

// tofuWith is the OpenTofu that came with what a Terraform version came with. For
// what is not here, no OpenTofu is known to have it.
var tofuWith = map[string]string{"1.6.0": "1.6.0", "1.7.0": "1.7.0", "1.8.0": "1.7.0", "1.10.0": "1.11.0"}

// olderCLI tells whether the CLI lacks what came with a version of Terraform.
func olderCLI(t *testing.T, than string) bool {
	t.Helper()
	if strings.HasPrefix(filepath.Base(cliBinary(t)), "tofu") {
		tofu, has := tofuWith[than]
		if !has {
			return true
		}
		than = tofu
	}
	have, err := version.NewVersion(cliVersion())
	if err != nil {
		t.Fatalf("the CLI's version %q: %v", cliVersion(), err)
	}
	return have.Core().LessThan(version.Must(version.NewVersion(than)))
}

func (w *world) cli() *cli {
	w.t.Helper()
	server, err := w.server()
	if err != nil {
		w.t.Fatal(err)
	}
	return w.cliOf(server)
}

// cliOf is attached to a provider of the test's own.
func (w *world) cliOf(server tfprotov6.ProviderServer) *cli {
	w.t.Helper()
	c := &cli{t: w.t, dir: w.t.TempDir()}
	c.env = append(os.Environ(), "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1", "TF_CLI_CONFIG_FILE="+c.file("cli.tfrc", ""), "TF_REATTACH_PROVIDERS="+w.serve(server))
	return c
}

// serve starts the provider for a CLI to attach to, until the test ends.
func (w *world) serve(server tfprotov6.ProviderServer) string {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	configs, closed := make(chan *plugin.ReattachConfig), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- tf6server.Serve("registry.terraform.io/privatelabels/reseller",
			func() tfprotov6.ProviderServer { return server },
			tf6server.WithDebug(ctx, configs, closed),
			tf6server.WithGoPluginLogger(hclog.NewNullLogger()),
			tf6server.WithoutLogStderrOverride())
	}()
	w.t.Cleanup(func() { cancel(); <-closed })
	var config *plugin.ReattachConfig
	select {
	case config = <-configs:
	case err := <-done:
		w.t.Fatal(err)
	}
	type addr struct{ Network, String string }
	type reattach struct {
		Protocol        string
		ProtocolVersion int
		Pid             int
		Test            bool
		Addr            addr
	}
	entry := reattach{string(config.Protocol), 6, config.Pid, true, addr{config.Addr.Network(), config.Addr.String()}}
	text, err := json.Marshal(map[string]reattach{
		"registry.terraform.io/privatelabels/reseller": entry,
		"registry.opentofu.org/privatelabels/reseller": entry,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

func (c *cli) file(name, text string) string {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
	return path
}

// config writes the configuration and makes the folder ready.
func (c *cli) config(text string) {
	c.t.Helper()
	c.file("main.tf", requiredProviders+text)
	if _, err := os.Stat(filepath.Join(c.dir, ".terraform.lock.hcl")); err == nil {
		return
	}
	c.ok("init", "-no-color", "-input=false")
}

func (c *cli) run(args ...string) result {
	c.t.Helper()
	cmd := exec.Command(cliBinary(c.t), args...)
	cmd.Dir, cmd.Env = c.dir, c.env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		c.t.Fatal(err)
	}
	return result{out: unwrap(string(out)), code: cmd.ProcessState.ExitCode()}
}

// unwrap undoes the CLI's frames and line breaks, so that a test reads sentences.
func unwrap(out string) string {
	var words []string
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(strings.TrimLeft(line, "│╷╵ \t"))
		if line != "" {
			words = append(words, line)
		}
	}
	return strings.Join(words, " ")
}

func (c *cli) ok(args ...string) string {
	c.t.Helper()
	r := c.run(args...)
	if r.code != 0 {
		c.t.Fatalf("%v: exit code %d\n%s", args, r.code, r.out)
	}
	return r.out
}

// raw returns what a command writes, as it stands.
func (c *cli) raw(args ...string) string {
	c.t.Helper()
	cmd := exec.Command(cliBinary(c.t), args...)
	cmd.Dir, cmd.Env = c.dir, c.env
	out, err := cmd.Output()
	if err != nil {
		c.t.Fatalf("%v: %v", args, err)
	}
	return string(out)
}

func (c *cli) plan(extra ...string) result {
	c.t.Helper()
	return c.run(append([]string{"plan", "-no-color", "-input=false", "-detailed-exitcode"}, extra...)...)
}

func (c *cli) apply(extra ...string) result {
	c.t.Helper()
	return c.run(append([]string{"apply", "-no-color", "-input=false", "-auto-approve"}, extra...)...)
}

func (c *cli) destroy(extra ...string) result {
	c.t.Helper()
	return c.run(append([]string{"destroy", "-no-color", "-input=false", "-auto-approve"}, extra...)...)
}

// wantEmptyPlan: exit code 2 would be a change, 1 an error.
func (c *cli) wantEmptyPlan() {
	c.t.Helper()
	if r := c.plan(); r.code != 0 {
		c.t.Errorf("the plan is not empty: exit code %d\n%s", r.code, r.out)
	}
}

func (r result) wantError(t *testing.T, parts ...string) {
	t.Helper()
	if r.code != 1 {
		t.Errorf("exit code %d, want an error\n%s", r.code, r.out)
	}
	r.wantText(t, parts...)
}

func (r result) wantOK(t *testing.T, parts ...string) {
	t.Helper()
	if r.code != 0 {
		t.Errorf("exit code %d, want success\n%s", r.code, r.out)
	}
	r.wantText(t, parts...)
}

func (r result) wantText(t *testing.T, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(r.out, part) {
			t.Errorf("the output lacks %q:\n%s", part, r.out)
		}
	}
}

// instance is one resource of the state file.
type instance struct {
	Status     string          `json:"status"` // "tainted" or ""
	Attributes map[string]any  `json:"attributes"`
	Private    json.RawMessage `json:"private"`
}

// state reads the state file; managed resources only, by address.
func (c *cli) state() map[string]instance {
	c.t.Helper()
	raw, err := os.ReadFile(filepath.Join(c.dir, "terraform.tfstate"))
	if errors.Is(err, os.ErrNotExist) || err == nil && len(raw) == 0 { // empty after a CLI that was killed
		return nil
	}
	if err != nil {
		c.t.Fatal(err)
	}
	var file struct {
		Resources []struct {
			Mode, Type, Name string
			Instances        []instance
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		c.t.Fatal(err)
	}
	out := map[string]instance{}
	for _, r := range file.Resources {
		if r.Mode == "managed" && len(r.Instances) > 0 {
			out[r.Type+"."+r.Name] = r.Instances[0]
		}
	}
	return out
}

// read returns a file of the folder.
func (c *cli) read(name string) string {
	c.t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, name))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}
