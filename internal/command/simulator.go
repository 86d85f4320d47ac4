package command

import (
	"context"
	"path/filepath"

	"github.com/privatelabels/terraform-provider-reseller/internal/dns"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// OpenSimulator connects the provider to the simulator with a data file; neither imports the other. Every process of a
// run opens the file and shares it with the others.
func OpenSimulator(path, transcript string) (*provider.Simulator, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	options := simulator.Options{File: path, DNSDelay: simulator.DefaultDNSDelay}
	if transcript != "" {
		if options.Forms, err = simulator.FormsLike(transcript); err != nil {
			return nil, err
		}
	}
	sim, err := simulator.New(options)
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
		LookupDNS:     LookupIn(sim),
		// Beside the data file, because the tokens are valid for this data only.
		TokenCacheDir: path + ".tokens",
		Slug:          sim.Slug(),
	}, nil
}

// LookupIn returns a lookup that asks a simulator instead of DNS: no query leaves the machine.
func LookupIn(sim *simulator.Simulator) dns.Lookup {
	return func(_ context.Context, host string) dns.Answer {
		var out dns.Answer
		for _, r := range sim.Resolve(host) { //nolint:contextcheck // it waits for the data file, within the store's own bound
			out.Records = append(out.Records, dns.Record(r))
		}
		if len(out.Records) == 0 {
			out.Fault = dns.NotFound
		}
		return out
	}
}
