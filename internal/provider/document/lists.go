package document

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

type sentDocumentsModel struct {
	Domain fwtype.HostName      `tfsdk:"domain"`
	JSON   jsontypes.Normalized `tfsdk:"json"`
}

var sentDocuments = &object.DataSource[sentDocumentsModel]{
	Type:   "sent_documents",
	Schema: sentDocumentsSchema,
	Signs:  true,
	Read: func(ctx context.Context, s *session.Session, m *sentDocumentsModel) diag.Diagnostics {
		raw, err := s.Signing.SentDocuments(ctx, m.Domain.ValueString())
		if err != nil {
			return readFailed(err, summaryListSent, "The list of sent documents", map[string]diagnostic.Remedy{
				signing.CodeNoPermission: {At: path.Root("domain"), Advice: "The API key's user may not list documents of this domain."},
				signing.CodeInvalidData:  {At: path.Root("domain"), Advice: "Set a domain of the account, such as the host name of a private label."},
			})
		}
		m.JSON = jsonOrNull(withoutPasscodes(raw))
		return nil
	},
}

type signaturesModel struct {
	Signatures []signatureModel `tfsdk:"signatures"`
}

type signatureModel struct {
	ID   types.String         `tfsdk:"id"`
	JSON jsontypes.Normalized `tfsdk:"json"`
}

var signatures = &object.DataSource[signaturesModel]{
	Type:   "signatures",
	Schema: signaturesSchema,
	Signs:  true,
	Read: func(ctx context.Context, s *session.Session, m *signaturesModel) diag.Diagnostics {
		list, err := s.Signing.SignatureList(ctx)
		if err != nil {
			return readFailed(err, summaryListSignatures, "The list of signatures", nil)
		}
		m.Signatures = object.Rows(list, func(s *signing.Signature) signatureModel {
			return signatureModel{types.StringValue(s.ID), jsonOrNull(withoutPasscodes(s.Raw))}
		})
		return nil
	},
}
