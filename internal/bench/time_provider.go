package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// hashicorp/time is the leanest provider on the same framework.
const (
	timeModule   = "github.com/hashicorp/terraform-provider-time"
	timeVersion  = "0.14.2"
	timeVariable = "RESELLER_BENCH_TIME_PROVIDER" // names a binary to use instead
	timeInstall  = 3 * time.Minute                // at most
)

// timeProvider is a binary of hashicorp/time, or the reason why there is none.
type timeProvider struct {
	name    string
	binary  string
	missing string
}

// findTimeProvider returns the named binary, else the one that an earlier bench installed, else installs it if allowed.
// If it cannot be installed, the bench continues without it.
func findTimeProvider(ctx context.Context, named string, install bool) (*timeProvider, error) {
	if named != "" {
		if _, err := os.Stat(named); err != nil {
			return nil, fmt.Errorf("%s: %w", timeVariable, err)
		}
		path, err := filepath.Abs(named)
		return &timeProvider{name: "hashicorp/time", binary: path}, err
	}
	found := &timeProvider{name: "hashicorp/time " + timeVersion}
	cache, err := os.UserCacheDir()
	if err != nil {
		found.missing = err.Error()
		return found, nil //nolint:nilerr // the bench continues without it
	}
	dir := filepath.Join(cache, "terraform-provider-reseller", "bench", timeVersion)
	binary := filepath.Join(dir, "terraform-provider-time")
	_, err = os.Stat(binary)
	switch {
	case err == nil:
		found.binary = binary
	case !install:
		found.missing = "it is not installed; run the bench without -check, or set " + timeVariable
	default:
		if err := installTime(ctx, dir); err != nil {
			found.missing = err.Error()
			return found, ctx.Err()
		}
		found.binary = binary
	}
	return found, nil
}

// installTime returns an error of one line.
func installTime(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, timeInstall)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "install", "-trimpath", "-ldflags", "-s -w", timeModule+"@v"+timeVersion)
	cmd.Env = append(os.Environ(), "GOBIN="+dir)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("its installation took more than %s", timeInstall)
	}
	line := lastLine(string(out))
	if line == "" {
		line = err.Error()
	}
	return errors.New("it cannot be installed: " + line)
}

// lastLine returns the last line that is not empty, without a final period.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSuffix(strings.TrimSpace(lines[len(lines)-1]), ".")
}
