// Command picture takes the picture of the README. It fills a simulator as a reseller's configuration would, opens the
// simulator's page, and saves a screenshot of a headless Chromium. The simulator's clock stands still between calls, so
// that the picture changes only with the page.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// The size of the picture in pixels, and the maximum time to take it.
const (
	width, height = 1280, 1112
	longest       = time.Minute
)

func main() {
	out := flag.String("out", "simulator.png", "where the picture goes")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(out string) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	browser, err := findBrowser()
	if err != nil {
		return err
	}
	sim, err := simulator.New(simulator.Options{
		Clock:    simulator.NewFrozenClock(time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)),
		DNSDelay: simulator.DefaultDNSDelay,
		Slug:     "partner.example",
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.Close()) }()
	if err := fill(ctx, sim); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: sim, ReadHeaderTimeout: longest}
	go func() { _ = server.Serve(listener) }() // ends with Close
	defer func() { err = errors.Join(err, server.Close()) }()
	return screenshot(ctx, browser, "http://"+listener.Addr().String()+"/", out)
}

func findBrowser() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome", "headless_shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium or Chrome on PATH (Debian: apt-get install chromium fonts-dejavu-core)")
}

func screenshot(ctx context.Context, browser, address, out string) (err error) {
	out, err = filepath.Abs(out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	profile, err := os.MkdirTemp("", "picture")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(profile) }() // the browser may still be writing there
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	said, err := exec.CommandContext(ctx, browser,
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
		"--force-color-profile=srgb", "--hide-scrollbars", "--user-data-dir="+profile,
		fmt.Sprintf("--window-size=%d,%d", width, height), "--screenshot="+out, address).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", browser, err, said)
	}
	return nil
}
