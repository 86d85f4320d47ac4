package document

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// annotationTypes of §2.4; its field description adds Text.
var annotationTypes = []string{
	signing.AnnotationName, signing.AnnotationDate, signing.AnnotationStamp, signing.AnnotationSignature,
	signing.AnnotationNonEditableText, signing.AnnotationEditableText, signing.AnnotationEmail, signing.AnnotationText,
}

var fontSizeForm = regexp.MustCompile(`^\d+(\.\d+)?pt$`)

func (r *documentResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A PDF that is sent to be signed (Signing API §4.1). Creating it uploads the file once and e-mails people: each signer with something left to sign gets a link, in the order of `sign_order`; with nothing left to sign the document is complete at once and its owner gets it by e-mail.\n\n" +
			"**None of this can be undone or changed.** Any change of any attribute is an error at plan, nothing is ever replaced, and a destroy only forgets, with a warning. A file that moved with the same content is no change. A plan reads nothing: the state is what was sent. It cannot be imported.\n\n" +
			"When the service's answer is lost, the list of sent documents is read; if the document is not found there for certain, the apply fails with nothing in state, says that it may have been uploaded, and where to look before applying again.",
		Attributes: map[string]schema.Attribute{
			"domain": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.HostKind]{},
				Optional:            true,
				MarkdownDescription: "Domain to upload to, compared without case: the business domain of a business account, such as a private label's host. Left out it is the default domain of personal accounts. API: `domain`.",
				Validators:          fwtype.TextRules[fwtype.HostKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.HostKind]()},
			},
			"owner_email": emailAttribute("E-mail address of the account that owns the document, compared without case. It gets the completed document. API: `ownerEmail`."),
			"title": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Title, not blank; shown to users instead of the file's name. API: `title`.",
				Validators:          []validator.String{fwtype.NotBlank},
			},
			"file_path": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Path of the file: a PDF by its content, not empty, less than 10 MB (10,485,760 bytes). Judged at plan. API: parts `file` and `fileName`.",
				Validators:          []validator.String{fwtype.NotBlank},
			},
			"signers": schema.ListNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Who fills in or signs, each address once (compared without case). Left out or empty there is nothing to sign: the document is complete at once. API: `signers`.",
				NestedObject:        signerObject(),
				Validators:          []validator.List{signersOnce{}},
			},
			"viewers": schema.ListNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Who may see the document and its signatures, but neither sign nor edit it. API: `viewers`.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"email":      emailAttribute("E-mail address of the viewer. API: `email`."),
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
				MarkdownDescription: "Whether the document is to be notarised. Left out the service decides. API: `requireNotarisation`.",
			},
			"passcode": schema.StringAttribute{
				Optional:            true,
				Sensitive:           true,
				MarkdownDescription: "Passcode of the document, 4 to 8 digits; a text, so that leading zeros stay. It stands in the state. API: `passcode`.",
				Validators:          []validator.String{passcodeDigits{}},
			},
			"due_date": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Day by which it is to be signed, as `dd-mm-yyyy`. API: `dueDate`.",
				Validators:          []validator.String{dayMonthYear{}},
			},
			"id":          schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the document. API: `docId`.", PlanModifiers: keep},
			"file_sha256": schema.StringAttribute{Computed: true, MarkdownDescription: "SHA-256 of the file that was sent, in hex as `filesha256` gives it.", PlanModifiers: keep},
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
		"email":      emailAttribute("E-mail address of the signer, compared without case. It gets a link when there is something to sign. API: `email`."),
		"first_name": nameAttribute("First name, not blank. API: `firstName`."),
		"last_name":  nameAttribute("Last name, not blank. API: `lastName`."),
		"sign_order": schema.Int64Attribute{
			Optional:            true,
			Computed:            true,
			Default:             int64default.StaticInt64(1),
			MarkdownDescription: "Whole number: smaller ones sign first; with the same for all the order does not matter. Default 1. API: `signOrder`.",
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
			MarkdownDescription: "Fields that the signer fills in or signs. With all of them verified the signer has signed. API: `annotations`.",
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
				MarkdownDescription: "What stands in the field: of a `Name` the name; of a `Signature` that is not verified the word `Signature`; " +
					"of one that is verified the id of a stored signature (see the data source `reseller_signatures`). API: `content`.",
			},
			"is_verified": schema.BoolAttribute{
				Optional:            true,
				Computed:            true,
				Default:             booldefault.StaticBool(false),
				MarkdownDescription: "Whether the signer has signed and verified the field. Default `false`: it is left to the signer. API: `isVerified`.",
			},
			"style": schema.SingleNestedAttribute{
				Required:            true,
				MarkdownDescription: "Where the field stands. The service's documents give no unit for its numbers. API: `style`.",
				Attributes: map[string]schema.Attribute{
					"x":      placeAttribute("Horizontal position, 0 or more. API: `x`."),
					"y":      placeAttribute("Vertical position, 0 or more. API: `y`."),
					"width":  sizeAttribute("Width, more than 0. API: `width`."),
					"height": sizeAttribute("Height, more than 0. API: `height`."),
					"page": schema.Int64Attribute{
						Required:            true,
						MarkdownDescription: "Page, the first is 1. API: `page`.",
						Validators:          []validator.Int64{int64validator.AtLeast(1)},
					},
					"font_size": schema.StringAttribute{
						Optional:            true,
						MarkdownDescription: "Size of the font: a number followed by `pt`, such as `12pt`. API: `fontSize`.",
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
