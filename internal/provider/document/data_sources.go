package document

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// documentDataModel is a viewed document (§2.6).
type documentDataModel struct {
	DocID  string       `tfsdk:"doc_id"`
	Domain types.String `tfsdk:"domain"`
}

var viewed = &registration.DataSource[documentDataModel]{
	Type:   "document",
	Schema: viewedSchema,
	Signs:  true,
	Read: func(ctx context.Context, s *session.Session, m *documentDataModel) (read any, diags diag.Diagnostics) {
		view, err := s.Signing.View(ctx, m.DocID, m.Domain.ValueString())
		if err != nil {
			return nil, readFailed(err, summaryRead, "Document "+m.DocID, map[string]diagnostic.Remedy{
				signing.CodeInvalidDocID: at("doc_id"), signing.CodeNoPermission: at("domain"),
			})
		}
		diags.AddWarning(SummaryLogEntry, addsLogEntry(m.DocID, view.Document.Title))
		return view, diags
	},
}

func readFailed(err error, summary, name string, remedies map[string]diagnostic.Remedy) diag.Diagnostics {
	return diag.Diagnostics{diagnostic.APIFailure{Summary: summary, Failed: name + " could not be read", Remedies: remedies}.Diagnostic(err)}
}

type sentDocumentsModel struct {
	Domain types.String         `tfsdk:"domain"`
	JSON   jsontypes.Normalized `tfsdk:"json"`
}

var sentDocuments = &registration.DataSource[sentDocumentsModel]{
	Type:   "sent_documents",
	Schema: sentDocumentsSchema,
	Signs:  true,
	Read: func(ctx context.Context, s *session.Session, m *sentDocumentsModel) (any, diag.Diagnostics) {
		raw, err := s.Signing.SentDocuments(ctx, m.Domain.ValueString())
		if err != nil {
			return nil, readFailed(err, summaryListSent, "The list of sent documents", map[string]diagnostic.Remedy{
				signing.CodeNoPermission: at("domain"), signing.CodeInvalidData: at("domain"),
			})
		}
		m.JSON = withoutPasscodes(raw)
		return nil, nil
	},
}

type signaturesModel struct {
	Signatures []signatureModel `tfsdk:"signatures"`
}

type signatureModel struct {
	ID   types.String         `tfsdk:"id"`
	JSON jsontypes.Normalized `tfsdk:"json"`
}

var signatures = &registration.DataSource[signaturesModel]{
	Type:   "signatures",
	Schema: signaturesSchema,
	Signs:  true,
	Read: func(ctx context.Context, s *session.Session, m *signaturesModel) (any, diag.Diagnostics) {
		list, err := s.Signing.SignatureList(ctx)
		if err != nil {
			return nil, readFailed(err, summaryListSignatures, "The list of signatures", nil)
		}
		m.Signatures = slice.Map(list, func(s signing.Signature) signatureModel {
			return signatureModel{fwtype.TextOrNull(s.ID), withoutPasscodes(s.Raw)}
		})
		return nil, nil
	},
}

// passcodeFields are those of the Signing API that open a document, in lower case
// (Signing API §2.6, §4.3).
var passcodeFields = []string{"passcode", "docpassword", "password"}

// withoutPasscodes replaces the passcodes in JSON of the client, which has checked it. The attribute as a whole is not
// sensitive, because for_each over sent documents and outputs would then be errors.
func withoutPasscodes(raw json.RawMessage) jsontypes.Normalized {
	plain, _ := anyjson.Decode(raw)
	blankPasscodes(plain)
	text, _ := fwtype.NormalizedJSON(plain)
	return text
}

// blankPasscodes leaves null, which means none.
func blankPasscodes(plain any) {
	switch p := plain.(type) {
	case []any:
		for _, element := range p {
			blankPasscodes(element)
		}
	case map[string]any:
		for name, value := range p {
			bare := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
			if slices.Contains(passcodeFields, bare) && value != nil {
				p[name] = "(sensitive)"
			}
			blankPasscodes(value)
		}
	}
}
