package document

import (
	"context"
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// once is what all descriptions say about the API call.
const once = "The resource makes its API call on create, and none on read, update or delete. If you change an attribute, the plan fails. The resource is never replaced."

// importRecords is what all descriptions say about an import.
const importRecords = "An import makes no API call and does not check the ID. The first apply after it records the configured values in state, with a warning."

// staysInDoubt is what all descriptions say about a lost response.
const staysInDoubt = "Until you import the object or increase `attempt`, every plan and apply fails and sends nothing. "

// annotationTypes of §2.4; its field description adds Text.
var annotationTypes = []string{
	signing.AnnotationName, signing.AnnotationDate, signing.AnnotationStamp, signing.AnnotationSignature,
	signing.AnnotationNonEditableText, signing.AnnotationEditableText, signing.AnnotationEmail, signing.AnnotationText,
}

var fontSizeForm = regexp.MustCompile(`^\d+(\.\d+)?pt$`)

// exactNumber keeps a number from being rounded in JSON.
var exactNumber = []validator.Int64{fwtype.Between(-fwtype.MaxExact, fwtype.MaxExact)}

func documentSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "A PDF to be signed. Creating the resource uploads the file once and emails a link to each signer with fields left to sign. If nothing is left to sign, the document is complete immediately and emailed to its owner. Destroying the resource only removes it from state, with a warning.\n\n" +
			"**An upload is permanent.** " + once + " The plan compares the file's content, not its path.\n\n" +
			"If the response is lost, the apply fails with nothing in state. The error contains an `import` block for each sent document that could be it. " + staysInDoubt + importRecords,
		Attributes: map[string]schema.Attribute{
			"domain":      fwtype.OptionalText[fwtype.HostKind]("Account domain to upload to, such as the host name of a private label, compared without case. Default: personal accounts. API: `domain`."),
			"owner_email": fwtype.RequiredText[fwtype.EmailKind]("Email address of the account that owns the document and receives the completed one, compared without case. API: `ownerEmail`."),
			"title":       fwtype.RequiredString("Title, not blank. Users see it instead of the file name. API: `title`.", fwtype.NotBlank),
			"file_path":   fwtype.RequiredString("Path of a PDF, less than 10 MB. The plan warns from 10,000,000 bytes, and fails from 10,485,760 bytes. API: part `file`.", fwtype.NotBlank),
			"file_name":   fileName("File name to send. Default: that of `file_path`. The plan warns if it does not end in `.pdf`. API: `fileName`."),
			"signers":     rows("Signers. The plan warns if an email address occurs twice. In the simulator, a document without signers is complete immediately. API: `signers`.", signerAttributes(), signerRules{}),
			"viewers": rows("Viewers, who can read the document and its signatures. API: `viewers`.", map[string]schema.Attribute{
				"email":      fwtype.RequiredText[fwtype.EmailKind]("Email address of the viewer. API: `email`."),
				"first_name": fwtype.RequiredString("First name, not blank. API: `firstName`.", fwtype.NotBlank),
				"last_name":  fwtype.RequiredString("Last name, not blank. API: `lastName`.", fwtype.NotBlank),
			}),
			"additional_message":   fwtype.OptionalString("Message to the signers. API: `additionalMsg`."),
			"require_notarisation": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether the document is notarized. The attribute follows the API's spelling. Default: `false`. API: `requireNotarisation`."},
			"passcode":             secret("Passcode, 4 to 8 digits without a leading 0. Stored in state, unlike `passcode_wo`. API: `passcode`.", passcodeDigits),
			"passcode_wo":          writeOnly("passcode", "Like `passcode`, but in neither plan nor state. Requires Terraform 1.11 or OpenTofu 1.11, or later. Later changes have no effect. API: `passcode`.", passcodeDigits),
			"due_date":             fwtype.OptionalString("Due date for signing, as `dd-mm-yyyy`. The plan warns if it has passed. API: `dueDate`.", dayMonthYear),
			"id":                   fwtype.ConstantString("ID of the document. API: `docId`."),
			"file_sha256":          fwtype.ConstantString("SHA-256 of the file that was sent, in hex like `filesha256`."),
		},
	}
}

// fileName is a name that is sent, by default that of the path.
func fileName(description string) schema.StringAttribute {
	a := fwtype.ConstantString(description)
	a.Optional = true
	a.Validators = []validator.String{fwtype.NotBlank}
	return a
}

func rows(description string, attributes map[string]schema.Attribute, rules ...validator.List) schema.ListNestedAttribute {
	return schema.ListNestedAttribute{
		Optional: true, MarkdownDescription: description, NestedObject: schema.NestedAttributeObject{Attributes: attributes}, Validators: rules,
	}
}

func signerAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"email":      fwtype.RequiredText[fwtype.EmailKind]("Email address of the signer, compared without case. API: `email`."),
		"first_name": fwtype.RequiredString("First name, not blank. API: `firstName`.", fwtype.NotBlank),
		"last_name":  fwtype.RequiredString("Last name, not blank. API: `lastName`.", fwtype.NotBlank),
		"sign_order": schema.Int64Attribute{
			Optional:            true,
			Computed:            true,
			Default:             int64default.StaticInt64(1),
			Validators:          exactNumber,
			MarkdownDescription: "Position in the signing order: lower numbers sign first, equal ones in any order. Default: 1. API: `signOrder`.",
		},
		"domain":      fwtype.OptionalText[fwtype.HostKind]("Account domain of the signer, compared without case. API: `domain`."),
		"annotations": rows("Fields that the signer fills in or signs. API: `annotations`.", annotationAttributes()),
	}
}

func annotationAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"type": fwtype.RequiredString("`Name`, `Date`, `Stamp`, `Signature`, `NonEditableText`, `EditableText`, `Email` or `Text`. API: `type`.", fwtype.OneOf(annotationTypes...)),
		"content": fwtype.RequiredString("Content of the field. For a `Name`, the name. For a `Signature`, the word `Signature`, or the ID of a stored signature " +
			"(data source `reseller_signatures`) if `is_verified` is true. API: `content`."),
		"is_verified": schema.BoolAttribute{
			Optional:            true,
			Computed:            true,
			Default:             booldefault.StaticBool(false),
			MarkdownDescription: "Whether the field is already signed and verified. Default: `false`. API: `isVerified`.",
		},
		"style": schema.SingleNestedAttribute{
			Required:            true,
			MarkdownDescription: "Position and size of the field. Their unit is not documented. API: `style`.",
			Attributes: map[string]schema.Attribute{
				"x":         amount("Horizontal position. API: `x`."),
				"y":         amount("Vertical position. API: `y`."),
				"width":     amount("Width. API: `width`."),
				"height":    amount("Height. API: `height`."),
				"page":      schema.Int64Attribute{Required: true, MarkdownDescription: "Page, a whole number. The number of the first page is not documented. API: `page`.", Validators: exactNumber},
				"font_size": fwtype.OptionalString("Font size: a number followed by `pt`, such as `12pt`. API: `fontSize`.", fwtype.Form(fontSizeForm, "must be a number followed by pt, such as 12pt")),
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
		Validators: []validator.Int64{fwtype.Between(1, fwtype.MaxExact)},
		MarkdownDescription: "Attempt number. If the outcome of a call is unknown and the operation did not take effect, increase the number by 1 to repeat it. " +
			"Ignored once the object is in state. Default: 1.",
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
	a.Validators = append(a.Validators, fwtype.ConflictsWith(path.Root(subject)))
	return a
}

func documentSigningSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Signs annotations of a document as the API key's user. If nothing is left to sign, the completed document is emailed. Destroying the resource only removes it from state, with a warning.\n\n" +
			"**A signature is permanent.** " + once + "\n\n" +
			"If the response is lost, the apply fails with nothing in state, and the error contains an `import` block. Only viewing the document shows whether it was signed. " + staysInDoubt + importRecords + "\n\n" +
			"Get annotation IDs from the data source `reseller_document`, and stored signature IDs from `reseller_signatures`. Every plan reads `reseller_document`, which adds a log entry. After signing, write the IDs into the configuration and remove the data source. Do not select annotations by `is_verified`, because signing changes its value.",
		Attributes: map[string]schema.Attribute{
			"doc_id": fwtype.RequiredString("ID of the document. API: `docId`.", fwtype.NotBlank),
			"domain": fwtype.OptionalString("Account domain of the API key's user. Default: personal accounts. API: `domain`.", fwtype.NotBlank),
			"annotations": schema.MapAttribute{
				ElementType:         types.StringType,
				Required:            true,
				MarkdownDescription: "Content of at least one annotation, by annotation ID: the ID of a stored signature for a `Signature`, the text for others. API: `annotations`.",
				Validators: []validator.Map{
					fwtype.Size("map must contain at least 1 element", 1, math.MaxInt64),
					mapvalidator.KeysAre(fwtype.NotBlank),
				},
			},
			"doc_password":    secret("Password of the document. Stored in state, unlike `doc_password_wo`. API: `docPassword`.", fwtype.NotEmpty),
			"doc_password_wo": writeOnly("doc_password", "Like `doc_password`, but in neither plan nor state. Requires Terraform 1.11 or OpenTofu 1.11, or later. Later changes have no effect. API: `docPassword`.", fwtype.NotEmpty),
			"id":              fwtype.ConstantString("Same as `doc_id`."),
		},
	}
}

func mintedDocumentSchema() schema.Schema {
	count := func(description string) schema.Int64Attribute {
		return schema.Int64Attribute{Optional: true, MarkdownDescription: description, Validators: []validator.Int64{fwtype.Between(0, fwtype.MaxExact)}}
	}
	metadata := fwtype.ConstantString("Metadata of the asset as normalized JSON. Null after an import, or if the response has none, as possibly with ARC69. API: `nftMetadata`.")
	metadata.CustomType = jsontypes.NormalizedType{}
	return schema.Schema{
		MarkdownDescription: "A PDF that is minted as a non-fungible document on a blockchain. Destroying the resource only removes it from state, with a warning. The asset stays.\n\n" +
			"**Minting is public and permanent.** " + once + " The plan compares the file's content, not its path.\n\n" +
			"If the response is lost, the apply fails with nothing in state, and the error contains an `import` block. The API cannot list minted assets. " + staysInDoubt + importRecords,
		Attributes: map[string]schema.Attribute{
			"file_path":     fwtype.RequiredString("Path of a PDF, checked at plan time. API: part `file`.", fwtype.NotBlank),
			"file_name":     fileName("File name to send. Default: that of `file_path`. The plan warns if it does not end in `.pdf`. API: part `file`."),
			"image_path":    fwtype.OptionalString("Path of a thumbnail, PNG or JPEG, checked at plan time. The plan warns if the name does not end in `.png`, `.jpg` or `.jpeg`. API: part `image`.", fwtype.NotBlank),
			"unit_name":     fwtype.RequiredString("Name of the token, 1 to 8 characters. API: `unitName`.", fwtype.NotBlank, fwtype.LengthAtMost(8)),
			"asset_name":    fwtype.RequiredString("Full name of the asset, 1 to 32 characters. API: `assetName`.", fwtype.NotBlank, fwtype.LengthAtMost(32)),
			"nft_standard":  fwtype.RequiredString("`ARC3` or `ARC69`. API: `nftStandard`.", fwtype.OneOf(signing.StandardARC3, signing.StandardARC69)),
			"store_on_ipfs": schema.BoolAttribute{Required: true, MarkdownDescription: "Whether the PDF and the thumbnail are stored on IPFS, where anyone can read them and nobody can delete them. API: `storeOnIPFS`."},
			"description":   fwtype.OptionalString("Short description. API: `description`.", fwtype.NotBlank),
			"pages":         count("Number of pages. API: `pages`."),
			"word_count":    count("Number of words. API: `wordCount`."),
			"language":      fwtype.OptionalString("Language of the document. API: `language`.", fwtype.NotBlank),
			"creator":       fwtype.OptionalString("Author. API: `creator`.", fwtype.NotBlank),
			"creation_date": fwtype.OptionalString("Publication date in any format. API: `creationDate`.", fwtype.NotBlank),
			"creator_email": fwtype.OptionalText[fwtype.EmailKind]("Email address of the author, which becomes public. Compared without case. API: `creatorEmail`."),
			"id":            fwtype.ConstantString("Asset ID as a string. If the response has none, the transaction ID, or else the file's SHA-256. After an import, the imported ID."),
			"asset_id": schema.Int64Attribute{
				Computed:            true,
				MarkdownDescription: "Asset ID. Null if the response has none, or if the imported ID is not a number. API: `assetId`.",
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
			},
			"transaction_id": fwtype.ConstantString("Transaction ID. Null after an import, or if the response has none. API: `transactionId`."),
			"pdf_ipfs_url":   fwtype.ConstantString("URL of the PDF on IPFS. Null after an import, or if it is not stored there. API: `pdfIpfsUrl`."),
			"image_ipfs_url": fwtype.ConstantString("URL of the thumbnail on IPFS. Null after an import, or if there is none. API: `imageIpfsUrl`."),
			"metadata_json":  metadata,
			"file_sha256":    fwtype.ConstantString("SHA-256 of the PDF that was sent, in hex like `filesha256`."),
		},
	}
}

var passcodeForm = regexp.MustCompile(`^[1-9][0-9]{3,7}$`)

var passcodeDigits = &fwtype.StringRule{
	Secret: true, Check: fwtype.Matching(passcodeForm, passcodeRule),
}

const dayForm = "02-01-2006"

// dayMonthYear is the form of §8, and a day that exists.
var dayMonthYear = &fwtype.StringRule{Check: func(given string) error {
	if _, err := time.Parse(dayForm, given); err != nil {
		return errors.New("write an existing day as dd-mm-yyyy, such as 31-12-2026")
	}
	return nil
}}

// signerRules are what a signer's own attributes cannot check: an email address that is in the list twice, and what a
// Signature contains.
type signerRules struct{ fwtype.Undescribed }

func (signerRules) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	first := map[string]int{}
	for i, element := range req.ConfigValue.Elements() {
		signer, _ := element.(types.Object)
		email, _ := signer.Attributes()["email"].(fwtype.Email)
		annotations, _ := signer.Attributes()["annotations"].(types.List)
		at := req.Path.AtListIndex(i)
		before, twice := first[email.Normal()]
		switch {
		case email.ValueString() == "": // null or unknown, or rejected by its own rule
		case twice:
			resp.Diagnostics.AddAttributeWarning(at.AtName("email"), SummarySameSigner, sameSigner(email.ValueString(), req.Path.AtListIndex(before)))
		default:
			first[email.Normal()] = i
		}
		for j, annotation := range annotations.Elements() {
			if given, rule := brokenRule(annotation); rule != "" {
				at := at.AtName("annotations").AtListIndex(j).AtName("content")
				resp.Diagnostics.Append(diagnostic.InvalidValue(at, strconv.Quote(given), rule))
			}
		}
	}
}

// brokenRule is that of §2.4: a verified signature has the ID of a stored signature, any other one has the word Signature.
func brokenRule(annotation attr.Value) (given, rule string) {
	object, _ := annotation.(types.Object)
	kind, _ := object.Attributes()["type"].(types.String)
	content, _ := object.Attributes()["content"].(types.String)
	verified, _ := object.Attributes()["is_verified"].(types.Bool)
	given = content.ValueString()
	switch {
	case kind.ValueString() != signing.AnnotationSignature, content.IsNull(), content.IsUnknown(), verified.IsUnknown():
		return "", ""
	case verified.ValueBool() && (strings.TrimSpace(given) == "" || given == signing.AnnotationSignature):
		return given, storedSignatureNeeded
	case !verified.ValueBool() && given != signing.AnnotationSignature:
		return given, signatureWordNeeded
	default:
		return "", ""
	}
}
