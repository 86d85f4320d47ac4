package document

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func (d *documentDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A document with its recipients, annotations and activity log (Signing API §2.6, §4.4).\n\n" +
			"**Viewing writes a log entry** in the name of the key's user, with every plan and apply that reads this; a warning says so. Take the data source out when its fields are not needed any more.",
		Attributes: map[string]schema.Attribute{
			"doc_id": schema.StringAttribute{Required: true, MarkdownDescription: "Id of the document. API: `docId`.", Validators: []validator.String{fwtype.NotBlank}},
			"domain": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.HostKind]{},
				Optional:            true,
				MarkdownDescription: "Domain of the user; left out it is the default domain of personal accounts. API: `domain`.",
				Validators:          fwtype.TextRules[fwtype.HostKind](),
			},
			"document": schema.SingleNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The document itself. API: `document`.",
				Attributes:          viewedDocumentAttributes(),
			},
			"recipients": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "Signers and viewers. API: `recipients`.",
				NestedObject:        schema.NestedAttributeObject{Attributes: recipientAttributes()},
			},
			"annotations": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "Fields of all signers. API: `annotations`.",
				NestedObject:        schema.NestedAttributeObject{Attributes: viewedAnnotationAttributes()},
			},
			"logs": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "Activity log; this read's own entry is in it. API: `logs`.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"user_id":         fwtype.ComputedString("Id of the user. API: `userId`."),
					"action":          fwtype.ComputedString("What was done, such as `View`. API: `action`."),
					"created_at":      fwtype.ComputedTime("When (RFC 3339, UTC). API: `createdAt`."),
					"ip_addr":         fwtype.ComputedString("Address it came from. API: `ipAddr`."),
					"credential_name": fwtype.ComputedString("Name of the credential, if there is one. API: `credentialName`."),
				}},
			},
			"domain_owners": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "Owners of the domain. The service's documents do not give their shape. API: `domainOwners`.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"json": fwtype.ComputedJSON("The whole entry as normalised JSON."),
				}},
			},
			"owner_share_referral_code": fwtype.ComputedString("Referral code of the owner. API: `ownerShareReferralCode`."),
		},
	}
}

func viewedDocumentAttributes() map[string]schema.Attribute {
	out := map[string]schema.Attribute{
		"id":                      fwtype.ComputedString("Id of the document. API: `id`."),
		"title":                   fwtype.ComputedString("Title. API: `title`."),
		"owner_id":                fwtype.ComputedString("User id of the owner. API: `ownerId`."),
		"domain":                  fwtype.ComputedString("Domain the document is on. API: `domain`."),
		"created_at":              fwtype.ComputedTime("When it was uploaded (RFC 3339, UTC). API: `createdAt`."),
		"updated_at":              fwtype.ComputedTime("When it was last changed (RFC 3339, UTC). API: `updatedAt`."),
		"is_document_encrypted":   computedBool("Whether it is encrypted. API: `isDocumentEncrypted`."),
		"first_name":              fwtype.ComputedString("First name of the owner. API: `firstName`."),
		"last_name":               fwtype.ComputedString("Last name of the owner. API: `lastName`."),
		"email":                   fwtype.ComputedString("E-mail address of the owner. API: `email`."),
		"due_date":                fwtype.ComputedString("Day by which it is to be signed, as the service writes it; null for none. API: `dueDate`."),
		"owner_trust_score":       fwtype.ComputedNumber("Trust score of the owner. API: `ownerTrustScore`."),
		"additional_msg":          fwtype.ComputedString("Message to the signers; null for none. API: `additionalMsg`."),
		"require_notarisation":    computedBool("Whether it is to be notarised. API: `requireNotarisation`."),
		"notarisation_status":     fwtype.ComputedString("State of the notarisation; null for none. API: `notarisationStatus`."),
		"transaction_hash":        fwtype.ComputedString("Transaction of the notarisation; null for none. API: `transactionHash`."),
		"merkle_root":             fwtype.ComputedString("Merkle root of the notarisation; null for none. API: `merkleRoot`."),
		"notarisation_time_stamp": fwtype.ComputedTime("When it was notarised (RFC 3339, UTC); null for never. API: `notarisationTimeStamp`."),
		"passcode":                computedSecret("Passcode; null for none. It stands in the state. API: `passcode`."),
		"checksum":                fwtype.ComputedString("Checksum of the file. API: `checksum`."),
		"notarisation_network":    fwtype.ComputedString("Network of the notarisation; null for none. API: `notarisationNetwork`."),
		"payment_method":          fwtype.ComputedString("How it is paid; null for none. API: `paymentMethod`."),
		"template_id":             fwtype.ComputedString("Id of the template it came from; null for none. API: `templateId`."),
	}
	addVerification(out)
	return out
}

func recipientAttributes() map[string]schema.Attribute {
	out := map[string]schema.Attribute{
		"user_id":     fwtype.ComputedString("User id. API: `userId`."),
		"first_name":  fwtype.ComputedString("First name. API: `firstName`."),
		"last_name":   fwtype.ComputedString("Last name. API: `lastName`."),
		"sign_order":  fwtype.ComputedNumber("Smaller ones sign first. API: `signOrder`."),
		"trust_score": fwtype.ComputedNumber("Trust score. API: `trustScore`."),
		"status":      fwtype.ComputedString("Status as the service writes it, such as `Active`. API: `status`."),
		"email":       fwtype.ComputedString("E-mail address. API: `email`."),
		"role":        fwtype.ComputedString("Role as the service writes it; null for none. API: `role`."),
	}
	addVerification(out)
	return out
}

func viewedAnnotationAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id": fwtype.ComputedString("Id of the annotation, which `reseller_document_signing` takes. API: `id`."),
		"type": schema.SingleNestedAttribute{
			Computed:            true,
			MarkdownDescription: "Kind of field. API: `type`.",
			Attributes: map[string]schema.Attribute{
				"type":      fwtype.ComputedString("Such as `Signature`. API: `type.type`."),
				"file_path": fwtype.ComputedString("File of a signature, if there is one. API: `type.filePath`."),
			},
		},
		"is_verified": computedBool("Whether it is signed and verified. API: `isVerified`."),
		"content":     fwtype.ComputedString("What stands in it. API: `content`."),
		"width":       fwtype.ComputedNumber("Width. API: `width`."),
		"height":      fwtype.ComputedNumber("Height. API: `height`."),
		"x":           fwtype.ComputedNumber("Horizontal position. API: `x`."),
		"y":           fwtype.ComputedNumber("Vertical position. API: `y`."),
		"page":        fwtype.ComputedNumber("Page, the first is 1. API: `page`."),
		"font_size":   fwtype.ComputedString("Size of the font. API: `fontSize`."),
		"user_id":     fwtype.ComputedString("User id of the signer. API: `userId`."),
		"doc_id":      fwtype.ComputedString("Id of the document. API: `docId`."),
		"email":       fwtype.ComputedString("E-mail address of the signer. API: `email`."),
	}
}

func addVerification(to map[string]schema.Attribute) {
	to["verify_id_check"] = computedBool("Whether an identity check is asked for. API: `verifyIdCheck`.")
	to["verify_gov_id"] = computedBool("Whether a government id is asked for. API: `verifyGovId`.")
	to["verify_mobile_phone"] = computedBool("Whether a mobile phone is asked for. API: `verifyMobilePhone`.")
	to["verify_payment"] = computedBool("Whether a payment is asked for. API: `verifyPayment`.")
	to["verify_wallet"] = computedBool("Whether a wallet is asked for. API: `verifyWallet`.")
}

func computedBool(description string) schema.BoolAttribute {
	return schema.BoolAttribute{Computed: true, MarkdownDescription: description}
}

func computedSecret(description string) schema.StringAttribute {
	return schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: description}
}
