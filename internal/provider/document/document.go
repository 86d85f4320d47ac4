package document

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// documentModel is an upload as it was sent (§2.1).
type documentModel struct {
	Domain              fwtype.HostName `tfsdk:"domain"`
	OwnerEmail          fwtype.Email    `tfsdk:"owner_email"`
	Title               types.String    `tfsdk:"title"`
	FilePath            types.String    `tfsdk:"file_path"`
	FileName            types.String    `tfsdk:"file_name"`
	Signers             types.List      `tfsdk:"signers"`
	Viewers             types.List      `tfsdk:"viewers"`
	AdditionalMessage   types.String    `tfsdk:"additional_message"`
	RequireNotarisation types.Bool      `tfsdk:"require_notarisation"`
	Passcode            types.String    `tfsdk:"passcode"`
	PasscodeWO          types.String    `tfsdk:"passcode_wo"`
	DueDate             types.String    `tfsdk:"due_date"`

	FileSHA256 types.String `tfsdk:"file_sha256"`

	commonModel
}

func (m *documentModel) operation() operation {
	title := m.named(m.Title)
	mails, sentence := m.emails()
	return operation{
		imported:  m.Title.IsNull(),
		plannedID: types.StringUnknown(),
		content:   []attr.Value{m.Domain, m.OwnerEmail, m.Title, m.FileSHA256, m.Signers, m.Viewers, m.AdditionalMessage, m.RequireNotarisation, m.DueDate},
		due:       m.DueDate,
		files:     []sentFile{{SentFile: file.UploadedPDF, path: &m.FilePath, name: &m.FileName, sum: &m.FileSHA256}},
		created: effect.Warning{
			Topic: TopicUploading,
			Detail: fmt.Sprintf("%s cannot be changed or withdrawn after upload. %s To send a corrected file, add another resource.",
				diagnostic.Capitalize(titled("document", m.Title, unknownName)), sentence),
			Effects: append([]effect.Effect{{Event: uploaded, Name: effect.Text(m.Title)}}, mails...),
		},
		left: left(title, "the upload of "+titled("document", title, ""), "Recipients can still read and sign it."),

		name:           "the " + titled("document", title, ""),
		verb:           "uploaded",
		summary:        summaryUpload,
		summaryUnknown: SummaryUploadUnknown,
		unchanged:      "No document was created, and no email was sent",
		remedies:       map[string]diagnostic.Remedy{signing.CodeNoPermission: at("domain"), signing.CodeNoFileAttached: at("file_path")},
		reason:         "Another upload would email all its signers again.",
		another:        "To send another document, add another resource.",
		typeName:       "reseller_document",
		attempt:        m.Attempt.ValueInt64(),
		importID:       "DOCUMENT_ID",

		secret: "passcode", stored: m.Passcode, writeOnly: m.PasscodeWO,
	}
}

// emails returns who receives an email because of the upload, and says so in a sentence.
func (m *documentModel) emails() ([]effect.Effect, string) {
	const unknownEmail = "(email address known after apply)"
	signers := m.Signers.Elements()
	if m.Signers.IsUnknown() || slices.ContainsFunc(signers, attr.Value.IsUnknown) {
		return []effect.Effect{{Event: linked, Email: types.StringUnknown()}},
			"Its signers are known after apply; each of them with something left to sign receives a link by email."
	}
	var mails []effect.Effect
	var people []string
	orders := map[attr.Value]bool{}
	for _, element := range signers {
		signer, _ := element.(types.Object)
		if hasToSign(signer) {
			email, _ := signer.Attributes()["email"].(fwtype.Email)
			mails = append(mails, effect.Effect{Event: linked, Email: effect.Text(email)})
			people = append(people, effect.NameOf(email, unknownEmail))
			orders[signer.Attributes()["sign_order"]] = true
		}
	}
	owner := effect.NameOf(m.OwnerEmail, unknownEmail)
	if len(people) == 0 {
		mails = []effect.Effect{{Event: completed, Email: effect.Text(m.OwnerEmail)}}
	}
	switch {
	case len(signers) == 0:
		return mails, fmt.Sprintf("It has no signers, so it may be complete and emailed to its owner %s.", owner)
	case len(people) == 0:
		return mails, fmt.Sprintf("Nothing is left to sign, so the document is complete and emailed to its owner %s.", owner)
	case len(orders) > 1:
		return mails, fmt.Sprintf("These signers receive a link by email; a smaller sign_order signs first: %s.", strings.Join(people, ", "))
	default:
		return mails, fmt.Sprintf("A link to sign it is emailed to %s.", strings.Join(people, ", "))
	}
}

// hasToSign reports whether an annotation of a signer is not verified, or unknown.
func hasToSign(signer types.Object) bool {
	annotations, _ := signer.Attributes()["annotations"].(types.List)
	return annotations.IsUnknown() || slices.ContainsFunc(annotations.Elements(), func(element attr.Value) bool {
		annotation, _ := element.(types.Object)
		return !types.BoolValue(true).Equal(annotation.Attributes()["is_verified"])
	})
}

func (m *documentModel) execute(ctx context.Context, c *signing.Client, secret *string) (signing.Source, diag.Diagnostics, error) {
	order, err := m.upload(ctx, secret)
	if err != nil {
		return 0, nil, err
	}
	id, source, err := c.Upload(ctx, order)
	m.ID = types.StringValue(id)
	return source, nil, err
}

// sent needs no file and no passcode: plan and state have the hash of the file.
func (m *documentModel) sent(ctx context.Context) (signing.Operation, error) {
	order, err := m.upload(ctx, nil)
	if err != nil {
		return signing.Operation{}, err
	}
	return order.Operation(m.FileSHA256.ValueString())
}

// upload is the request (§4.1). Null values are omitted, and so is an empty message.
func (m *documentModel) upload(ctx context.Context, passcode *string) (signing.UploadRequest, error) {
	message := m.AdditionalMessage.ValueStringPointer()
	if m.AdditionalMessage.ValueString() == "" {
		message = nil
	}
	out := signing.UploadRequest{
		FilePath:            m.FilePath.ValueString(),
		FileName:            m.FileName.ValueString(),
		Title:               m.Title.ValueString(),
		OwnerEmail:          m.OwnerEmail.ValueString(),
		Domain:              m.Domain.ValueStringPointer(),
		AdditionalMsg:       message,
		RequireNotarisation: m.RequireNotarisation.ValueBool(),
		Passcode:            passcode,
		DueDate:             m.DueDate.ValueStringPointer(),
		Attempt:             m.Attempt.ValueInt64(),
	}
	return out, errors.Join(fwtype.ToAPI(ctx, m.Viewers, &out.Viewers), fwtype.ToAPI(ctx, m.Signers, &out.Signers))
}
