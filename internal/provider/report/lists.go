package report

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

var apiKeys = &registration.DataSource[struct{}]{
	Type:   "api_keys",
	Schema: apiKeysSchema,
	Read: func(ctx context.Context, s *session.Session, _ *struct{}) (any, diag.Diagnostics) {
		keys, err := s.Client.ListAPIKeys(ctx)
		if err != nil {
			return nil, diagnostic.ReadFailure(summaryAPIKeys, "The list of API keys", err)
		}
		return map[string]any{"apiKeys": keys}, nil
	},
}

type peopleModel struct {
	Query  types.String    `tfsdk:"query"`
	Domain fwtype.HostName `tfsdk:"domain"`
}

var people = &registration.DataSource[peopleModel]{
	Type:   "people",
	Schema: peopleSchema,
	Read: func(ctx context.Context, s *session.Session, m *peopleModel) (read any, diags diag.Diagnostics) {
		found, err := s.Client.SearchPeople(ctx, m.Query.ValueString(), m.Domain.ValueString())
		if err != nil {
			return nil, diag.Diagnostics{diagnostic.APIFailure{
				Summary:  summarySearch,
				Failed:   "The users could not be searched",
				Remedies: map[string]diagnostic.Remedy{client.CodeUnauthorized: session.NotOurHost},
			}.Diagnostic(err)}
		}
		if len(found) >= client.MaxPeople {
			diags.AddWarning(SummaryMatches, moreMatches(len(found)))
		}
		return map[string]any{"people": found}, diags
	},
}

type templatesModel struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
}

var templates = &registration.DataSource[templatesModel]{
	Type:   "templates",
	Schema: templatesSchema,
	Read: func(ctx context.Context, s *session.Session, m *templatesModel) (any, diag.Diagnostics) {
		label := m.PrivateLabelID.ValueString()
		found, err := s.Client.ListTemplates(ctx, label)
		if err != nil {
			return nil, s.NotOfLabel(ctx, summaryTemplates, label, "The list of templates of "+s.HostOf(ctx, label), err)
		}
		return map[string]any{"templates": found}, nil
	},
}
