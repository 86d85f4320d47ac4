package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/bench/schemafile"
	"github.com/privatelabels/terraform-provider-reseller/internal/bench/usage"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const ownVersion = "0.0.1"

// harness has what all measurements use: the CLI, the plugins, and a mirror that `terraform init` installs from. Every
// provider in the mirror is the meter, which runs the plugin that the directory names. Two plugins can therefore
// alternate over one configuration and one state.
type harness struct {
	dir        string
	cli        string
	cliVersion string
	tfrc       string
	schema     string // the file of schemas for the floor
	own, floor string // plugins
	time       *timeProvider
}

func newHarness(ctx context.Context, w io.Writer, o options) (_ *harness, err error) {
	h := &harness{}
	if h.cli, err = output(ctx, "scripts/find-cli"); err != nil {
		return nil, err
	}
	if h.dir, err = os.MkdirTemp("", "reseller-bench-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			h.close()
		}
	}()
	meter := filepath.Join(h.dir, "meter")
	h.own, h.floor = filepath.Join(h.dir, "own"), filepath.Join(h.dir, "floor")
	for _, program := range []struct{ binary, source string }{{h.own, "."}, {h.floor, "./internal/bench/floor"}, {meter, "./internal/bench/meter"}} {
		if _, err = output(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program.binary, program.source); err != nil {
			return nil, err
		}
	}
	if h.time, err = findTimeProvider(ctx, os.Getenv(timeVariable), !o.check); err != nil {
		return nil, err
	}
	if h.time.binary == "" {
		fmt.Fprintf(w, "Without hashicorp/time, since %s.\n\n", h.time.missing)
	}
	if err = h.writeSchema(ctx); err != nil {
		return nil, err
	}
	if err = h.writeMirror(meter); err != nil {
		return nil, err
	}
	banner, err := h.folder("version", "").run(ctx, "version")
	if err != nil {
		return nil, err
	}
	h.cliVersion, _, _ = strings.Cut(banner.out, "\n")
	return h, nil
}

func (h *harness) close() { _ = os.RemoveAll(h.dir) }

func (h *harness) writeSchema(ctx context.Context) error {
	schemas, err := schemafile.Of(ctx, provider.NewServer(ownVersion)())
	if err != nil {
		return err
	}
	h.schema = filepath.Join(h.dir, "schema.json")
	return schemas.Write(h.schema)
}

func (h *harness) writeMirror(meter string) error {
	mirror := filepath.Join(h.dir, "mirror")
	for name, version := range map[string]string{"privatelabels/reseller": ownVersion, "hashicorp/time": timeVersion} {
		for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
			dir := filepath.Join(mirror, registry, name, version, runtime.GOOS+"_"+runtime.GOARCH)
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
			if err := os.Symlink(meter, filepath.Join(dir, "terraform-provider-"+filepath.Base(name)+"_v"+version)); err != nil {
				return err
			}
		}
	}
	h.tfrc = filepath.Join(h.dir, "cli.tfrc")
	text := fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror)
	return os.WriteFile(h.tfrc, []byte(text), 0o600)
}

func output(ctx context.Context, name string, args ...string) (string, error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd, err, errs.String())
	}
	return strings.TrimSpace(out.String()), nil
}

// folder is a working directory of the CLI and the plugin that runs in it.
type folder struct {
	harness *harness
	dir     string
	env     []string
	plugin  string
}

func (h *harness) folder(name, plugin string, env ...string) *folder {
	f := &folder{harness: h, dir: filepath.Join(h.dir, "work", name), plugin: plugin}
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "TF_") && !strings.HasPrefix(entry, "RESELLER_") {
			f.env = append(f.env, entry)
		}
	}
	f.env = append(f.env, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1", "TF_CLI_CONFIG_FILE="+h.tfrc, schemafile.Variable+"="+h.schema)
	f.env = append(f.env, env...)
	return f
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
	out    string
	wall   time.Duration
	cli    time.Duration // CPU, without the plugin
	plugin usage.Process // all processes of the plugin
}

func (f *folder) run(ctx context.Context, args ...string) (cost, error) {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return cost{}, err
	}
	reports, err := os.MkdirTemp(f.harness.dir, "usage-")
	if err != nil {
		return cost{}, err
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, f.harness.cli, args...)
	// An interrupted CLI ends its plugins; a killed CLI does not.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 20 * time.Second
	cmd.Dir, cmd.Stdout, cmd.Stderr = f.dir, &out, &out
	cmd.Env = slices.Concat(f.env, []string{usage.PluginVariable + "=" + f.plugin, usage.DirVariable + "=" + reports})
	started := time.Now()
	err = cmd.Run()
	c := cost{out: out.String(), wall: time.Since(started)}
	if err != nil {
		return c, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, c.out)
	}
	if c.plugin, err = usage.Read(reports); err != nil {
		return c, err
	}
	// The system's usage figures of a process include the children that it waited for.
	c.cli = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime() - c.plugin.CPU
	return c, nil
}

// emptyPlan runs a plan that must show no changes. If the plugin was killed before it reported its usage, the plan runs
// again.
func (f *folder) emptyPlan(ctx context.Context) (cost, error) {
	const attempts = 3
	for attempt := 1; ; attempt++ {
		c, err := f.run(ctx, "plan", "-no-color", "-input=false", "-detailed-exitcode", "-lock=false")
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit) && exit.ExitCode() == 2:
			return c, fmt.Errorf("the plan is not empty:\n%s", c.out)
		case errors.Is(err, usage.ErrUnfinished) && attempt < attempts:
			continue
		}
		return c, err
	}
}

// apply installs the provider and applies the configuration.
func (f *folder) apply(ctx context.Context) error {
	if _, err := f.run(ctx, "init", "-no-color", "-input=false"); err != nil {
		return err
	}
	_, err := f.run(ctx, "apply", "-no-color", "-input=false", "-auto-approve")
	return err
}

// service is a simulator over HTTP.
type service struct {
	sim    *simulator.Simulator
	server *httptest.Server
}

func newService(opts simulator.Options, labels int) (*service, error) {
	sim, err := simulator.New(opts)
	if err != nil {
		return nil, err
	}
	if err := sim.Seed(labels); err != nil {
		return nil, err
	}
	return &service{sim: sim, server: httptest.NewServer(sim)}, nil
}

func (s *service) close() {
	s.server.Close()
	_ = s.sim.Close()
}

// folder is a directory in which this provider uses the simulator.
func (s *service) folder(h *harness, name string) *folder {
	return h.folder(name, h.own,
		"RESELLER_BASE_URL="+s.server.URL,
		"RESELLER_UPLOAD_URL="+s.server.URL+simulator.UploadPrefix,
		"RESELLER_API_KEY="+s.sim.APIKey(),
		"RESELLER_TOKEN_CACHE_DIR="+filepath.Join(h.dir, "cache", name))
}

// calls are the API calls since the last reset.
type calls struct {
	routes  map[string]int
	total   int
	limited int // HTTP 429
}

func (s *service) calls() calls {
	c := calls{routes: map[string]int{}}
	for _, call := range s.sim.Journal() {
		c.routes[call.Route]++
		c.total++
		if call.Status == 429 {
			c.limited++
		}
	}
	return c
}

// machine names the machine of the measurement.
func machine() string {
	return fmt.Sprintf("%s, %s/%s, %d cores", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}
