package document

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// importRecords is what all descriptions say about an import.
const importRecords = "An import makes no API call, so the ID is not checked; the first plan after it records the configured values in state, with a warning."

// staysInDoubt is what all descriptions say about a lost response.
const staysInDoubt = "Every plan and apply returns this error and sends nothing, until you import the object or raise `attempt`. "

// annotationTypes of §2.4; its field description adds Text.
var annotationTypes = []string{
	signing.AnnotationName, signing.AnnotationDate, signing.AnnotationStamp, signing.AnnotationSignature,
	signing.AnnotationNonEditableText, signing.AnnotationEditableText, signing.AnnotationEmail, signing.AnnotationText,
}

var fontSizeForm = regexp.MustCompile(`^\d+(\.\d+)?pt$`)

// exactNumber keeps a number from being rounded in JSON.
var exactNumber = []validator.Int64{int64validator.Between(-fwtype.MaxExact, fwtype.MaxExact)}

func documentSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "A PDF that is sent to be signed. Creating it uploads the file once and sends emails: each signer with fields left to sign gets a link. With nothing left to sign the document is complete immediately, and its owner gets it by email. A destroy only removes the resource from state, with a warning.\n\n" +
			"**An upload is permanent.** The resource makes its API call on create, and nothing on read, update or delete. Changing an attribute returns an error at plan time; the resource is never replaced. The plan compares the file's content, not its path.\n\n" +
			"If the response is lost, the apply fails with nothing in state. The error lists the sent documents that could be it, each with an `import` block. " + staysInDoubt + importRecords,
		Attributes: map[string]schema.Attribute{
			"domain":      fwtype.OptionalText[fwtype.HostKind]("Domain to upload to, compared without case: the business domain of a business account, such as the host name of a private label. If omitted, the default domain of personal accounts. API: `domain`."),
			"owner_email": fwtype.RequiredText[fwtype.EmailKind]("Email address of the account that owns the document, compared without case. The completed document is sent to it. API: `ownerEmail`."),
			"title":       fwtype.RequiredString("Title, not blank; shown to users instead of the file's name. API: `title`.", fwtype.NotBlank),
			"file_path":   fwtype.RequiredString("Path of the file: a PDF (by content), not empty, less than 10 MB. From 10,000,000 bytes on, a warning at plan says that the API may reject it; 10,485,760 bytes are an error. Checked at plan time. API: part `file`.", fwtype.NotBlank),
			"file_name":   fileName("File name that is sent, if it is not that of `file_path`. A name that does not end in `.pdf` is a warning at plan. API: `fileName`."),
			"signers":     rows("Signers. An email address that occurs twice (compared without case) is a warning at plan. The API documentation does not say what a document without signers is; in the simulator it is complete immediately. API: `signers`.", signerAttributes(), signerRules{}),
			"viewers": rows("Recipients who can read the document and its signatures, but neither sign nor edit it. API: `viewers`.", map[string]schema.Attribute{
				"email":      fwtype.RequiredText[fwtype.EmailKind]("Email address of the viewer. API: `email`."),
				"first_name": fwtype.RequiredString("First name, not blank. API: `firstName`.", fwtype.NotBlank),
				"last_name":  fwtype.RequiredString("Last name, not blank. API: `lastName`.", fwtype.NotBlank),
			}),
			"additional_message":   fwtype.OptionalString("Message to the signers. API: `additionalMsg`."),
			"require_notarisation": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether the document is notarized. If omitted, `false`. API: `requireNotarisation`."},
			"passcode":             secret("Passcode of the document, 4 to 8 digits, the first of which is not 0. It is stored in the state; `passcode_wo` is not. API: `passcode`.", passcodeDigits),
			"passcode_wo":          writeOnly("passcode", "Passcode like `passcode`, in neither plan nor state. Requires Terraform 1.11 or OpenTofu 1.11. A change after the upload is not detected, and sends nothing. Conflicts with `passcode`. API: `passcode`.", passcodeDigits),
			"due_date":             fwtype.OptionalString("Due date for signing, as `dd-mm-yyyy`. A day that has passed is a warning at plan. API: `dueDate`.", dayMonthYear),
			"id":                   fwtype.ConstantString("ID of the document. API: `docId`."),
			"file_sha256":          fwtype.ConstantString("SHA-256 of the file that was sent, in hex like `filesha256`."),
		},
	}
}

// fileName is a name that is sent, by default that of the path.
func fileName(description string) schema.StringAttribute {
	a := fwtype.ConstantString(description)
	a.Optional, a.Validators = true, []validator.String{fwtype.NotBlank}
	return a
}

func rows(description string, attributes map[string]schema.Attribute, rules ...validator.List) schema.ListNestedAttribute {
	return schema.ListNestedAttribute{
		Optional: true, MarkdownDescription: description, NestedObject: schema.NestedAttributeObject{Attributes: attributes}, Validators: rules,
	}
}

func signerAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"email":      fwtype.RequiredText[fwtype.EmailKind]("Email address of the signer, compared without case. A link is sent to it when there is something to sign. API: `email`."),
		"first_name": fwtype.RequiredString("First name, not blank. API: `firstName`.", fwtype.NotBlank),
		"last_name":  fwtype.RequiredString("Last name, not blank. API: `lastName`.", fwtype.NotBlank),
		"sign_order": schema.Int64Attribute{
			Optional:            true,
			Computed:            true,
			Default:             int64default.StaticInt64(1),
			Validators:          exactNumber,
			MarkdownDescription: "Position in the signing order: lower numbers sign first. With equal numbers the order does not matter. Default 1. API: `signOrder`.",
		},
		"domain":      fwtype.OptionalText[fwtype.HostKind]("Domain of the signer's account, compared without case. API: `domain`."),
		"annotations": rows("Fields that the signer fills in or signs. The signer has signed when all of them are verified. API: `annotations`.", annotationAttributes()),
	}
}

func annotationAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"type": fwtype.RequiredString("`Name`, `Date`, `Stamp`, `Signature`, `NonEditableText`, `EditableText`, `Email` or `Text`. API: `type`.", stringvalidator.OneOf(annotationTypes...)),
		"content": fwtype.RequiredString("Content of the field. For a `Name`, the name. For a `Signature` that is not verified, the word `Signature`; " +
			"for a verified one, the ID of a stored signature (see the data source `reseller_signatures`). API: `content`."),
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
				"x":         amount("Horizontal position. API: `x`."),
				"y":         amount("Vertical position. API: `y`."),
				"width":     amount("Width. API: `width`."),
				"height":    amount("Height. API: `height`."),
				"page":      schema.Int64Attribute{Required: true, MarkdownDescription: "Page, a whole number. The API documentation does not say whether the first page is 0 or 1. API: `page`.", Validators: exactNumber},
				"font_size": fwtype.OptionalString("Font size: a number followed by `pt`, such as `12pt`. API: `fontSize`.", stringvalidator.RegexMatches(fontSizeForm, "must be a number followed by pt, such as 12pt")),
			},
		},
	}
}

// attemptAttribute is `attempt`, which each resource has: the consent to send again what may have been sent.
func attemptAttribute() schema.Int64Attribute {
	return schema.Int64Attribute{
		Optional:   true,
		Computed:   true,
		Default:    int64default.StaticInt64(1),
		Validators: []validator.Int64{int64validator.Between(1, fwtype.MaxExact)},
		MarkdownDescription: "Number of the attempt, 1 or more. If an earlier one has an unknown outcome, raise it to send the same again. " +
			"It is not sent, and has no effect on an object that is in state. Default 1.",
	}
}

func amount(description string) schema.Float64Attribute {
	return schema.Float64Attribute{Required: true, MarkdownDescription: description}
}

func secret(description string, rule validator.String) schema.StringAttribute {
	a := fwtype.OptionalString(description, rule)
	a.Sensitive = true
	return a
}

// writeOnly is the twin of a secret, which neither a plan nor the state has.
func writeOnly(subject, description string, rule validator.String) schema.StringAttribute {
	a := secret(description, rule)
	a.WriteOnly = true
	a.Validators = append(a.Validators, stringvalidator.ConflictsWith(path.MatchRoot(subject)))
	return a
}

func documentSigningSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Signs annotations of a document as the API key's user: each annotation gets its content. When nothing is left to sign, the completed document is emailed. A destroy only removes the resource from state, with a warning.\n\n" +
			"**A signing is sent once.** The resource makes its API call on create, and nothing on read, update or delete. Changing an attribute returns an error at plan time; the resource is never replaced. If the response is lost, the apply fails with nothing in state; only viewing the document shows whether it was signed. The error has an `import` block. " + staysInDoubt + importRecords + "\n\n" +
			"The data source `reseller_document` has the IDs of annotations, and `reseller_signatures` those of stored signatures. Each read of `reseller_document` adds a log entry, and every plan reads it: once the document is signed, write the IDs into the configuration and remove the data source. Do not select annotations by `is_verified`: signing changes it, and with it the plan.",
		Attributes: map[string]schema.Attribute{
			"doc_id": fwtype.RequiredString("ID of the document. API: `docId`.", fwtype.NotBlank),
			"domain": fwtype.OptionalString("Domain that the API key's user belongs to. If omitted, that of personal accounts. API: `domain`.", fwtype.NotBlank),
			"annotations": schema.MapAttribute{
				ElementType:         types.StringType,
				Required:            true,
				MarkdownDescription: "Annotation ID to content, at least one: the ID of a stored signature for a `Signature`, the text for others. API: `annotations`.",
				Validators: []validator.Map{
					mapvalidator.SizeAtLeast(1),
					mapvalidator.KeysAre(fwtype.NotBlank),
				},
			},
			"doc_password":    secret("Password of the document, if it has one. It is stored in the state; `doc_password_wo` is not. API: `docPassword`.", stringvalidator.LengthAtLeast(1)),
			"doc_password_wo": writeOnly("doc_password", "Password like `doc_password`, in neither plan nor state. Requires Terraform 1.11 or OpenTofu 1.11. A change after the signing is not detected, and sends nothing. Conflicts with `doc_password`. API: `docPassword`.", stringvalidator.LengthAtLeast(1)),
			"id":              fwtype.ConstantString("Same as `doc_id`."),
		},
	}
}

func mintedDocumentSchema() schema.Schema {
	count := func(description string) schema.Int64Attribute {
		return schema.Int64Attribute{Optional: true, MarkdownDescription: description, Validators: []validator.Int64{int64validator.Between(0, fwtype.MaxExact)}}
	}
	metadata := fwtype.ConstantString("The asset's metadata as normalized JSON; null if the response has none (the API documentation does not give it for ARC69), and after an import. API: `nftMetadata`.")
	metadata.CustomType = jsontypes.NormalizedType{}
	return schema.Schema{
		MarkdownDescription: "A PDF that is minted as a non-fungible document on a blockchain. The API documentation shows one path for minting, which is used with both path families. A destroy only removes the resource from state, with a warning: the asset stays.\n\n" +
			"**Minting is public and permanent.** The resource makes its API call on create, and nothing on read, update or delete. Changing an attribute returns an error at plan time; the resource is never replaced. The plan compares the file's content, not its path.\n\n" +
			"The API cannot list minted assets. If the response is lost, the apply fails with nothing in state, and the error has an `import` block. " + staysInDoubt + importRecords,
		Attributes: map[string]schema.Attribute{
			"file_path":     fwtype.RequiredString("Path of the file: a PDF (by content), not empty. Checked at plan time. API: part `file`.", fwtype.NotBlank),
			"file_name":     fileName("File name that is sent, if it is not that of `file_path`. A name that does not end in `.pdf` is a warning at plan. API: part `file`."),
			"image_path":    fwtype.OptionalString("Path of a thumbnail: PNG or JPEG (by content), not empty. Checked at plan time; a name that does not end in `.png`, `.jpg` or `.jpeg` is a warning. API: part `image`.", fwtype.NotBlank),
			"unit_name":     fwtype.RequiredString("Name of the token, 1 to 8 characters. API: `unitName`.", fwtype.NotBlank, stringvalidator.UTF8LengthAtMost(8)),
			"asset_name":    fwtype.RequiredString("Full name of the asset, 1 to 32 characters. API: `assetName`.", fwtype.NotBlank, stringvalidator.UTF8LengthAtMost(32)),
			"nft_standard":  fwtype.RequiredString("`ARC3` or `ARC69`. API: `nftStandard`.", stringvalidator.OneOf(signing.StandardARC3, signing.StandardARC69)),
			"store_on_ipfs": schema.BoolAttribute{Required: true, MarkdownDescription: "Whether the PDF and the thumbnail are stored on IPFS, where anyone can read them and nobody can delete them. API: `storeOnIPFS`."},
			"description":   fwtype.OptionalString("Short description. API: `description`.", fwtype.NotBlank),
			"pages":         count("Number of pages. API: `pages`."),
			"word_count":    count("Number of words. API: `wordCount`."),
			"language":      fwtype.OptionalString("Language of the document. API: `language`.", fwtype.NotBlank),
			"creator":       fwtype.OptionalString("Author. API: `creator`.", fwtype.NotBlank),
			"creation_date": fwtype.OptionalString("Publication date, sent unchanged; the API documentation gives no format. API: `creationDate`.", fwtype.NotBlank),
			"creator_email": fwtype.OptionalText[fwtype.EmailKind]("Email address of the author, compared without case. It is public, like all attributes. API: `creatorEmail`."),
			"id":            fwtype.ConstantString("Asset ID as a string; the transaction ID if the response has no asset ID; the file's SHA-256 if it has neither. After an import, the imported ID."),
			"asset_id": schema.Int64Attribute{
				Computed:            true,
				MarkdownDescription: "Asset ID; null if the response has none, or if the imported ID is not a number. API: `assetId`.",
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
			},
			"transaction_id": fwtype.ConstantString("Transaction ID; null if the response has none, and after an import. API: `transactionId`."),
			"pdf_ipfs_url":   fwtype.ConstantString("URL of the PDF on IPFS; null if it is not stored there, and after an import. API: `pdfIpfsUrl`."),
			"image_ipfs_url": fwtype.ConstantString("URL of the thumbnail on IPFS; null if there is none, and after an import. API: `imageIpfsUrl`."),
			"metadata_json":  metadata,
			"file_sha256":    fwtype.ConstantString("SHA-256 of the PDF that was sent, in hex like `filesha256`."),
		},
	}
}
