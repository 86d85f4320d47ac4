package report

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type apiKeysModel struct {
	APIKeys []apiKeyModel `tfsdk:"api_keys"`
}

type apiKeyModel struct {
	ID         string            `tfsdk:"id"`
	LastFour   string            `tfsdk:"last_four"`
	Scopes     []string          `tfsdk:"scopes"`
	CreatedAt  timetypes.RFC3339 `tfsdk:"created_at"`
	LastUsedAt timetypes.RFC3339 `tfsdk:"last_used_at"`
	RevokedAt  timetypes.RFC3339 `tfsdk:"revoked_at"`
}

var apiKeys = &registration.DataSource[apiKeysModel]{
	Type:   "api_keys",
	Schema: apiKeysSchema,
	Read: func(ctx context.Context, s *session.Session, m *apiKeysModel) diag.Diagnostics {
		keys, err := s.Client.ListAPIKeys(ctx)
		if err != nil {
			return diag.Diagnostics{diagnostic.ReadFailure(summaryAPIKeys, "The list of API keys").Diagnostic(err)}
		}
		m.APIKeys = registration.Rows(keys, func(k *client.APIKey) apiKeyModel {
			return apiKeyModel{
				k.ID, k.LastFour, append([]string{}, k.Scopes...), // empty, not null
				fwtype.TimeValue(k.CreatedAt), fwtype.TimeValue(k.LastUsedAt), fwtype.TimeValue(k.RevokedAt),
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
	ID        string `tfsdk:"id"`
	FirstName string `tfsdk:"first_name"`
	LastName  string `tfsdk:"last_name"`
	Email     string `tfsdk:"email"`
	Status    string `tfsdk:"status"`
	Domain    string `tfsdk:"domain"`
}

var people = &registration.DataSource[peopleModel]{
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
		m.People = registration.Rows(found, func(p *client.Person) personModel { return personModel(*p) })
		return diags
	},
}

type templatesModel struct {
	PrivateLabelID types.String    `tfsdk:"private_label_id"`
	Templates      []templateModel `tfsdk:"templates"`
}

type templateModel struct {
	ID        string            `tfsdk:"id"`
	Title     string            `tfsdk:"title"`
	Slug      string            `tfsdk:"slug"`
	IsPrivate bool              `tfsdk:"is_private"`
	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
}

var templates = &registration.DataSource[templatesModel]{
	Type:   "templates",
	Schema: templatesSchema,
	Read: func(ctx context.Context, s *session.Session, m *templatesModel) diag.Diagnostics {
		label := m.PrivateLabelID.ValueString()
		found, err := s.Client.ListTemplates(ctx, label)
		if err != nil {
			return diag.Diagnostics{s.NotOfLabel(ctx, summaryTemplates, label, "The list of templates of "+s.HostOf(ctx, label), err)}
		}
		m.Templates = registration.Rows(found, func(t *client.Template) templateModel {
			return templateModel{t.ID, t.Title, t.Slug, t.IsPrivate, fwtype.TimeValue(t.CreatedAt)}
		})
		return nil
	},
}
