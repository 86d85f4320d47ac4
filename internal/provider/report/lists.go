package report

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type apiKeysModel struct {
	APIKeys []apiKeyModel `tfsdk:"api_keys"`
}

type apiKeyModel struct {
	ID         types.String      `tfsdk:"id"`
	LastFour   types.String      `tfsdk:"last_four"`
	Scopes     []types.String    `tfsdk:"scopes"`
	CreatedAt  timetypes.RFC3339 `tfsdk:"created_at"`
	LastUsedAt timetypes.RFC3339 `tfsdk:"last_used_at"`
	RevokedAt  timetypes.RFC3339 `tfsdk:"revoked_at"`
}

var apiKeys = &object.DataSource[apiKeysModel]{
	Type:   "api_keys",
	Schema: apiKeysSchema,
	Read: func(ctx context.Context, s *session.Session, m *apiKeysModel) diag.Diagnostics {
		keys, err := s.Client.ListAPIKeys(ctx)
		if err != nil {
			return diag.Diagnostics{diagnostic.ReadFailure(summaryAPIKeys, "The list of API keys").Diagnostic(err)}
		}
		m.APIKeys = object.Rows(keys, func(k *client.APIKey) apiKeyModel {
			return apiKeyModel{
				ID:         types.StringValue(k.ID),
				LastFour:   types.StringValue(k.LastFour),
				Scopes:     object.Rows(k.Scopes, func(scope *string) types.String { return types.StringValue(*scope) }),
				CreatedAt:  fwtype.TimeValue(k.CreatedAt),
				LastUsedAt: fwtype.TimeValue(k.LastUsedAt),
				RevokedAt:  fwtype.TimeValue(k.RevokedAt),
			}
		})
		return nil
	},
}

type peopleModel struct {
	Query  types.String    `tfsdk:"query"`
	Domain fwtype.HostName `tfsdk:"domain"`
	People []personModel   `tfsdk:"people"`
}

type personModel struct {
	ID        types.String `tfsdk:"id"`
	FirstName types.String `tfsdk:"first_name"`
	LastName  types.String `tfsdk:"last_name"`
	Email     fwtype.Email `tfsdk:"email"`
	Status    types.String `tfsdk:"status"`
	Domain    types.String `tfsdk:"domain"`
}

var people = &object.DataSource[peopleModel]{
	Type:   "people",
	Schema: peopleSchema,
	Read: func(ctx context.Context, s *session.Session, m *peopleModel) (diags diag.Diagnostics) {
		found, err := s.Client.SearchPeople(ctx, m.Query.ValueString(), m.Domain.ValueString())
		if err != nil {
			return diag.Diagnostics{diagnostic.APIFailure{
				Summary:   summarySearch,
				Failed:    "The users could not be searched",
				Unchanged: "Nothing was changed",
				Remedies:  map[string]diagnostic.Remedy{client.CodeUnauthorized: session.NotOurHost},
			}.Diagnostic(err)}
		}
		if len(found) >= client.MaxPeople {
			diags.AddWarning(summaryMatches, moreMatches(len(found)))
		}
		m.People = object.Rows(found, func(p *client.Person) personModel {
			return personModel{
				ID:        types.StringValue(p.ID),
				FirstName: types.StringValue(p.FirstName),
				LastName:  types.StringValue(p.LastName),
				Email:     fwtype.NewText[fwtype.EmailKind](p.Email),
				Status:    types.StringValue(p.Status),
				Domain:    types.StringValue(p.Domain),
			}
		})
		return diags
	},
}

type templatesModel struct {
	PrivateLabelID types.String    `tfsdk:"private_label_id"`
	Templates      []templateModel `tfsdk:"templates"`
}

type templateModel struct {
	ID        types.String      `tfsdk:"id"`
	Title     types.String      `tfsdk:"title"`
	Slug      types.String      `tfsdk:"slug"`
	IsPrivate types.Bool        `tfsdk:"is_private"`
	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
}

var templates = &object.DataSource[templatesModel]{
	Type:   "templates",
	Schema: templatesSchema,
	Read: func(ctx context.Context, s *session.Session, m *templatesModel) diag.Diagnostics {
		label := m.PrivateLabelID.ValueString()
		found, err := s.Client.ListTemplates(ctx, label)
		if err != nil {
			return diag.Diagnostics{s.NotOfLabel(ctx, summaryTemplates, label, "The list of templates of "+s.HostOf(ctx, label), err)}
		}
		m.Templates = object.Rows(found, func(t *client.Template) templateModel {
			return templateModel{
				ID:        types.StringValue(t.ID),
				Title:     types.StringValue(t.Title),
				Slug:      types.StringValue(t.Slug),
				IsPrivate: types.BoolValue(t.IsPrivate),
				CreatedAt: fwtype.TimeValue(t.CreatedAt),
			}
		})
		return nil
	},
}
