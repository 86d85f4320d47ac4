package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// The provider to compare with: the leanest on the same framework.
const (
	timeModule  = "github.com/hashicorp/terraform-provider-time"
	timeVersion = "0.14.2"
	ownVersion  = "0.0.1"
)

// bed is what all measurements stand on: the CLI, and both providers in a
// mirror that `init` installs from.
type bed struct {
	dir        string
	cli        string
	cliVersion string
	tfrc       string
	own, time  string // the binaries
}

func newBed(ctx context.Context) (_ *bed, err error) {
	b := &bed{}
	if b.cli, err = output(ctx, "scripts/find-cli"); err != nil {
		return nil, err
	}
	if b.dir, err = os.MkdirTemp("", "reseller-bench-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			b.close()
		}
	}()
	b.own = filepath.Join(b.dir, "terraform-provider-reseller_v"+ownVersion)
	if _, err = output(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.own, "."); err != nil {
		return nil, err
	}
	if b.time, err = installTime(ctx); err != nil {
		return nil, err
	}
	mirror := filepath.Join(b.dir, "mirror")
	if err = addToMirror(mirror, "privatelabels/reseller", ownVersion, b.own); err != nil {
		return nil, err
	}
	if err = addToMirror(mirror, "hashicorp/time", timeVersion, b.time); err != nil {
		return nil, err
	}
	b.tfrc = filepath.Join(b.dir, "cli.tfrc")
	text := fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror)
	if err = os.WriteFile(b.tfrc, []byte(text), 0o600); err != nil {
		return nil, err
	}
	banner, err := b.folder("version").run(ctx, "version")
	if err != nil {
		return nil, err
	}
	b.cliVersion, _, _ = strings.Cut(banner.out, "\n")
	return b, nil
}

func (b *bed) close() { _ = os.RemoveAll(b.dir) }

// installTime builds the other provider once for all benches, the same way.
func installTime(ctx context.Context) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "terraform-provider-reseller", "bench", timeVersion)
	binary := filepath.Join(dir, "terraform-provider-time")
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	cmd := exec.CommandContext(ctx, "go", "install", "-trimpath", "-ldflags", "-s -w", timeModule+"@v"+timeVersion)
	cmd.Env = append(os.Environ(), "GOBIN="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return binary, nil
}

func addToMirror(mirror, provider, version, binary string) error {
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		dir := filepath.Join(mirror, registry, provider, version, runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		name := "terraform-provider-" + filepath.Base(provider) + "_v" + version
		if err := os.Symlink(binary, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
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

// folder is a working folder of the CLI.
type folder struct {
	bed *bed
	dir string
	env []string
}

func (b *bed) folder(name string, env ...string) *folder {
	f := &folder{bed: b, dir: filepath.Join(b.dir, "work", name)}
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "TF_") && !strings.HasPrefix(entry, "RESELLER_") {
			f.env = append(f.env, entry)
		}
	}
	f.env = append(f.env, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1", "TF_CLI_CONFIG_FILE="+b.tfrc)
	f.env = append(f.env, env...)
	return f
}

func (f *folder) write(name, text string) error {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o600)
}

// usage is what a command and everything it started took.
type usage struct {
	out  string
	cpu  time.Duration
	wall time.Duration
	plugin
}

func (f *folder) run(ctx context.Context, args ...string) (usage, error) {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return usage{}, err
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, f.bed.cli, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = f.dir, f.env, &out, &out
	started := time.Now()
	if err := cmd.Start(); err != nil {
		return usage{}, err
	}
	watch := watchPlugin(cmd.Process.Pid)
	err := cmd.Wait()
	u := usage{
		out:  out.String(),
		wall: time.Since(started),
		cpu:  cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), // with what it waited for

		plugin: watch(),
	}
	if err != nil {
		return u, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, u.out)
	}
	return u, nil
}

// emptyPlan runs a plan that must have nothing to do.
func (f *folder) emptyPlan(ctx context.Context) (usage, error) {
	u, err := f.run(ctx, "plan", "-no-color", "-input=false", "-detailed-exitcode", "-lock=false")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 2 {
		return u, fmt.Errorf("the plan is not empty:\n%s", u.out)
	}
	return u, err
}

// settle applies until a plan has nothing to do.
func (f *folder) settle(ctx context.Context) error {
	if _, err := f.run(ctx, "init", "-no-color", "-input=false"); err != nil {
		return err
	}
	if _, err := f.run(ctx, "apply", "-no-color", "-input=false", "-auto-approve"); err != nil {
		return err
	}
	_, err := f.emptyPlan(ctx)
	return err
}

// service is a simulated service over HTTP.
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

func (s *service) env(cacheDir string) []string {
	return []string{"RESELLER_BASE_URL=" + s.server.URL, "RESELLER_UPLOAD_URL=" + s.server.URL + simulator.UploadPrefix, "RESELLER_API_KEY=" + s.sim.APIKey(), "RESELLER_TOKEN_CACHE_DIR=" + cacheDir}
}

// calls counts the requests since the last reset, by route; refused are 429s.
func (s *service) calls() (routes map[string]int, total, refused int) {
	routes = map[string]int{}
	for _, c := range s.sim.Journal() {
		routes[c.Route]++
		total++
		if c.Status == 429 {
			refused++
		}
	}
	return routes, total, refused
}

// labels is a folder whose state has the first n seeded labels of a service.
func (b *bed) labels(ctx context.Context, name string, s *service, n int) (*folder, error) {
	f := b.folder(name, s.env(filepath.Join(b.dir, "cache", name))...)
	if err := f.write("main.tf", fmt.Sprintf(`
terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

resource "reseller_private_label" "client" {
  count    = %d
  domain   = format("sign.client-%%04d.example", count.index + 1)
  app_name = "Client ${count.index + 1}"
  owner = {
    email      = format("person-1@client-%%04d.example", count.index + 1)
    first_name = "Person 1"
    last_name  = "of Client ${count.index + 1}"
  }
}
`, n)); err != nil {
		return nil, err
	}
	var imports strings.Builder
	for i := range n {
		fmt.Fprintf(&imports, "import {\n  to = reseller_private_label.client[%d]\n  id = \"sign.client-%04d.example\"\n}\n", i, i+1)
	}
	if err := f.write("imports.tf", imports.String()); err != nil {
		return nil, err
	}
	if err := f.settle(ctx); err != nil {
		return nil, err
	}
	// The imports are done; a configuration in use has none.
	return f, os.Remove(filepath.Join(f.dir, "imports.tf"))
}

// machine names what the figures were measured on.
func machine() string {
	return fmt.Sprintf("%s, %s/%s, %d cores", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}
