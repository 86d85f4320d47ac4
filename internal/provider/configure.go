package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/onetime"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

func (p *resellerProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	set, diags := resolveSettings(ctx, req.Config, p.Getenv)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	s := session.New(set.simulator || set.api.UploadURL != "", set.unknown)
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
	set.cacheDir = cacheDir(set)
	s.LookupDNS = p.LookupDNS
	set.api.UserAgent = p.userAgent()
	set.api.Transport = p.Transport
	set.api.Clock = p.Clock
	if set.tokenCache == tokenCacheDisk {
		set.api.TokenCacheDir = set.cacheDir // without one (a bare container), tokens stay in memory
	}
	if set.simulator {
		diags.Append(p.enterSimulator(s, &set)...)
		if diags.HasError() {
			return diags
		}
	}
	c, err := client.New(set.api)
	if err != nil {
		diags.AddError(summaryConfigInvalid, "The provider block cannot be used: "+err.Error()+".")
		return diags
	}
	s.Client = c
	s.Inventory = inventory.New(c)
	if set.light {
		s.Inventory.LightRefresh()
	}
	set.sign.Settings = set.api.Settings
	set.sign.Markers = onetime.NewMarkers(operationsDirs(set, set.cacheDir, p.Getenv)...)
	s.ConnectSigning(set.sign, set.signingUnknown)
	return diags
}
