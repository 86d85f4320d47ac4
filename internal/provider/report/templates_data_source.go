package report

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type templatesDataSource struct {
	session.DataSourceBase
}

var _ datasource.DataSourceWithConfigure = (*templatesDataSource)(nil)

func NewTemplatesDataSource() datasource.DataSource { return &templatesDataSource{} }

type templatesDataModel struct {
	PrivateLabelID types.String        `tfsdk:"private_label_id"`
	Templates      []templateDataModel `tfsdk:"templates"`
}

type templateDataModel struct {
	ID        types.String      `tfsdk:"id"`
	Title     types.String      `tfsdk:"title"`
	Slug      types.String      `tfsdk:"slug"`
	IsPrivate types.Bool        `tfsdk:"is_private"`
	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
}

func (m *templatesDataModel) fromAPI(templates []client.Template) {
	m.Templates = make([]templateDataModel, 0, len(templates))
	for _, t := range templates {
		m.Templates = append(m.Templates, templateDataModel{
			ID:        types.StringValue(t.ID),
			Title:     types.StringValue(t.Title),
			Slug:      types.StringValue(t.Slug),
			IsPrivate: types.BoolValue(t.IsPrivate),
			CreatedAt: fwtype.TimeValue(t.CreatedAt),
		})
	}
}

func (d *templatesDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_templates"
}

func (d *templatesDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m templatesDataModel
	if !d.Begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	label := m.PrivateLabelID.ValueString()
	templates, err := d.Client.ListTemplates(ctx, label)
	if err != nil {
		resp.Diagnostics.Append(d.NotOfLabel(ctx, summaryTemplates, label, "The list of templates of "+d.HostOf(ctx, label), err))
		return
	}
	m.fromAPI(templates)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
