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
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/sandbox"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// ephemeralFile is the data file in the directory of an ephemeral sandbox.
const ephemeralFile = "reseller-sandbox.json"

// enterSandbox points the clients at the simulator.
func (p *resellerProvider) enterSandbox(s *session.Session, cfg *client.Config, set *settings) diag.Diagnostics {
	var diags diag.Diagnostics
	if p.openSandbox == nil {
		diags.AddAttributeError(path.Root("sandbox"), summarySandboxMissing, "This build of the provider has no simulator.")
		return diags
	}
	file, err := p.sandboxFile(set)
	if err != nil {
		diags.AddAttributeError(path.Root("sandbox").AtName("ephemeral"), summarySandboxUnavailable, sentence(err)+" Nothing was changed.")
		return diags
	}
	box, err := p.openSandbox(file)
	if err != nil {
		diags.AddAttributeError(path.Root("sandbox").AtName("path"), summarySandboxUnavailable,
			sentence(err)+" Nothing was changed. The file is the one that path in the block sandbox or RESELLER_SANDBOX names, or the default file of the workspace.")
		return diags
	}
	cfg.BaseURL, cfg.UploadURL = box.BaseURL, box.UploadURL
	cfg.APIKey, cfg.AccessToken, cfg.Slug = box.APIKey, "", ""
	cfg.Transport, cfg.Clock = box.Transport, box.Clock
	set.signingURL, set.signingAPIURL, set.signingKey, set.signingUnknown = box.SigningURL, "", box.SigningAPIKey, nil
	s.Sandbox = session.Sandbox{Slug: box.Slug, File: set.sandboxPath}
	if set.sandboxEphemeral {
		// Configured directories would outlast the sandbox.
		set.tokenCacheDir, set.operationsDir = "", filepath.Join(box.TokenCacheDir, operationsDirName)
	}
	if set.tokenCacheDir == "" {
		set.cacheDir, cfg.TokenCacheDir = box.TokenCacheDir, ""
		if set.tokenCache == tokenCacheDisk {
			cfg.TokenCacheDir = box.TokenCacheDir
		}
	}
	diags.AddWarning(summarySandbox, sandboxText(set))
	return diags
}

func sandboxText(set *settings) string {
	const useAPI = "Remove sandbox, or unset RESELLER_SANDBOX, to use the live API."
	if set.sandboxEphemeral {
		return "All API calls go to the simulator, in a sandbox that exists for this command only. " + useAPI
	}
	return fmt.Sprintf("All API calls go to the simulator, stored in %s. %s", set.sandboxPath, useAPI)
}

// sandboxFile is the file with the data of the sandbox that the settings select.
func (p *resellerProvider) sandboxFile(set *settings) (string, error) {
	if !set.sandboxEphemeral {
		sandbox.RemoveEnded()
		return set.sandboxPath, nil
	}
	dir, err := sandbox.OfCommand()
	return filepath.Join(dir, ephemeralFile), err
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
		"ephemeral = true makes a sandbox for one command, which has no file of its own choice. Remove path, or remove ephemeral to keep the data in that file.")
}
