package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func (e *accessTokenEphemeral) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The provider's access token, for another provider or a provisioner that calls the Reseller API. It is stored neither in state nor in a plan. It comes from the provider's cache, so it needs no token exchange while the cached token is valid. It is valid for at most one hour.",
		Attributes: map[string]schema.Attribute{
			"access_token": schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: "Bearer token. API: `access_token`."},
			"expires_at":   schema.StringAttribute{CustomType: timetypes.RFC3339Type{}, Computed: true, MarkdownDescription: "When the access token expires (RFC 3339, UTC); null if it was set in the provider configuration. API: `expires_in`."},
			"scopes":       schema.ListAttribute{ElementType: types.StringType, Computed: true, MarkdownDescription: "Scopes of the access token; empty if it was set in the provider configuration. API: `scope`."},
		},
	}
}
