// Terraform provider reseller: serves the provider, or the simulated service.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const address = "registry.terraform.io/privatelabels/reseller"

// version is set by the release build.
var version = "dev"

func main() {
	if len(os.Args) > 1 && os.Args[1] == "simulate" {
		os.Exit(simulate(os.Args[2:]))
	}
	debug := flag.Bool("debug", false, "serve for a debugger to attach to")
	flag.Parse()
	quietSDK(os.LookupEnv, os.Environ(), os.Setenv)
	tuneMemory(os.Getenv)
	err := providerserver.Serve(context.Background(), provider.New(version, provider.WithSandbox(openSandbox)), providerserver.ServeOpts{
		Address: address,
		Debug:   *debug,
	})
	if err != nil {
		log.Fatal(err)
	}
}

func simulate(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return simulator.Main(ctx, args, os.Stdout, os.Stderr)
}

// openSandbox joins the provider to the simulated service, which know nothing
// of each other.
func openSandbox(path string) (*provider.Sandbox, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	s, err := simulator.New(simulator.Options{File: path, DNSDelay: simulator.SandboxDNSDelay})
	if err != nil {
		return nil, err
	}
	return &provider.Sandbox{
		BaseURL:       simulator.BaseURL,
		UploadURL:     simulator.UploadURL,
		APIKey:        s.APIKey(),
		SigningURL:    simulator.SigningURL,
		SigningAPIKey: s.SigningAPIKey(),
		Transport:     s.Transport(),
		Clock:         s.Clock(),
		TokenCacheDir: path + ".tokens",
	}, nil
}
