package document

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// documentDataModel is a viewed document (§2.6).
type documentDataModel struct {
	DocID                  types.String            `tfsdk:"doc_id"`
	Domain                 fwtype.HostName         `tfsdk:"domain"`
	Document               *viewedDocumentModel    `tfsdk:"document"`
	Recipients             []recipientModel        `tfsdk:"recipients"`
	Annotations            []viewedAnnotationModel `tfsdk:"annotations"`
	Logs                   []logEntryModel         `tfsdk:"logs"`
	DomainOwners           []domainOwnerModel      `tfsdk:"domain_owners"`
	OwnerShareReferralCode types.String            `tfsdk:"owner_share_referral_code"`
}

type viewedDocumentModel struct {
	ID                  types.String      `tfsdk:"id"`
	Title               types.String      `tfsdk:"title"`
	OwnerID             types.String      `tfsdk:"owner_id"`
	Domain              types.String      `tfsdk:"domain"`
	CreatedAt           timetypes.RFC3339 `tfsdk:"created_at"`
	UpdatedAt           timetypes.RFC3339 `tfsdk:"updated_at"`
	IsDocumentEncrypted types.Bool        `tfsdk:"is_document_encrypted"`
	FirstName           types.String      `tfsdk:"first_name"`
	LastName            types.String      `tfsdk:"last_name"`
	Email               types.String      `tfsdk:"email"`
	DueDate             types.String      `tfsdk:"due_date"`
	OwnerTrustScore     types.Float64     `tfsdk:"owner_trust_score"`
	AdditionalMsg       types.String      `tfsdk:"additional_msg"`
	RequireNotarisation types.Bool        `tfsdk:"require_notarisation"`
	NotarisationStatus  types.String      `tfsdk:"notarisation_status"`
	TransactionHash     types.String      `tfsdk:"transaction_hash"`
	MerkleRoot          types.String      `tfsdk:"merkle_root"`
	NotarisationTime    timetypes.RFC3339 `tfsdk:"notarisation_time_stamp"`
	Passcode            types.String      `tfsdk:"passcode"`
	Checksum            types.String      `tfsdk:"checksum"`
	NotarisationNetwork types.String      `tfsdk:"notarisation_network"`
	PaymentMethod       types.String      `tfsdk:"payment_method"`
	TemplateID          types.String      `tfsdk:"template_id"`
	verificationModel
}

type verificationModel struct {
	VerifyIDCheck     types.Bool `tfsdk:"verify_id_check"`
	VerifyGovID       types.Bool `tfsdk:"verify_gov_id"`
	VerifyMobilePhone types.Bool `tfsdk:"verify_mobile_phone"`
	VerifyPayment     types.Bool `tfsdk:"verify_payment"`
	VerifyWallet      types.Bool `tfsdk:"verify_wallet"`
}

type recipientModel struct {
	UserID     types.String  `tfsdk:"user_id"`
	FirstName  types.String  `tfsdk:"first_name"`
	LastName   types.String  `tfsdk:"last_name"`
	SignOrder  types.Float64 `tfsdk:"sign_order"`
	TrustScore types.Float64 `tfsdk:"trust_score"`
	Status     types.String  `tfsdk:"status"`
	Email      types.String  `tfsdk:"email"`
	Role       types.String  `tfsdk:"role"`
	verificationModel
}

type viewedAnnotationModel struct {
	ID         types.String        `tfsdk:"id"`
	Type       annotationTypeModel `tfsdk:"type"`
	IsVerified types.Bool          `tfsdk:"is_verified"`
	Content    types.String        `tfsdk:"content"`
	Width      types.Float64       `tfsdk:"width"`
	Height     types.Float64       `tfsdk:"height"`
	X          types.Float64       `tfsdk:"x"`
	Y          types.Float64       `tfsdk:"y"`
	Page       types.Float64       `tfsdk:"page"`
	FontSize   types.String        `tfsdk:"font_size"`
	UserID     types.String        `tfsdk:"user_id"`
	DocID      types.String        `tfsdk:"doc_id"`
	Email      types.String        `tfsdk:"email"`
}

type annotationTypeModel struct {
	Type     types.String `tfsdk:"type"`
	FilePath types.String `tfsdk:"file_path"`
}

type logEntryModel struct {
	UserID         types.String      `tfsdk:"user_id"`
	Action         types.String      `tfsdk:"action"`
	CreatedAt      timetypes.RFC3339 `tfsdk:"created_at"`
	IPAddr         types.String      `tfsdk:"ip_addr"`
	CredentialName types.String      `tfsdk:"credential_name"`
}

type domainOwnerModel struct {
	JSON jsontypes.Normalized `tfsdk:"json"`
}

func (m *documentDataModel) fill(v *signing.View) (err error) {
	m.Document = viewedDocument(&v.Document)
	m.Recipients = object.Rows(v.Recipients, func(r *signing.Recipient) recipientModel {
		return recipientModel{
			UserID: types.StringValue(r.UserID), FirstName: types.StringValue(r.FirstName), LastName: types.StringValue(r.LastName),
			SignOrder: types.Float64Value(r.SignOrder), TrustScore: types.Float64Value(r.TrustScore), Status: types.StringValue(r.Status),
			Email: types.StringValue(r.Email), Role: types.StringPointerValue(r.Role), verificationModel: verification(r.IdentityVerification),
		}
	})
	m.Annotations = object.Rows(v.Annotations, func(a *signing.ViewedAnnotation) viewedAnnotationModel {
		return viewedAnnotationModel{
			ID: types.StringValue(a.ID), Type: annotationTypeModel{types.StringValue(a.Type.Type), types.StringValue(a.Type.FilePath)},
			IsVerified: types.BoolValue(a.IsVerified), Content: types.StringValue(a.Content),
			Width: types.Float64Value(a.Width), Height: types.Float64Value(a.Height), X: types.Float64Value(a.X), Y: types.Float64Value(a.Y),
			Page: types.Float64Value(a.Page), FontSize: types.StringValue(a.FontSize),
			UserID: types.StringValue(a.UserID), DocID: types.StringValue(a.DocID), Email: types.StringValue(a.Email),
		}
	})
	m.Logs = object.Rows(v.Logs, func(l *signing.LogEntry) logEntryModel {
		return logEntryModel{
			UserID: types.StringValue(l.UserID), Action: types.StringValue(l.Action), CreatedAt: fwtype.TimeValue(&l.CreatedAt),
			IPAddr: types.StringValue(l.IPAddr), CredentialName: types.StringPointerValue(l.CredentialName),
		}
	})
	m.OwnerShareReferralCode = types.StringValue(v.OwnerShareReferralCode)
	m.DomainOwners = object.Rows(v.DomainOwners, func(raw *json.RawMessage) domainOwnerModel {
		text, bad := fwtype.NormalizedJSON(*raw)
		err = cmp.Or(err, bad)
		return domainOwnerModel{text}
	})
	return err
}

func viewedDocument(d *signing.Document) *viewedDocumentModel {
	return &viewedDocumentModel{
		ID: types.StringValue(d.ID), Title: types.StringValue(d.Title), OwnerID: types.StringValue(d.OwnerID), Domain: types.StringValue(d.Domain),
		CreatedAt: fwtype.TimeValue(&d.CreatedAt), UpdatedAt: fwtype.TimeValue(&d.UpdatedAt), IsDocumentEncrypted: types.BoolValue(d.IsDocumentEncrypted),
		FirstName: types.StringValue(d.FirstName), LastName: types.StringValue(d.LastName), Email: types.StringValue(d.Email),
		DueDate: scalarValue(d.DueDate), OwnerTrustScore: types.Float64Value(d.OwnerTrustScore), AdditionalMsg: types.StringPointerValue(d.AdditionalMsg),
		RequireNotarisation: types.BoolValue(d.RequireNotarisation), NotarisationStatus: types.StringPointerValue(d.NotarisationStatus),
		TransactionHash: types.StringPointerValue(d.TransactionHash), MerkleRoot: types.StringPointerValue(d.MerkleRoot),
		NotarisationTime: fwtype.TimeValue(d.NotarisationTime), Passcode: scalarValue(d.Passcode), Checksum: types.StringValue(d.Checksum),
		NotarisationNetwork: types.StringPointerValue(d.NotarisationNetwork), PaymentMethod: types.StringPointerValue(d.PaymentMethod),
		TemplateID: types.StringPointerValue(d.TemplateID), verificationModel: verification(d.IdentityVerification),
	}
}

func verification(v signing.IdentityVerification) verificationModel {
	return verificationModel{
		VerifyIDCheck: types.BoolValue(v.VerifyIDCheck), VerifyGovID: types.BoolValue(v.VerifyGovID), VerifyMobilePhone: types.BoolValue(v.VerifyMobilePhone),
		VerifyPayment: types.BoolValue(v.VerifyPayment), VerifyWallet: types.BoolValue(v.VerifyWallet),
	}
}

// scalarValue is the text of a value whose JSON type is not documented.
func scalarValue(s *client.Scalar) types.String {
	if s == nil {
		return types.StringNull()
	}
	return types.StringValue(string(*s))
}

var viewed = &object.DataSource[documentDataModel]{
	Type:   "document",
	Schema: viewedSchema,
	Signs:  true,
	Read: func(ctx context.Context, s *session.Session, m *documentDataModel) (diags diag.Diagnostics) {
		id := m.DocID.ValueString()
		view, err := s.Signing.View(ctx, id, m.Domain.ValueString())
		if err != nil {
			return readFailed(err, summaryRead, "Document "+id, map[string]diagnostic.Remedy{
				signing.CodeInvalidDocID: {At: path.Root("doc_id"), Advice: "No document has this ID. Set doc_id = reseller_document.NAME.id, or check the ID."},
				signing.CodeNoPermission: {At: path.Root("domain"), Advice: "The API key's user may not view this document on this domain."},
			})
		}
		diags.AddWarning(summaryLogEntry, addsLogEntry(id, view.Document.Title))
		if err := m.fill(&view); err != nil {
			diags.AddError(summaryRead, fmt.Sprintf("Document %s could not be read: %s. Nothing was changed.", id, err))
		}
		return diags
	},
}

func readFailed(err error, summary, name string, remedies map[string]diagnostic.Remedy) diag.Diagnostics {
	f := diagnostic.ReadFailure(summary, name)
	f.Remedies = signingRemedies(remedies)
	return diag.Diagnostics{f.Diagnostic(err)}
}
