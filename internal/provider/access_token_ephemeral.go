package provider

import (
	"context"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

var _ provider.ProviderWithEphemeralResources = (*resellerProvider)(nil)

// EphemeralResources returns the resources that are stored neither in state nor in a plan.
func (p *resellerProvider) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{newAccessTokenEphemeral}
}

// accessTokenEphemeral is the access token of the run, shared with other processes through the token cache.
type accessTokenEphemeral struct {
	*session.Session
}

var _ ephemeral.EphemeralResourceWithConfigure = (*accessTokenEphemeral)(nil)

func newAccessTokenEphemeral() ephemeral.EphemeralResource {
	return &accessTokenEphemeral{}
}

type accessTokenModel struct {
	AccessToken types.String      `tfsdk:"access_token"`
	ExpiresAt   timetypes.RFC3339 `tfsdk:"expires_at"`
	Scopes      types.List        `tfsdk:"scopes"`
}

func (e *accessTokenEphemeral) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_access_token"
}

func (e *accessTokenEphemeral) Configure(_ context.Context, req ephemeral.ConfigureRequest, resp *ephemeral.ConfigureResponse) {
	e.Session = session.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

func (e *accessTokenEphemeral) Open(ctx context.Context, _ ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	if !e.Ready() {
		resp.Diagnostics.Append(e.NotReady())
		return
	}
	creds, err := e.Client.AccessToken(ctx)
	if err != nil {
		failure := diagnostic.APIFailure{Summary: SummaryAccessToken, Failed: "No access token was received"}
		resp.Diagnostics.Append(failure.Diagnostic(err))
		return
	}
	m := accessTokenModel{AccessToken: types.StringValue(creds.AccessToken), ExpiresAt: timetypes.NewRFC3339Null()}
	if !creds.ExpiresAt.IsZero() {
		m.ExpiresAt = timetypes.NewRFC3339TimeValue(creds.ExpiresAt.UTC())
	}
	list, diags := types.ListValueFrom(ctx, types.StringType, scopes(creds.Scope))
	resp.Diagnostics.Append(diags...)
	m.Scopes = list
	resp.Diagnostics.Append(resp.Result.Set(ctx, &m)...)
}

// scopes splits a list whose separator the API documentation does not show (§4.1).
func scopes(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;|+", r) })
}

func (e *accessTokenEphemeral) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The provider's access token, for other tools that call the Reseller API. It is in neither plan nor state. " +
			"It is valid for at most one hour. While the provider's cached token is valid, no token exchange is needed.",
		Attributes: map[string]schema.Attribute{
			"access_token": schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: "Bearer token. API: `access_token`."},
			"expires_at": schema.StringAttribute{
				CustomType: timetypes.RFC3339Type{}, Computed: true,
				MarkdownDescription: "When the access token expires (RFC 3339, UTC). Null if you configured the access token. API: `expires_in`.",
			},
			"scopes": schema.ListAttribute{
				ElementType: types.StringType, Computed: true,
				MarkdownDescription: "Scopes of the access token. Empty if you configured the access token. API: `scope`.",
			},
		},
	}
}
