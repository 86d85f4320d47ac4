package command

import (
	"path/filepath"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// OpenSimulator connects the provider to the simulator with a data file; neither imports the other. Every process of a
// run opens the file and shares it with the others.
func OpenSimulator(path string) (*provider.Simulator, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	sim, err := simulator.New(simulator.Options{File: path, DNSDelay: simulator.DefaultDNSDelay})
	if err != nil {
		return nil, err
	}
	return &provider.Simulator{
		BaseURL:       simulator.BaseURL,
		UploadURL:     simulator.UploadURL,
		APIKey:        sim.APIKey(),
		SigningURL:    simulator.SigningURL,
		SigningAPIKey: sim.SigningAPIKey(),
		Transport:     sim.Transport(),
		Clock:         sim.Clock(),
		// Beside the data file, because the tokens are valid for this data only.
		TokenCacheDir: path + ".tokens",
		Slug:          sim.Slug(),
	}, nil
}
