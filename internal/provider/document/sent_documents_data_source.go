package document

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type sentDocumentsDataSource struct {
	session.DataSourceBase
}

var _ datasource.DataSourceWithConfigure = (*sentDocumentsDataSource)(nil)

func NewSentDocumentsDataSource() datasource.DataSource { return &sentDocumentsDataSource{} }

type sentDocumentsModel struct {
	Domain fwtype.HostName      `tfsdk:"domain"`
	JSON   jsontypes.Normalized `tfsdk:"json"`
}

func (d *sentDocumentsDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_sent_documents"
}

func (d *sentDocumentsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var m sentDocumentsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !d.CanSign() {
		resp.Diagnostics.Append(d.CannotSign())
		return
	}
	raw, err := d.Signing.SentDocuments(ctx, m.Domain.ValueString())
	if err != nil {
		f := diagnostic.ReadFailure(summaryListSent, "The list of sent documents")
		f.Remedies = signingRemedies(map[string]diagnostic.Remedy{
			signing.CodeNoPermission: {At: path.Root("domain"), Advice: "The API key's user may not list documents of this domain."},
			signing.CodeInvalidData:  {At: path.Root("domain"), Advice: "Set a domain of the account, such as the host name of a private label."},
		})
		resp.Diagnostics.Append(f.Diagnostic(err))
		return
	}
	m.JSON = jsonOrNull(withoutPasscodes(raw))
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
