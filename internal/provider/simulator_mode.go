package provider

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/simulatordata"
)

// ephemeralFile is the data file in the directory of an ephemeral simulator.
const ephemeralFile = "reseller-simulator.json"

// enterSimulator points the clients at the simulator.
func (p *resellerProvider) enterSimulator(s *session.Session, set *settings) diag.Diagnostics {
	var diags diag.Diagnostics
	if p.OpenSimulator == nil {
		diags.AddAttributeError(path.Root("simulator"), summarySimulatorMissing, "This build of the provider has no simulator.")
		return diags
	}
	file, err := p.simulatorFile(set)
	if err != nil {
		diags.AddAttributeError(path.Root("simulator"), SummarySimulatorUnavailable, diagnostic.Capitalize(sentence(err)))
		return diags
	}
	sim, err := p.OpenSimulator(file, set.simulatorLike)
	if err != nil {
		diags.AddAttributeError(path.Root("simulator").AtName("path"), SummarySimulatorUnavailable,
			sentence(err)+" The file is set by path in simulator or by RESELLER_SIMULATOR, "+
				"or is the default file of the workspace. A transcript is set by like.")
		return diags
	}
	api, sign := &set.api, &set.sign
	api.BaseURL = sim.BaseURL
	api.UploadURL = sim.UploadURL
	api.APIKey = sim.APIKey
	api.AccessToken = ""
	api.Slug = ""
	api.Transport = sim.Transport
	api.Clock = sim.Clock
	sign.URL = sim.SigningURL
	sign.APIURL = ""
	sign.UserAPIKey = sim.SigningAPIKey
	set.signingUnknown = nil
	s.LookupDNS = sim.LookupDNS
	s.Simulator = session.Simulator{Slug: sim.Slug, File: set.simulatorPath}
	if set.simulatorEphemeral {
		// Configured directories would outlast the simulator.
		set.tokenCacheDir = ""
		set.operationsDir = filepath.Join(sim.TokenCacheDir, operationsDirName)
	}
	if set.tokenCacheDir == "" {
		set.cacheDir = sim.TokenCacheDir
		api.TokenCacheDir = ""
		if set.tokenCache == tokenCacheDisk {
			api.TokenCacheDir = sim.TokenCacheDir
		}
	}
	diags.AddWarning(SummarySimulator, simulatorText(set))
	return diags
}

func simulatorText(set *settings) string {
	if set.simulatorEphemeral {
		return "This run uses the simulator, whose data exists for this command only. No API call leaves this machine."
	}
	return fmt.Sprintf("This run uses the simulator (%s). No API call leaves this machine.", set.simulatorPath)
}

// simulatorFile is the file with the data of the simulator that the settings select.
func (p *resellerProvider) simulatorFile(set *settings) (string, error) {
	if set.simulatorEphemeral {
		dir, err := simulatordata.OfCommand()
		return filepath.Join(dir, ephemeralFile), err
	}
	simulatordata.RemoveEnded()
	if set.simulatorPath != "" {
		return set.simulatorPath, nil
	}
	file, err := simulatordata.OfWorkspace(p.Getenv)
	set.simulatorPath = file
	return file, err
}

// sentence returns an error as text that more text can follow.
func sentence(err error) string {
	return strings.TrimSuffix(err.Error(), ".") + "."
}
