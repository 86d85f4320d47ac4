package report

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type apiKeysDataSource struct {
	session.DataSourceBase
}

var _ datasource.DataSourceWithConfigure = (*apiKeysDataSource)(nil)

func NewAPIKeysDataSource() datasource.DataSource { return &apiKeysDataSource{} }

type apiKeysDataModel struct {
	APIKeys []apiKeyDataModel `tfsdk:"api_keys"`
}

type apiKeyDataModel struct {
	ID         types.String      `tfsdk:"id"`
	LastFour   types.String      `tfsdk:"last_four"`
	Scopes     []types.String    `tfsdk:"scopes"`
	CreatedAt  timetypes.RFC3339 `tfsdk:"created_at"`
	LastUsedAt timetypes.RFC3339 `tfsdk:"last_used_at"`
	RevokedAt  timetypes.RFC3339 `tfsdk:"revoked_at"`
}

func (m *apiKeysDataModel) fromAPI(keys []client.APIKey) {
	m.APIKeys = make([]apiKeyDataModel, 0, len(keys))
	for _, k := range keys {
		key := apiKeyDataModel{
			ID:         types.StringValue(k.ID),
			LastFour:   types.StringValue(k.LastFour),
			Scopes:     make([]types.String, 0, len(k.Scopes)),
			CreatedAt:  fwtype.TimeValue(k.CreatedAt),
			LastUsedAt: fwtype.TimeValue(k.LastUsedAt),
			RevokedAt:  fwtype.TimeValue(k.RevokedAt),
		}
		for _, scope := range k.Scopes {
			key.Scopes = append(key.Scopes, types.StringValue(scope))
		}
		m.APIKeys = append(m.APIKeys, key)
	}
}

func (d *apiKeysDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_api_keys"
}

func (d *apiKeysDataSource) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	if !d.Ready() {
		resp.Diagnostics.Append(d.NotReady())
		return
	}
	keys, err := d.Client.ListAPIKeys(ctx)
	if err != nil {
		resp.Diagnostics.Append(diagnostic.ReadFailure(summaryAPIKeys, "The list of API keys").Diagnostic(err))
		return
	}
	var m apiKeysDataModel
	m.fromAPI(keys)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
