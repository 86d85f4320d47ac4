package document

import (
	"context"
	"path/filepath"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// documentModel is an upload as it was sent (§2.1).
type documentModel struct {
	Domain              fwtype.HostName `tfsdk:"domain"`
	OwnerEmail          fwtype.Email    `tfsdk:"owner_email"`
	Title               types.String    `tfsdk:"title"`
	FilePath            types.String    `tfsdk:"file_path"`
	Signers             types.List      `tfsdk:"signers"`
	Viewers             types.List      `tfsdk:"viewers"`
	AdditionalMessage   types.String    `tfsdk:"additional_message"`
	RequireNotarisation types.Bool      `tfsdk:"require_notarisation"`
	Passcode            types.String    `tfsdk:"passcode"`
	DueDate             types.String    `tfsdk:"due_date"`

	FileSHA256 types.String `tfsdk:"file_sha256"`

	commonModel
}

type signerModel struct {
	Email       fwtype.Email    `tfsdk:"email"`
	FirstName   types.String    `tfsdk:"first_name"`
	LastName    types.String    `tfsdk:"last_name"`
	SignOrder   types.Int64     `tfsdk:"sign_order"`
	Domain      fwtype.HostName `tfsdk:"domain"`
	Annotations types.List      `tfsdk:"annotations"`
}

type annotationModel struct {
	Type       types.String `tfsdk:"type"`
	Content    types.String `tfsdk:"content"`
	IsVerified types.Bool   `tfsdk:"is_verified"`
	Style      types.Object `tfsdk:"style"`
}

type styleModel struct {
	X        types.Float64 `tfsdk:"x"`
	Y        types.Float64 `tfsdk:"y"`
	Width    types.Float64 `tfsdk:"width"`
	Height   types.Float64 `tfsdk:"height"`
	Page     types.Int64   `tfsdk:"page"`
	FontSize types.String  `tfsdk:"font_size"`
}

type viewerModel struct {
	Email     fwtype.Email `tfsdk:"email"`
	FirstName types.String `tfsdk:"first_name"`
	LastName  types.String `tfsdk:"last_name"`
}

func (m *documentModel) operation() operation {
	return operation{
		name:           quoted("document", m.subject()),
		verb:           "uploaded",
		summary:        summaryUpload,
		summaryUnknown: summaryUploadUnknown,
		unchanged:      "No document was created, and no email was sent",
		remedies:       uploadRemedies,
		reason:         "A document cannot be changed or withdrawn after upload. Another upload would create a second document and email all its signers again.",
		another:        "To send another document, add another resource.",
		typeName:       "reseller_document",
		importID:       "DOCUMENT_ID",
		hidden:         []string{"passcode"},
	}
}

// subject names the document: an imported one has only an ID.
func (m *documentModel) subject() types.String {
	if m.isImported() {
		return m.ID
	}
	return m.Title
}

func (m *documentModel) plannedID() types.String { return types.StringUnknown() }

func (m *documentModel) importAs(string) map[string]attr.Value { return map[string]attr.Value{} }

func (m *documentModel) isImported() bool { return m.Title.IsNull() }

// content omits the passcode, and the path, because the file's content counts.
func (m *documentModel) content() []attr.Value {
	return []attr.Value{m.Domain, m.OwnerEmail, m.Title, m.Signers, m.Viewers, m.AdditionalMessage, m.RequireNotarisation, m.DueDate}
}

func (m *documentModel) files() []sentFile {
	return []sentFile{{SentFile: file.UploadedPDF, path: &m.FilePath, sum: &m.FileSHA256}}
}

func (m *documentModel) send(ctx context.Context, c *signing.Client) (signing.Source, diag.Diagnostics, error) {
	order, diags := m.upload(ctx)
	if diags.HasError() {
		return 0, nil, diagnostic.AsError(diags)
	}
	id, source, err := c.Upload(ctx, order)
	m.ID = types.StringValue(id)
	return source, nil, err
}

// confirm needs no file: the state has its hash.
func (m *documentModel) confirm(ctx context.Context, c *signing.Client, imported bool) {
	if order, diags := m.upload(ctx); !diags.HasError() {
		c.UploadSaved(ctx, order, m.FileSHA256.ValueString(), m.ID.ValueString(), imported)
	}
}

// upload is the request (§4.1). Null values are omitted.
func (m *documentModel) upload(ctx context.Context) (signing.UploadRequest, diag.Diagnostics) {
	signers, diags := m.signers(ctx)
	viewers, d := m.viewers(ctx)
	diags.Append(d...)
	return signing.UploadRequest{
		FilePath:            m.FilePath.ValueString(),
		FileName:            filepath.Base(m.FilePath.ValueString()),
		Title:               m.Title.ValueString(),
		OwnerEmail:          m.OwnerEmail.ValueString(),
		Domain:              m.Domain.ValueStringPointer(),
		Viewers:             viewers,
		Signers:             signers,
		AdditionalMsg:       m.AdditionalMessage.ValueStringPointer(),
		RequireNotarisation: m.RequireNotarisation.ValueBoolPointer(),
		Passcode:            m.Passcode.ValueStringPointer(),
		DueDate:             m.DueDate.ValueStringPointer(),
	}, diags
}

func (m *documentModel) signers(ctx context.Context) ([]signing.Signer, diag.Diagnostics) {
	var models []signerModel
	diags := m.Signers.ElementsAs(ctx, &models, false)
	var out []signing.Signer
	for i := range models {
		s := &models[i]
		annotations, d := s.annotations(ctx)
		diags.Append(d...)
		out = append(out, signing.Signer{
			Domain: s.Domain.ValueStringPointer(), Email: s.Email.ValueString(), FirstName: s.FirstName.ValueString(), LastName: s.LastName.ValueString(),
			SignOrder: s.SignOrder.ValueInt64(), Annotations: annotations,
		})
	}
	return out, diags
}

func (s *signerModel) annotations(ctx context.Context) ([]signing.Annotation, diag.Diagnostics) {
	var models []annotationModel
	diags := s.Annotations.ElementsAs(ctx, &models, false)
	var out []signing.Annotation
	for _, a := range models {
		var style styleModel
		diags.Append(asObject(ctx, a.Style, &style)...)
		out = append(out, signing.Annotation{
			Type: a.Type.ValueString(), Content: a.Content.ValueString(), IsVerified: a.IsVerified.ValueBool(),
			Style: signing.Style{
				X: style.X.ValueFloat64(), Y: style.Y.ValueFloat64(), Width: style.Width.ValueFloat64(), Height: style.Height.ValueFloat64(),
				Page: style.Page.ValueInt64(), FontSize: style.FontSize.ValueStringPointer(),
			},
		})
	}
	return out, diags
}

func (m *documentModel) viewers(ctx context.Context) ([]signing.Viewer, diag.Diagnostics) {
	var models []viewerModel
	diags := m.Viewers.ElementsAs(ctx, &models, false)
	var out []signing.Viewer
	for _, v := range models {
		out = append(out, signing.Viewer{Email: v.Email.ValueString(), FirstName: v.FirstName.ValueString(), LastName: v.LastName.ValueString()})
	}
	return out, diags
}
