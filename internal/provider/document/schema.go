package document

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// importRecords is what all descriptions say about an import.
const importRecords = "An import makes no API call, so the ID is not checked; the first plan after it records the configured values in state, with a warning."

// annotationTypes of §2.4; its field description adds Text.
var annotationTypes = []string{
	signing.AnnotationName, signing.AnnotationDate, signing.AnnotationStamp, signing.AnnotationSignature,
	signing.AnnotationNonEditableText, signing.AnnotationEditableText, signing.AnnotationEmail, signing.AnnotationText,
}

var fontSizeForm = regexp.MustCompile(`^\d+(\.\d+)?pt$`)

func documentSchema() schema.Schema {
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	return schema.Schema{
		MarkdownDescription: "A PDF that is sent to be signed. Creating it uploads the file once and sends emails: each signer with fields left to sign gets a link, in the order of `sign_order`. With nothing left to sign the document is complete immediately, and its owner gets it by email.\n\n" +
			"**An upload is permanent.** The resource makes its API call on create, and nothing on read, update or delete. Changing an attribute returns an error at plan time; the resource is never replaced. A destroy only removes it from state, with a warning. The plan compares the file's content, not its path.\n\n" +
			"If the response is lost, the apply fails with nothing in state. The error lists the sent documents that could be it, each with an `import` block: look before you apply again. " + importRecords,
		Attributes: map[string]schema.Attribute{
			"domain": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.HostKind]{},
				Optional:            true,
				MarkdownDescription: "Domain to upload to, compared without case: the business domain of a business account, such as the host name of a private label. If omitted, the default domain of personal accounts. API: `domain`.",
				Validators:          fwtype.TextRules[fwtype.HostKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.HostKind]()},
			},
			"owner_email": emailAttribute("Email address of the account that owns the document, compared without case. The completed document is sent to it. API: `ownerEmail`."),
			"title": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Title, not blank; shown to users instead of the file's name. API: `title`.",
				Validators:          []validator.String{fwtype.NotBlank},
			},
			"file_path": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Path of the file: a PDF (by content), not empty, less than 10 MB (10,485,760 bytes). Checked at plan time. API: parts `file` and `fileName`.",
				Validators:          []validator.String{fwtype.NotBlank},
			},
			"signers": schema.ListNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Signers, each email address once (compared without case). If omitted or empty, there is nothing to sign: the document is complete immediately. API: `signers`.",
				NestedObject:        signerObject(),
				Validators:          []validator.List{signersOnce{}},
			},
			"viewers": schema.ListNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Recipients who can read the document and its signatures, but neither sign nor edit it. API: `viewers`.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"email":      emailAttribute("Email address of the viewer. API: `email`."),
					"first_name": nameAttribute("First name, not blank. API: `firstName`."),
					"last_name":  nameAttribute("Last name, not blank. API: `lastName`."),
				}},
			},
			"additional_message": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Message to the signers. API: `additionalMsg`.",
			},
			"require_notarisation": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Whether the document is notarized. If omitted, the API's default applies. API: `requireNotarisation`.",
			},
			"passcode": schema.StringAttribute{
				Optional:            true,
				Sensitive:           true,
				MarkdownDescription: "Passcode of the document, 4 to 8 digits; a string, so that leading zeros are kept. It is stored in the state. API: `passcode`.",
				Validators:          []validator.String{passcodeDigits{}},
			},
			"due_date": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Due date for signing, as `dd-mm-yyyy`. API: `dueDate`.",
				Validators:          []validator.String{dayMonthYear{}},
			},
			"id":          schema.StringAttribute{Computed: true, MarkdownDescription: "ID of the document. API: `docId`.", PlanModifiers: keep},
			"file_sha256": schema.StringAttribute{Computed: true, MarkdownDescription: "SHA-256 of the file that was sent, in hex like `filesha256`.", PlanModifiers: keep},
		},
	}
}

func emailAttribute(description string) schema.StringAttribute {
	return schema.StringAttribute{
		CustomType:          fwtype.TextType[fwtype.EmailKind]{},
		Required:            true,
		MarkdownDescription: description,
		Validators:          fwtype.TextRules[fwtype.EmailKind](),
		PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.EmailKind]()},
	}
}

func nameAttribute(description string) schema.StringAttribute {
	return schema.StringAttribute{Required: true, MarkdownDescription: description, Validators: []validator.String{fwtype.NotBlank}}
}

func signerObject() schema.NestedAttributeObject {
	return schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
		"email":      emailAttribute("Email address of the signer, compared without case. A link is sent to it when there is something to sign. API: `email`."),
		"first_name": nameAttribute("First name, not blank. API: `firstName`."),
		"last_name":  nameAttribute("Last name, not blank. API: `lastName`."),
		"sign_order": schema.Int64Attribute{
			Optional:            true,
			Computed:            true,
			Default:             int64default.StaticInt64(1),
			MarkdownDescription: "Position in the signing order: lower numbers sign first. With equal numbers the order does not matter. Default 1. API: `signOrder`.",
		},
		"domain": schema.StringAttribute{
			CustomType:          fwtype.TextType[fwtype.HostKind]{},
			Optional:            true,
			MarkdownDescription: "Domain of the signer's account, compared without case. API: `domain`.",
			Validators:          fwtype.TextRules[fwtype.HostKind](),
			PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.HostKind]()},
		},
		"annotations": schema.ListNestedAttribute{
			Optional:            true,
			MarkdownDescription: "Fields that the signer fills in or signs. The signer has signed when all of them are verified. API: `annotations`.",
			NestedObject:        annotationObject(),
		},
	}}
}

func annotationObject() schema.NestedAttributeObject {
	return schema.NestedAttributeObject{
		Validators: []validator.Object{signatureContent{}},
		Attributes: map[string]schema.Attribute{
			"type": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "`Name`, `Date`, `Stamp`, `Signature`, `NonEditableText`, `EditableText`, `Email` or `Text`. API: `type`.",
				Validators:          []validator.String{stringvalidator.OneOf(annotationTypes...)},
			},
			"content": schema.StringAttribute{
				Required: true,
				MarkdownDescription: "Content of the field. For a `Name`, the name. For a `Signature` that is not verified, the word `Signature`; " +
					"for a verified one, the ID of a stored signature (see the data source `reseller_signatures`). API: `content`.",
			},
			"is_verified": schema.BoolAttribute{
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(false),
				MarkdownDescription: "Whether the field is already signed and verified. Default `false`: the signer signs and verifies it. API: `isVerified`.",
			},
			"style": schema.SingleNestedAttribute{
				Required:            true,
				MarkdownDescription: "Position and size of the field. The API documentation gives no unit for the numbers. API: `style`.",
				Attributes: map[string]schema.Attribute{
					"x":      placeAttribute("Horizontal position, 0 or more. API: `x`."),
					"y":      placeAttribute("Vertical position, 0 or more. API: `y`."),
					"width":  sizeAttribute("Width, more than 0. API: `width`."),
					"height": sizeAttribute("Height, more than 0. API: `height`."),
					"page": schema.Int64Attribute{
						Required:            true,
						MarkdownDescription: "Page number, starting at 1. API: `page`.",
						Validators:          []validator.Int64{int64validator.AtLeast(1)},
					},
					"font_size": schema.StringAttribute{
						Optional:            true,
						MarkdownDescription: "Font size: a number followed by `pt`, such as `12pt`. API: `fontSize`.",
						Validators:          []validator.String{stringvalidator.RegexMatches(fontSizeForm, "must be a number followed by pt, such as 12pt")},
					},
				},
			},
		},
	}
}

func placeAttribute(description string) schema.Float64Attribute {
	return schema.Float64Attribute{Required: true, MarkdownDescription: description, Validators: []validator.Float64{fwtype.Amount{OrZero: true}}}
}

func sizeAttribute(description string) schema.Float64Attribute {
	return schema.Float64Attribute{Required: true, MarkdownDescription: description, Validators: []validator.Float64{fwtype.Amount{}}}
}
