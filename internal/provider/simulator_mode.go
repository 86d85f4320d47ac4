package provider

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/simulatordata"
)

// ephemeralFile is the data file in the directory of an ephemeral simulator.
const ephemeralFile = "reseller-simulator.json"

// enterSimulator points the clients at the simulator.
func (p *resellerProvider) enterSimulator(s *session.Session, cfg *client.Config, set *settings) diag.Diagnostics {
	var diags diag.Diagnostics
	if p.OpenSimulator == nil {
		diags.AddAttributeError(path.Root("simulator"), summarySimulatorMissing, "This build of the provider has no simulator.")
		return diags
	}
	file, err := p.simulatorFile(set)
	if err != nil {
		diags.AddAttributeError(path.Root("simulator"), summarySimulatorUnavailable, diagnostic.Capitalize(sentence(err))+" Nothing was changed.")
		return diags
	}
	sim, err := p.OpenSimulator(file)
	if err != nil {
		diags.AddAttributeError(path.Root("simulator").AtName("path"), summarySimulatorUnavailable,
			sentence(err)+" Nothing was changed. The file is set by path in simulator or by RESELLER_SIMULATOR, or is the default file of the workspace.")
		return diags
	}
	cfg.BaseURL, cfg.UploadURL = sim.BaseURL, sim.UploadURL
	cfg.APIKey, cfg.AccessToken, cfg.Slug = sim.APIKey, "", ""
	cfg.Transport, cfg.Clock = sim.Transport, sim.Clock
	set.signingURL, set.signingAPIURL, set.signingKey, set.signingUnknown = sim.SigningURL, "", sim.SigningAPIKey, nil
	s.Simulator = session.Simulator{Slug: sim.Slug, File: set.simulatorPath}
	if set.simulatorEphemeral {
		// Configured directories would outlast the simulator.
		set.tokenCacheDir, set.operationsDir = "", filepath.Join(sim.TokenCacheDir, operationsDirName)
	}
	if set.tokenCacheDir == "" {
		set.cacheDir, cfg.TokenCacheDir = sim.TokenCacheDir, ""
		if set.tokenCache == tokenCacheDisk {
			cfg.TokenCacheDir = sim.TokenCacheDir
		}
	}
	diags.AddWarning(summarySimulator, simulatorText(set))
	return diags
}

func simulatorText(set *settings) string {
	const useAPI = "Remove simulator, or unset RESELLER_SIMULATOR, to use the live API."
	if set.simulatorEphemeral {
		return "All API calls go to the simulator, whose data exists for this command only. " + useAPI
	}
	return fmt.Sprintf("All API calls go to the simulator, stored in %s. %s", set.simulatorPath, useAPI)
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
func sentence(err error) string { return strings.TrimSuffix(err.Error(), ".") + "." }

// withoutPath rejects a path together with ephemeral = true. Both must be known: an unknown path may be null.
type withoutPath struct{}

func (withoutPath) Description(context.Context) string { return "conflicts with path" }

func (v withoutPath) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (withoutPath) ValidateBool(ctx context.Context, req validator.BoolRequest, resp *validator.BoolResponse) {
	var file types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, req.Path.ParentPath().AtName("path"), &file)...)
	if !req.ConfigValue.ValueBool() || file.IsNull() || file.IsUnknown() {
		return
	}
	resp.Diagnostics.AddAttributeError(req.Path, diagnostic.SummaryInvalidCombination,
		"ephemeral = true keeps the simulator's data for one command only, so path has no effect. Remove path, or remove ephemeral to keep the data in that file.")
}
