package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/tool/bench/schemafile"
)

// registry has the address of this provider and of hashicorp/time, for Terraform and OpenTofu alike.
const registry = "registry.terraform.io/"

// harness has what all measurements use: the CLI, its configuration, and the plugins. The CLI starts this program as
// each provider, which runs the plugin that the directory names. Two plugins can therefore take turns over one
// configuration and one state.
type harness struct {
	dir, cli, cliVersion string
	ours, floor          string // plugins
	time                 string // the plugin hashicorp/time; empty if it cannot be had
	schema               string // the file of schemas for the floor
}

func newHarness(ctx context.Context, w io.Writer, o options) (_ *harness, err error) {
	h := &harness{}
	if h.dir, err = os.MkdirTemp("", "reseller-bench-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			h.close()
		}
	}()
	if h.cli, err = output(ctx, "scripts/find-cli"); err != nil {
		return nil, err
	}
	h.ours = filepath.Join(h.dir, "own")
	h.floor = filepath.Join(h.dir, "floor")
	h.schema = filepath.Join(h.dir, "schema.json")
	// This provider is built as .goreleaser.yml does, the floor as hashicorp/time is.
	for _, args := range [][]string{{"-tags", "grpcnotrace", "-o", h.ours, "."}, {"-o", h.floor, "./internal/tool/bench/floor"}} {
		build := append([]string{"CGO_ENABLED=0", "go", "build", "-trimpath", "-ldflags", "-s -w"}, args...)
		if _, err = output(ctx, "env", build...); err != nil {
			return nil, err
		}
	}
	schemas, err := schemafile.Of(ctx, provider.NewServer("0.0.1", provider.Options{})())
	if err != nil {
		return nil, err
	}
	if err = schemas.Write(h.schema); err != nil {
		return nil, err
	}
	if h.time, err = timeProvider(ctx, !o.check); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		fmt.Fprintf(w, "Without hashicorp/time: %v\n\n", err)
	}
	if err = h.writeOverrides(); err != nil {
		return nil, err
	}
	banner, err := output(ctx, h.cli, "version")
	h.cliVersion, _, _ = strings.Cut(banner, "\n")
	return h, err
}

func (h *harness) close() {
	_ = os.RemoveAll(h.dir)
}

// writeOverrides writes a configuration of the CLI in which no directory needs `init`.
func (h *harness) writeOverrides() error {
	meter, err := os.Executable()
	if err != nil {
		return err
	}
	var text strings.Builder
	text.WriteString("provider_installation {\n  dev_overrides {\n")
	for _, name := range []string{"privatelabels/reseller", "hashicorp/time"} {
		if err := os.Symlink(meter, filepath.Join(h.dir, "terraform-provider-"+filepath.Base(name))); err != nil {
			return err
		}
		fmt.Fprintf(&text, "    %q = %q\n", registry+name, h.dir)
	}
	text.WriteString("  }\n  direct {}\n}\n")
	return os.WriteFile(filepath.Join(h.dir, "cli.tfrc"), []byte(text.String()), 0o600)
}

// output returns what a program prints. Its error has the last line of the program's messages.
func output(ctx context.Context, name string, args ...string) (string, error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout = &out
	cmd.Stderr = &errs
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
		return "", fmt.Errorf("%s: %w: %s", cmd, err, lines[len(lines)-1])
	}
	return strings.TrimSpace(out.String()), nil
}

// hashicorp/time is the leanest provider on the same framework.
const (
	timeModule   = "github.com/hashicorp/terraform-provider-time"
	timeVersion  = "0.14.2"
	timeVariable = "RESELLER_BENCH_TIME_PROVIDER" // names a binary to use instead
)

// timeProvider returns a binary of hashicorp/time: the named one, else the one that an earlier bench installed, else one
// that it installs if allowed.
func timeProvider(ctx context.Context, install bool) (string, error) {
	if named := os.Getenv(timeVariable); named != "" {
		_, err := os.Stat(named)
		return named, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "terraform-provider-reseller", "bench", timeVersion)
	binary := filepath.Join(dir, "terraform-provider-time")
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	if !install {
		return "", errors.New("it is not installed; run the bench without -check, or set " + timeVariable)
	}
	_, err = output(ctx, "env", "GOBIN="+dir, "CGO_ENABLED=0", "go", "install", "-trimpath", "-ldflags", "-s -w", timeModule+"@v"+timeVersion)
	if err != nil {
		return "", err
	}
	return binary, nil
}

// folder is a working directory of the CLI and the plugin that runs in it.
type folder struct {
	harness *harness
	dir     string
	env     []string
	plugin  string
}

// folder returns a new directory with a configuration.
func (h *harness) folder(name, plugin, config string, env ...string) (*folder, error) {
	f := &folder{harness: h, dir: filepath.Join(h.dir, "work", name), plugin: plugin}
	f.env = slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "TF_") || strings.HasPrefix(entry, "RESELLER_")
	})
	f.env = append(f.env, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1", "TF_CLI_CONFIG_FILE="+filepath.Join(h.dir, "cli.tfrc"),
		schemafile.Variable+"="+h.schema)
	f.env = append(f.env, env...)
	return f, f.write("main.tf", config)
}

// with is the same directory with another plugin.
func (f *folder) with(plugin string) *folder {
	other := *f
	other.plugin = plugin
	return &other
}

func (f *folder) write(name, text string) error {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o600)
}

// cost is the cost of one command.
type cost struct {
	cli    time.Duration // CPU, without the plugin
	plugin usage         // all processes of the plugin
}

func (f *folder) run(ctx context.Context, args ...string) (c cost, err error) {
	reports, err := os.MkdirTemp(f.harness.dir, "usage-")
	if err != nil {
		return c, err
	}
	cmd := exec.CommandContext(ctx, f.harness.cli, args...)
	// An interrupted CLI ends its plugins; a killed CLI does not.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 20 * time.Second
	cmd.Dir = f.dir
	cmd.Env = slices.Concat(f.env, []string{pluginVariable + "=" + f.plugin, usageVariable + "=" + reports})
	if out, err := cmd.CombinedOutput(); err != nil {
		return c, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	c.plugin, err = readUsage(reports)
	// The system's usage figures of a process include the children that it waited for.
	c.cli = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime() - c.plugin.CPU
	return c, err
}

// emptyPlan runs a plan that must show no changes; it exits with 2 if there are any. If the plugin was killed before it
// reported its usage, the plan runs again.
func (f *folder) emptyPlan(ctx context.Context) (c cost, err error) {
	for range 3 {
		c, err = f.run(ctx, "plan", "-no-color", "-input=false", "-detailed-exitcode", "-lock=false")
		if !errors.Is(err, errUnfinished) {
			break
		}
	}
	return c, err
}

func (f *folder) apply(ctx context.Context) (cost, error) {
	return f.run(ctx, "apply", "-no-color", "-input=false", "-auto-approve")
}
