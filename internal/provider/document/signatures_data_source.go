package document

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type signaturesDataSource struct {
	session.DataSourceBase
}

var _ datasource.DataSourceWithConfigure = (*signaturesDataSource)(nil)

func NewSignaturesDataSource() datasource.DataSource { return &signaturesDataSource{} }

type signaturesModel struct {
	Signatures []signatureModel `tfsdk:"signatures"`
}

type signatureModel struct {
	ID   types.String         `tfsdk:"id"`
	JSON jsontypes.Normalized `tfsdk:"json"`
}

func (m *signaturesModel) fromAPI(signatures []signing.Signature) {
	m.Signatures = make([]signatureModel, 0, len(signatures))
	for _, s := range signatures {
		m.Signatures = append(m.Signatures, signatureModel{types.StringValue(s.ID), jsonOrNull(withoutPasscodes(s.Raw))})
	}
}

func (d *signaturesDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_signatures"
}

func (d *signaturesDataSource) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	if !d.CanSign() {
		resp.Diagnostics.Append(d.CannotSign())
		return
	}
	signatures, err := d.Signing.SignatureList(ctx)
	if err != nil {
		f := diagnostic.ReadFailure(summaryListSignatures, "The list of signatures")
		f.Remedies = signingRemedies(nil)
		resp.Diagnostics.Append(f.Diagnostic(err))
		return
	}
	var m signaturesModel
	m.fromAPI(signatures)
	resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
}
