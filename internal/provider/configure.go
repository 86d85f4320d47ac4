package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

func (p *resellerProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	set, diags := resolveSettings(ctx, req.Config, p.Getenv)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	s := session.New(set.simulator || set.uploadURL != "", set.unknown)
	if len(set.unknown) == 0 {
		resp.Diagnostics.Append(p.connect(s, set)...)
	}
	p.session.Store(s)
	resp.ResourceData = s
	resp.DataSourceData = s
	resp.EphemeralResourceData = s
	resp.ActionData = s
	resp.ListResourceData = s
}

// connect creates the client without an API call. The first request that needs one makes it.
func (p *resellerProvider) connect(s *session.Session, set settings) diag.Diagnostics {
	var diags diag.Diagnostics
	cfg := client.Config{
		BaseURL:        set.baseURL,
		UploadURL:      set.uploadURL,
		APIKey:         set.apiKey,
		AccessToken:    set.accessToken,
		Slug:           set.slug,
		UserAgent:      "terraform-provider-reseller/" + p.version,
		TokenCacheDir:  tokenCacheDir(set),
		MaxWait:        set.maxWait,
		MaxRetries:     set.maxRetries,
		RequestTimeout: set.requestTimeout,
		Transport:      p.Transport,
		Clock:          p.Clock,
	}
	set.cacheDir = cacheDir(set)
	if set.simulator {
		diags.Append(p.enterSimulator(s, &cfg, &set)...)
		if diags.HasError() {
			return diags
		}
	}
	c, err := client.New(cfg)
	if err != nil {
		diags.AddError(summaryConfigInvalid, "The provider block cannot be used: "+err.Error()+". Nothing was changed.")
		return diags
	}
	s.Client = c
	s.Inventory = inventory.New(c)
	s.ConnectSigning(signing.Config{
		URL: set.signingURL, APIURL: set.signingAPIURL, UserAPIKey: set.signingKey, Family: set.signingFamily, UserAgent: cfg.UserAgent,
		MaxWait: cfg.MaxWait, MaxRetries: cfg.MaxRetries, RequestTimeout: cfg.RequestTimeout, Transport: cfg.Transport, Clock: cfg.Clock,
		Markers: transport.NewOperationMarkers(operationsDirs(set, set.cacheDir, p.Getenv)...),
	}, set.signingUnknown)
	return diags
}

// tokenCacheDir returns "" if tokens are kept in memory.
func tokenCacheDir(set settings) string {
	if set.tokenCache == tokenCacheMemory {
		return ""
	}
	// Without a directory of the user (a bare container), tokens stay in memory.
	return cacheDir(set)
}
