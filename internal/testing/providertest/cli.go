package providertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const requiredProviders = `
terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}
`

// CLI is a working directory of the real CLI, attached to a provider in the test. It is for exit codes, taint, -replace
// and runs that are interrupted, which the testing library does not cover.
type CLI struct {
	T         *testing.T
	Dir       string
	Env       []string
	installed bool
	killable  *killable // of a KillableCLI
}

// Workspace is a configuration with its state: of the real CLI, or of a driver of the protocol that behaves like the
// CLI.
type Workspace interface {
	File(name, text string) string
	Config(text string)
	Plan(extra ...string) Result
	Apply(extra ...string) Result
	WantEmptyPlan()
	Validate() Result
	Refresh()
	Import(address, id string) Result
	Forget(address string)
	State() map[string]Instance
}

// Result is the output and the exit code of a command.
type Result struct {
	Out         string
	Code        int
	Diagnostics Diagnostics // of a command with -json
	Changes     []string    // addresses that a plan with -json changes
}

// CliBinary is the CLI that the testing library would use.
func CliBinary(t *testing.T) string {
	t.Helper()
	path := cliPath()
	require.NotEmpty(t, path, "no terraform or tofu on PATH: install one of them (terraform.io/downloads, opentofu.org/docs/intro/install)")
	return path
}

func cliPath() string {
	path := os.Getenv("TF_ACC_TERRAFORM_PATH")
	for _, name := range []string{"terraform", "tofu"} {
		if found, err := exec.LookPath(name); path == "" && err == nil {
			path = found
		}
	}
	return path
}

// cliVersion is the version of the CLI, "1.11.4".
var cliVersion = sync.OnceValue(func() string {
	cmd := exec.Command(cliPath(), "version", "-json")
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

// NeedsCLI skips a test of a feature that an older CLI does not have.
func NeedsCLI(t *testing.T, least, what string) {
	t.Helper()
	if OlderCLI(t, least) {
		t.Skipf("the CLI is %s; %s came with Terraform %s", cliVersion(), what, least)
	}
}

// NeedsGeneration skips a test of -generate-config-out: Terraform 1.5 and OpenTofu before 1.12 crash if a computed attribute of
// the resource is nested.
func NeedsGeneration(t *testing.T) {
	t.Helper()
	least := "1.6.0"
	if IsTofu(t) {
		least = "1.12.0"
	}
	NeedsCLI(t, least, "-generate-config-out of a resource with a computed nested attribute")
}

// NeedsRemovedBlocks skips a test of removed blocks that say whether they destroy, which those of OpenTofu 1.8 cannot.
func NeedsRemovedBlocks(t *testing.T) {
	t.Helper()
	least := "1.7.0"
	if IsTofu(t) {
		least = "1.10.0"
	}
	NeedsCLI(t, least, "destroy in removed blocks")
}

// IsTofu reports whether the CLI is OpenTofu.
func IsTofu(t *testing.T) bool {
	t.Helper()
	return strings.HasPrefix(filepath.Base(CliBinary(t)), "tofu")
}

// TofuWith is the OpenTofu version with the features of a Terraform version. Without an entry, no OpenTofu version is
// known to have them.
var TofuWith = map[string]string{
	"1.6.0": "1.6.0", "1.7.0": "1.7.0", "1.8.0": "1.7.0", "1.9.0": "1.9.0", "1.10.0": "1.11.0", "1.11.0": "1.11.0", "1.12.0": "1.12.0",
}

// OlderCLI reports whether the CLI lacks the features of a version of Terraform.
func OlderCLI(t *testing.T, than string) bool {
	t.Helper()
	if IsTofu(t) {
		tofu, ok := TofuWith[than]
		if !ok {
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

func (w *TestEnv) Cli() *CLI {
	w.T.Helper()
	server, err := w.Server()
	require.NoError(w.T, err)
	return w.CliOf(server)
}

// CliOf is attached to a provider of the test.
func (w *TestEnv) CliOf(server tfprotov6.ProviderServer) *CLI {
	w.T.Helper()
	c := &CLI{T: w.T, Dir: w.T.TempDir()}
	c.Env = append(os.Environ(), "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1", "TF_CLI_CONFIG_FILE="+c.File("cli.tfrc", ""), "TF_REATTACH_PROVIDERS="+w.serve(server))
	return c
}

// serve starts the provider for a CLI to attach to, until the test ends.
func (w *TestEnv) serve(server tfprotov6.ProviderServer) string {
	w.T.Helper()
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
	w.T.Cleanup(func() { cancel(); <-closed })
	var config *plugin.ReattachConfig
	select {
	case config = <-configs:
	case err := <-done:
		w.T.Fatal(err)
	}
	entry := map[string]any{
		"Protocol": config.Protocol, "ProtocolVersion": 6, "Pid": config.Pid, "Test": true,
		"Addr": map[string]string{"Network": config.Addr.Network(), "String": config.Addr.String()},
	}
	text, err := json.Marshal(map[string]any{"registry.terraform.io/privatelabels/reseller": entry, "registry.opentofu.org/privatelabels/reseller": entry})
	require.NoError(w.T, err)
	return string(text)
}

func (c *CLI) File(name, text string) string {
	c.T.Helper()
	path := filepath.Join(c.Dir, name)
	require.NoError(c.T, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// Remove removes the files of a pattern, of which there is one at least.
func (c *CLI) Remove(pattern string) {
	c.T.Helper()
	files, err := filepath.Glob(filepath.Join(c.Dir, pattern))
	require.NoError(c.T, err)
	require.NotEmpty(c.T, files, pattern)
	for _, file := range files {
		require.NoError(c.T, os.Remove(file))
	}
}

func (c *CLI) Config(text string) {
	c.T.Helper()
	c.File("main.tf", requiredProviders+text)
	c.Init()
}

// Init installs the provider if it is one to install, and is not.
func (c *CLI) Init() {
	c.T.Helper()
	if _, err := os.Stat(filepath.Join(c.Dir, ".terraform.lock.hcl")); c.installed && err != nil {
		c.Ok("init", "-no-color", "-input=false")
	}
}

func (c *CLI) Run(args ...string) Result {
	c.T.Helper()
	out, code := c.run(args)
	return Result{Out: unwrap(out), Code: code}
}

func (c *CLI) run(args []string) (out string, code int) {
	c.T.Helper()
	cmd := c.command(args...)
	all, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(c.T, err)
	}
	return string(all), cmd.ProcessState.ExitCode()
}

func (c *CLI) command(args ...string) *exec.Cmd {
	c.T.Helper()
	cmd := exec.Command(CliBinary(c.T), args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	return cmd
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

func (c *CLI) Ok(args ...string) string {
	c.T.Helper()
	r := c.Run(args...)
	require.Equal(c.T, 0, r.Code, "%v: exit code\n%s", args, r.Out)
	return r.Out
}

// Raw returns the output of a command unchanged.
func (c *CLI) Raw(args ...string) string {
	c.T.Helper()
	out, err := c.command(args...).Output()
	require.NoError(c.T, err, args)
	return string(out)
}

func (c *CLI) Plan(extra ...string) Result {
	c.T.Helper()
	return c.JSON(append([]string{"plan", "-json", "-input=false", "-detailed-exitcode"}, extra...)...)
}

// PlanText is a plan as the CLI shows it to users, with the attributes that change.
func (c *CLI) PlanText(extra ...string) Result {
	c.T.Helper()
	return c.Run(append([]string{"plan", "-no-color", "-input=false", "-detailed-exitcode"}, extra...)...)
}

func (c *CLI) Apply(extra ...string) Result {
	c.T.Helper()
	return c.JSON(append([]string{"apply", "-json", "-input=false", "-auto-approve"}, extra...)...)
}

func (c *CLI) Destroy(extra ...string) Result {
	c.T.Helper()
	return c.JSON(append([]string{"destroy", "-json", "-input=false", "-auto-approve"}, extra...)...)
}

// message is a line of a command with -json.
type message struct {
	Type       string     `json:"type"`
	Text       string     `json:"@message"`
	Diagnostic Diagnostic `json:"diagnostic"`
	Change     struct {
		Action   string
		Resource struct{ Addr string }
	} `json:"change"`
	Outputs map[string]struct{ Value json.RawMessage } `json:"outputs"`
}

// changes reports whether a plan does more than read.
func (m *message) changes() bool {
	return m.Type == "planned_change" && m.Change.Action != "noop" && m.Change.Action != "read"
}

// JSON runs a command with -json, so that its diagnostics are not folded, wrapped or framed. Out has each of them on a line, after
// the other messages.
func (c *CLI) JSON(args ...string) Result {
	c.T.Helper()
	out, code := c.run(args)
	r := Result{Code: code}
	var messages, said strings.Builder
	for line := range strings.Lines(out) {
		var parsed message
		if json.Unmarshal([]byte(line), &parsed) != nil {
			messages.WriteString(line) // such as a crash
			continue
		}
		if parsed.Type == "diagnostic" {
			r.Diagnostics = append(r.Diagnostics, parsed.Diagnostic)
			fmt.Fprintln(&said, parsed.Diagnostic)
			continue
		}
		if parsed.changes() {
			r.Changes = append(r.Changes, parsed.Change.Resource.Addr)
		}
		messages.WriteString(parsed.Text + "\n")
		for _, name := range slices.Sorted(maps.Keys(parsed.Outputs)) {
			fmt.Fprintf(&messages, "%s = %s\n", name, parsed.Outputs[name].Value)
		}
	}
	r.Out = messages.String() + said.String()
	return r
}

// Validate checks the configuration without a call.
func (c *CLI) Validate() Result {
	c.T.Helper()
	return c.Run("validate", "-no-color")
}

// Refresh takes what it reads into the state.
func (c *CLI) Refresh() {
	c.T.Helper()
	c.Ok("refresh", "-no-color")
}

// Forget removes an object from the state.
func (c *CLI) Forget(address string) {
	c.T.Helper()
	c.Ok("state", "rm", address)
}

// Import is the command, not the block.
func (c *CLI) Import(address, id string) Result {
	c.T.Helper()
	return c.Run("import", "-no-color", "-input=false", address, id)
}

// WantEmptyPlan asserts exit code 0: 2 is a change, 1 an error.
func (c *CLI) WantEmptyPlan() {
	c.T.Helper()
	r := c.Plan()
	assert.Equal(c.T, 0, r.Code, "the plan is not empty: exit code\n%s", r.Out)
}

func (r Result) WantError(t *testing.T, parts ...string) {
	t.Helper()
	assert.Equal(t, 1, r.Code, "exit code\n%s", r.Out)
	r.WantText(t, parts...)
}

func (r Result) WantOK(t *testing.T, parts ...string) {
	t.Helper()
	assert.Equal(t, 0, r.Code, "exit code\n%s", r.Out)
	r.WantText(t, parts...)
}

func (r Result) WantText(t *testing.T, parts ...string) {
	t.Helper()
	for _, part := range parts {
		assert.True(t, holds(r.Out, part), "the output lacks %q:\n%s", part, r.Out)
	}
}

// holds reports whether a text contains a part. A number at the start of the part is a whole number: "11 added" does
// not hold "1 added".
func holds(text, part string) bool {
	pattern := regexp.QuoteMeta(part)
	if part != "" && part[0] >= '0' && part[0] <= '9' {
		pattern = `(?:^|\D)` + pattern
	}
	return regexp.MustCompile(pattern).MatchString(text)
}

// Instance is one resource of the state file.
type Instance struct {
	Key           json.RawMessage `json:"index_key,omitempty"` // nil, 0 or "a"
	Status        string          `json:"status,omitempty"`    // "tainted" or ""
	Deposed       string          `json:"deposed,omitempty"`   // key of an object that waits to be destroyed
	SchemaVersion int64           `json:"schema_version"`
	Attributes    map[string]any  `json:"attributes"`
	Private       []byte          `json:"private,omitempty"`
	Dependencies  []string        `json:"dependencies,omitempty"`
}

// State reads the state file; managed resources only, by address, without deposed objects.
func (c *CLI) State() map[string]Instance {
	c.T.Helper()
	raw, err := os.ReadFile(filepath.Join(c.Dir, "terraform.tfstate"))
	if errors.Is(err, os.ErrNotExist) || err == nil && len(raw) == 0 { // empty after the CLI was killed
		return nil
	}
	require.NoError(c.T, err)
	var file struct {
		Resources []struct {
			Mode, Type, Name string
			Instances        []Instance
		}
	}
	require.NoError(c.T, json.Unmarshal(raw, &file))
	out := map[string]Instance{}
	for _, r := range file.Resources {
		for _, instance := range r.Instances {
			address := r.Type + "." + r.Name
			if instance.Key != nil {
				address += "[" + string(instance.Key) + "]"
			}
			if r.Mode == "managed" && instance.Deposed == "" {
				out[address] = instance
			}
		}
	}
	return out
}

// Read returns a file of the directory.
func (c *CLI) Read(name string) string {
	c.T.Helper()
	text, err := os.ReadFile(filepath.Join(c.Dir, name))
	require.NoError(c.T, err)
	return string(text)
}

// Once skips a lengthy test in everyday runs. CI runs it once, with a target of make.
func Once(t *testing.T) {
	t.Helper()
	if os.Getenv("RESELLER_ONCE") == "" {
		t.Skip("takes long; `make test-once` runs it")
	}
}
