package report

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type peopleDataSource struct {
	session.DataSourceBase
}

var _ datasource.DataSourceWithConfigure = (*peopleDataSource)(nil)

func NewPeopleDataSource() datasource.DataSource { return &peopleDataSource{} }

type peopleDataModel struct {
	Query  types.String      `tfsdk:"query"`
	Domain fwtype.HostName   `tfsdk:"domain"`
	People []personDataModel `tfsdk:"people"`
}

type personDataModel struct {
	ID        types.String                       `tfsdk:"id"`
	FirstName types.String                       `tfsdk:"first_name"`
	LastName  types.String                       `tfsdk:"last_name"`
	Email     fwtype.TextValue[fwtype.EmailKind] `tfsdk:"email"`
	Status    types.String                       `tfsdk:"status"`
	Domain    types.String                       `tfsdk:"domain"`
}

func (m *peopleDataModel) fromAPI(people []client.Person) {
	m.People = make([]personDataModel, 0, len(people))
	for _, p := range people {
		m.People = append(m.People, personDataModel{
			ID:        types.StringValue(p.ID),
			FirstName: types.StringValue(p.FirstName),
			LastName:  types.StringValue(p.LastName),
			Email:     fwtype.NewText[fwtype.EmailKind](p.Email),
			Status:    types.StringValue(p.Status),
			Domain:    types.StringValue(p.Domain),
		})
	}
}

func (d *peopleDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_people"
}

func (d *peopleDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m peopleDataModel
	if !d.Begin(ctx, req.Config, &m, &resp.Diagnostics) {
		return
	}
	people, err := d.Client.SearchPeople(ctx, m.Query.ValueString(), m.Domain.ValueString())
	if err != nil {
		resp.Diagnostics.Append(diagnostic.APIFailure{
			Summary:   summarySearch,
			Failed:    "The users could not be searched",
			Unchanged: "Nothing was changed",
			Remedies:  map[string]diagnostic.Remedy{client.CodeUnauthorized: session.NotOurHost},
		}.Diagnostic(err))
		return
	}
	if len(people) >= client.MaxPeople {
		resp.Diagnostics.AddWarning(summaryMatches, moreMatches(len(people)))
	}
	m.fromAPI(people)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
