package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
)

type sentDocumentsDataSource struct {
	forDataSource
}

var _ datasource.DataSourceWithConfigure = (*sentDocumentsDataSource)(nil)

func newSentDocumentsDataSource() datasource.DataSource { return &sentDocumentsDataSource{} }

type sentDocumentsModel struct {
	Domain hostName             `tfsdk:"domain"`
	JSON   jsontypes.Normalized `tfsdk:"json"`
}

func (d *sentDocumentsDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_sent_documents"
}

func (d *sentDocumentsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The documents that the key's user sent from a domain (Signing API §4.2). It views none of them, so that no log entry is written.\n\n" +
			"The service's documents show neither the method of this call nor where the family `signing-api` has it: the provider tries what they allow and goes on with what answers.",
		Attributes: map[string]schema.Attribute{
			"domain": schema.StringAttribute{
				CustomType:          textType[hostKind]{},
				Optional:            true,
				MarkdownDescription: "Domain whose documents are listed, compared without case; left out it is the personal account's. API: `domain`.",
				Validators:          textRules[hostKind](),
			},
			"json": computedJSON("The response's `data` as normalized JSON. The API documentation does not give its shape, so nothing is dropped. The values of `passcode`, `docPassword` and `password` are replaced by `(sensitive)`."),
		},
	}
}

func (d *sentDocumentsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m sentDocumentsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !d.canSign() {
		resp.Diagnostics.Append(d.cannotSign())
		return
	}
	raw, err := d.signing.SentDocuments(ctx, m.Domain.ValueString())
	if err != nil {
		f := readFailure("The list of sent documents")
		f.remedies = signingRemedies(map[string]remedy{
			signing.CodeNoPermission: {path.Root("domain"), "The user of the key may not list documents of this domain."},
			signing.CodeInvalidData:  {path.Root("domain"), "Set a domain of the account, such as the host name of a private label."},
		})
		resp.Diagnostics.Append(f.diagnose(err))
		return
	}
	m.JSON = jsonOrNull(withoutPasscodes(raw))
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
