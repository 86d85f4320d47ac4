package main

import (
	"path/filepath"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// openSandbox joins the provider to the simulator whose data is kept
// in a file: they know nothing of each other. Every process of a run opens the
// file again and shares it with the others.
func openSandbox(path string) (*provider.Sandbox, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	sim, err := simulator.New(simulator.Options{File: path, DNSDelay: simulator.SandboxDNSDelay})
	if err != nil {
		return nil, err
	}
	return &provider.Sandbox{
		BaseURL:       simulator.BaseURL,
		UploadURL:     simulator.UploadURL,
		APIKey:        sim.APIKey(),
		SigningURL:    simulator.SigningURL,
		SigningAPIKey: sim.SigningAPIKey(),
		Transport:     sim.Transport(),
		Clock:         sim.Clock(),
		// Beside the data: the tokens are of this sandbox and no other.
		TokenCacheDir: path + ".tokens",
		Slug:          sim.Slug(),
	}, nil
}
