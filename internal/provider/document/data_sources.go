package document

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// documentDataModel is a viewed document (§2.6).
type documentDataModel struct {
	DocID                  string                  `tfsdk:"doc_id"`
	Domain                 fwtype.HostName         `tfsdk:"domain"`
	Document               *viewedDocumentModel    `tfsdk:"document"`
	Recipients             []recipientModel        `tfsdk:"recipients"`
	Annotations            []viewedAnnotationModel `tfsdk:"annotations"`
	Logs                   []logEntryModel         `tfsdk:"logs"`
	DomainOwners           []domainOwnerModel      `tfsdk:"domain_owners"`
	OwnerShareReferralCode *string                 `tfsdk:"owner_share_referral_code"`
}

type viewedDocumentModel struct {
	ID                  string            `tfsdk:"id"`
	Title               string            `tfsdk:"title"`
	OwnerID             string            `tfsdk:"owner_id"`
	Domain              string            `tfsdk:"domain"`
	CreatedAt           timetypes.RFC3339 `tfsdk:"created_at"`
	UpdatedAt           timetypes.RFC3339 `tfsdk:"updated_at"`
	IsDocumentEncrypted bool              `tfsdk:"is_document_encrypted"`
	FirstName           string            `tfsdk:"first_name"`
	LastName            string            `tfsdk:"last_name"`
	Email               string            `tfsdk:"email"`
	DueDate             *client.Scalar    `tfsdk:"due_date"`
	OwnerTrustScore     float64           `tfsdk:"owner_trust_score"`
	AdditionalMsg       *string           `tfsdk:"additional_msg"`
	RequireNotarisation bool              `tfsdk:"require_notarisation"`
	NotarisationStatus  *string           `tfsdk:"notarisation_status"`
	TransactionHash     *string           `tfsdk:"transaction_hash"`
	MerkleRoot          *string           `tfsdk:"merkle_root"`
	NotarisationTime    timetypes.RFC3339 `tfsdk:"notarisation_time_stamp"`
	Passcode            *client.Scalar    `tfsdk:"passcode"`
	Checksum            string            `tfsdk:"checksum"`
	NotarisationNetwork *string           `tfsdk:"notarisation_network"`
	PaymentMethod       *string           `tfsdk:"payment_method"`
	TemplateID          *string           `tfsdk:"template_id"`
	verificationModel
}

type verificationModel struct {
	VerifyIDCheck     bool `tfsdk:"verify_id_check"`
	VerifyGovID       bool `tfsdk:"verify_gov_id"`
	VerifyMobilePhone bool `tfsdk:"verify_mobile_phone"`
	VerifyPayment     bool `tfsdk:"verify_payment"`
	VerifyWallet      bool `tfsdk:"verify_wallet"`
}

type recipientModel struct {
	UserID     string  `tfsdk:"user_id"`
	FirstName  string  `tfsdk:"first_name"`
	LastName   string  `tfsdk:"last_name"`
	SignOrder  float64 `tfsdk:"sign_order"`
	TrustScore float64 `tfsdk:"trust_score"`
	Status     string  `tfsdk:"status"`
	Email      string  `tfsdk:"email"`
	Role       *string `tfsdk:"role"`
	verificationModel
}

type viewedAnnotationModel struct {
	ID         string              `tfsdk:"id"`
	Type       annotationTypeModel `tfsdk:"type"`
	IsVerified bool                `tfsdk:"is_verified"`
	Content    string              `tfsdk:"content"`
	Width      float64             `tfsdk:"width"`
	Height     float64             `tfsdk:"height"`
	X          float64             `tfsdk:"x"`
	Y          float64             `tfsdk:"y"`
	Page       float64             `tfsdk:"page"`
	FontSize   string              `tfsdk:"font_size"`
	UserID     string              `tfsdk:"user_id"`
	DocID      string              `tfsdk:"doc_id"`
	Email      string              `tfsdk:"email"`
}

type annotationTypeModel struct {
	Type     string `tfsdk:"type"`
	FilePath string `tfsdk:"file_path"`
}

type logEntryModel struct {
	UserID         string            `tfsdk:"user_id"`
	Action         string            `tfsdk:"action"`
	CreatedAt      timetypes.RFC3339 `tfsdk:"created_at"`
	IPAddr         string            `tfsdk:"ip_addr"`
	CredentialName *string           `tfsdk:"credential_name"`
}

type domainOwnerModel struct {
	JSON jsontypes.Normalized `tfsdk:"json"`
}

func (m *documentDataModel) fill(v *signing.View) (err error) {
	d := &v.Document
	m.Document = &viewedDocumentModel{
		ID: d.ID, Title: d.Title, OwnerID: d.OwnerID, Domain: d.Domain,
		CreatedAt: fwtype.TimeValue(&d.CreatedAt), UpdatedAt: fwtype.TimeValue(&d.UpdatedAt), NotarisationTime: fwtype.TimeValue(d.NotarisationTime),
		IsDocumentEncrypted: d.IsDocumentEncrypted, FirstName: d.FirstName, LastName: d.LastName, Email: d.Email, DueDate: d.DueDate,
		OwnerTrustScore: d.OwnerTrustScore, AdditionalMsg: d.AdditionalMsg, RequireNotarisation: d.RequireNotarisation,
		NotarisationStatus: d.NotarisationStatus, TransactionHash: d.TransactionHash, MerkleRoot: d.MerkleRoot,
		Passcode: d.Passcode, Checksum: d.Checksum, NotarisationNetwork: d.NotarisationNetwork,
		PaymentMethod: d.PaymentMethod, TemplateID: d.TemplateID, verificationModel: verificationModel(d.IdentityVerification),
	}
	m.Recipients = registration.Rows(v.Recipients, func(r *signing.Recipient) recipientModel {
		return recipientModel{
			UserID: r.UserID, FirstName: r.FirstName, LastName: r.LastName, SignOrder: r.SignOrder, TrustScore: r.TrustScore,
			Status: r.Status, Email: r.Email, Role: r.Role, verificationModel: verificationModel(r.IdentityVerification),
		}
	})
	m.Annotations = registration.Rows(v.Annotations, func(a *signing.ViewedAnnotation) viewedAnnotationModel {
		return viewedAnnotationModel{
			ID: a.ID, Type: annotationTypeModel(a.Type), IsVerified: a.IsVerified, Content: a.Content,
			Width: a.Width, Height: a.Height, X: a.X, Y: a.Y, Page: a.Page, FontSize: a.FontSize, UserID: a.UserID, DocID: a.DocID, Email: a.Email,
		}
	})
	m.Logs = registration.Rows(v.Logs, func(l *signing.LogEntry) logEntryModel {
		return logEntryModel{l.UserID, l.Action, fwtype.TimeValue(&l.CreatedAt), l.IPAddr, l.CredentialName}
	})
	m.DomainOwners = registration.Rows(v.DomainOwners, func(raw *json.RawMessage) domainOwnerModel {
		text, bad := fwtype.NormalizedJSON(*raw)
		err = cmp.Or(err, bad)
		return domainOwnerModel{text}
	})
	m.OwnerShareReferralCode = &v.OwnerShareReferralCode
	return err
}

var viewed = &registration.DataSource[documentDataModel]{
	Type:   "document",
	Schema: viewedSchema,
	Signs:  true,
	Read: func(ctx context.Context, s *session.Session, m *documentDataModel) (diags diag.Diagnostics) {
		view, err := s.Signing.View(ctx, m.DocID, m.Domain.ValueString())
		if err != nil {
			return readFailed(err, summaryRead, "Document "+m.DocID, map[string]string{
				signing.CodeInvalidDocID: "doc_id", signing.CodeNoPermission: "domain",
			})
		}
		diags.AddWarning(summaryLogEntry, addsLogEntry(m.DocID, view.Document.Title))
		if err := m.fill(&view); err != nil {
			diags.AddError(summaryRead, fmt.Sprintf("Document %s could not be read: %s. Nothing was changed.", m.DocID, err))
		}
		return diags
	},
}

func readFailed(err error, summary, name string, at map[string]string) diag.Diagnostics {
	f := diagnostic.ReadFailure(summary, name)
	f.Remedies = remediesAt(at)
	return diag.Diagnostics{f.Diagnostic(err)}
}

type sentDocumentsModel struct {
	Domain fwtype.HostName      `tfsdk:"domain"`
	JSON   jsontypes.Normalized `tfsdk:"json"`
}

var sentDocuments = &registration.DataSource[sentDocumentsModel]{
	Type:   "sent_documents",
	Schema: sentDocumentsSchema,
	Signs:  true,
	Read: func(ctx context.Context, s *session.Session, m *sentDocumentsModel) diag.Diagnostics {
		raw, err := s.Signing.SentDocuments(ctx, m.Domain.ValueString())
		if err != nil {
			return readFailed(err, summaryListSent, "The list of sent documents", map[string]string{
				signing.CodeNoPermission: "domain", signing.CodeInvalidData: "domain",
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
	ID   string               `tfsdk:"id"`
	JSON jsontypes.Normalized `tfsdk:"json"`
}

var signatures = &registration.DataSource[signaturesModel]{
	Type:   "signatures",
	Schema: signaturesSchema,
	Signs:  true,
	Read: func(ctx context.Context, s *session.Session, m *signaturesModel) diag.Diagnostics {
		list, err := s.Signing.SignatureList(ctx)
		if err != nil {
			return readFailed(err, summaryListSignatures, "The list of signatures", nil)
		}
		m.Signatures = registration.Rows(list, func(s *signing.Signature) signatureModel {
			return signatureModel{s.ID, jsonOrNull(withoutPasscodes(s.Raw))}
		})
		return nil
	},
}

// passcodeFields are those of the Signing API that open a document, in lower case
// (Signing API §2.6, §4.3).
var passcodeFields = []string{"passcode", "docpassword", "password"}

const blanked = "(sensitive)"

// withoutPasscodes replaces the passcodes in normalized JSON. The attribute as a whole is not sensitive, because
// for_each over sent documents and outputs would then be errors.
func withoutPasscodes(raw json.RawMessage) json.RawMessage {
	plain, err := fwtype.DecodeNumbers(raw)
	if err != nil || !blankPasscodes(plain) {
		return raw
	}
	text, err := transport.EncodeJSON(plain)
	if err != nil {
		return nil
	}
	return text
}

// blankPasscodes reports whether there was one. Null means none, and stays.
func blankPasscodes(plain any) (found bool) {
	switch p := plain.(type) {
	case []any:
		for _, element := range p {
			found = blankPasscodes(element) || found
		}
	case map[string]any:
		for name, value := range p {
			if opensDocument(name) && value != nil {
				p[name], found = blanked, true
				continue
			}
			found = blankPasscodes(value) || found
		}
	}
	return found
}

func opensDocument(field string) bool {
	bare := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(field))
	return slices.Contains(passcodeFields, bare)
}
