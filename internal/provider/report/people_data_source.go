package report

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
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

func (d *peopleDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A search for users of the reseller's private labels. The API returns at most 50 matches and no second page: with 50 matches, a warning says that there may be more.",
		Attributes: map[string]schema.Attribute{
			"query":  schema.StringAttribute{Optional: true, MarkdownDescription: "Text to find in names and email addresses. Default: all users. API: `query`."},
			"domain": schema.StringAttribute{CustomType: fwtype.TextType[fwtype.HostKind]{}, Optional: true, Validators: fwtype.TextRules[fwtype.HostKind](), MarkdownDescription: "Host name of one private label. Default: all private labels. API: `domain`."},
			"people": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The matches, at most 50. API: `users`.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":         fwtype.ComputedString("User ID, 32 lowercase hex characters."),
					"first_name": fwtype.ComputedString("First name."),
					"last_name":  fwtype.ComputedString("Last name."),
					"email":      schema.StringAttribute{CustomType: fwtype.TextType[fwtype.EmailKind]{}, Computed: true, MarkdownDescription: "Email address."},
					"status":     fwtype.ComputedString("Status of the user, as in the API."),
					"domain":     fwtype.ComputedString("Host name of the user's private label."),
				}},
			},
		},
	}
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
		resp.Diagnostics.AddWarning(summaryMatches,
			fmt.Sprintf("The search returned %d users, the API's maximum without a second page. Set domain or a longer query. The data source reseller_members lists all members of one private label.", len(people)))
	}
	m.fromAPI(people)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
