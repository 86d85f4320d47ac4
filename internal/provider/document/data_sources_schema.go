package document

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func sentDocumentsSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Documents that the API key's user sent from an account domain. Reading the list adds no log entry.",
		Attributes: map[string]schema.Attribute{
			"domain": domainArgument("Account domain of the documents. Default: personal accounts. API: `domain`."),
			"json":   fwtype.ComputedJSON("`data` of the response as normalized JSON. Its format is not documented. Passwords are replaced by `(sensitive)`: `passcode`, `docPassword` and `password`."),
		},
	}
}

// domainArgument is any name: the API documentation gives it no form.
func domainArgument(description string) schema.StringAttribute {
	return schema.StringAttribute{Optional: true, MarkdownDescription: description, Validators: []validator.String{fwtype.NotBlank}}
}

func signaturesSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Stored signatures of the API key's user. To sign an annotation with one, use its ID as the content.",
		Attributes: map[string]schema.Attribute{
			"signatures": fwtype.ComputedRows("Signatures, in the API's order.", map[string]schema.Attribute{
				"id":   fwtype.ComputedString("ID, which is the name of an image file. Null if the entry contains no ID."),
				"json": fwtype.ComputedJSON("The entire entry as normalized JSON. Only its ID is documented."),
			}),
		},
	}
}

func viewedSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "A document with its recipients, annotations and activity log.\n\n" +
			"**Each read adds a log entry** in the name of the API key's user, with every plan and apply. The plan shows a warning. Remove the data source when you no longer need it.",
		Attributes: map[string]schema.Attribute{
			"doc_id":      schema.StringAttribute{Required: true, MarkdownDescription: "ID of the document. API: `docId`.", Validators: []validator.String{fwtype.NotBlank}},
			"domain":      domainArgument("Account domain of the API key's user. Default: personal accounts. API: `domain`."),
			"document":    fwtype.ComputedObject("Document. API: `document`.", viewedDocumentAttributes()),
			"recipients":  fwtype.ComputedRows("Recipients of the document. API: `recipients`.", recipientAttributes()),
			"annotations": fwtype.ComputedRows("Annotations of all signers. API: `annotations`.", viewedAnnotationAttributes()),
			"logs": fwtype.ComputedRows("Activity log, including the entry of this read. API: `logs`.", map[string]schema.Attribute{
				"user_id":         fwtype.ComputedString("ID of the user. API: `userId`."),
				"action":          fwtype.ComputedString("Action, such as `View`. API: `action`."),
				"created_at":      fwtype.ComputedTime("Time of the action (RFC 3339, UTC). API: `createdAt`."),
				"ip_addr":         fwtype.ComputedString("Source IP address. API: `ipAddr`."),
				"credential_name": fwtype.ComputedString("Name of the credential. API: `credentialName`."),
			}),
			"domain_owners": fwtype.ComputedRows("Owners of the domain. Their format is not documented. API: `domainOwners`.", map[string]schema.Attribute{
				"json": fwtype.ComputedJSON("The entire entry as normalized JSON."),
			}),
			"owner_share_referral_code": fwtype.ComputedString("Referral code of the owner. API: `ownerShareReferralCode`."),
		},
	}
}

func viewedDocumentAttributes() map[string]schema.Attribute {
	return withVerification(map[string]schema.Attribute{
		"id":                      fwtype.ComputedString("ID of the document. API: `id`."),
		"title":                   fwtype.ComputedString("Title. API: `title`."),
		"owner_id":                fwtype.ComputedString("User ID of the owner. API: `ownerId`."),
		"domain":                  fwtype.ComputedString("Domain of the document. API: `domain`."),
		"created_at":              fwtype.ComputedTime("When the document was uploaded (RFC 3339, UTC). API: `createdAt`."),
		"updated_at":              fwtype.ComputedTime("When the document was last changed (RFC 3339, UTC). API: `updatedAt`."),
		"is_document_encrypted":   fwtype.ComputedBool("Whether the document is encrypted. API: `isDocumentEncrypted`."),
		"first_name":              fwtype.ComputedString("First name of the owner. API: `firstName`."),
		"last_name":               fwtype.ComputedString("Last name of the owner. API: `lastName`."),
		"email":                   fwtype.ComputedString("Email address of the owner. API: `email`."),
		"due_date":                fwtype.ComputedString("Due date. Null if none. API: `dueDate`."),
		"owner_trust_score":       fwtype.ComputedNumber("Trust score of the owner. API: `ownerTrustScore`."),
		"additional_msg":          fwtype.ComputedString("Message to the signers. Null if none. API: `additionalMsg`."),
		"require_notarisation":    fwtype.ComputedBool("Whether the document is notarized. API: `requireNotarisation`."),
		"notarisation_status":     fwtype.ComputedString("Status of the notarization. Null if none. API: `notarisationStatus`."),
		"transaction_hash":        fwtype.ComputedString("Transaction of the notarization. Null if none. API: `transactionHash`."),
		"merkle_root":             fwtype.ComputedString("Merkle root of the notarization. Null if none. API: `merkleRoot`."),
		"notarisation_time_stamp": fwtype.ComputedTime("When the document was notarized (RFC 3339, UTC). Null if never. API: `notarisationTimeStamp`."),
		"passcode":                schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: "Passcode, stored in state. Null if none. API: `passcode`."},
		"checksum":                fwtype.ComputedString("Checksum of the file. API: `checksum`."),
		"notarisation_network":    fwtype.ComputedString("Network of the notarization. Null if none. API: `notarisationNetwork`."),
		"payment_method":          fwtype.ComputedString("Payment method. Null if none. API: `paymentMethod`."),
		"template_id":             fwtype.ComputedString("ID of the template. Null if none. API: `templateId`."),
	})
}

func recipientAttributes() map[string]schema.Attribute {
	return withVerification(map[string]schema.Attribute{
		"user_id":     fwtype.ComputedString("User ID. API: `userId`."),
		"first_name":  fwtype.ComputedString("First name. API: `firstName`."),
		"last_name":   fwtype.ComputedString("Last name. API: `lastName`."),
		"sign_order":  fwtype.ComputedNumber("Signing order. API: `signOrder`."),
		"trust_score": fwtype.ComputedNumber("Trust score. API: `trustScore`."),
		"status":      fwtype.ComputedString("Status, such as `Active`. API: `status`."),
		"email":       fwtype.ComputedString("Email address. API: `email`."),
		"role":        fwtype.ComputedString("Role. Null if none. API: `role`."),
	})
}

func viewedAnnotationAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id": fwtype.ComputedString("ID of the annotation, for `reseller_document_signing`. API: `id`."),
		"type": fwtype.ComputedObject("Type of the annotation. API: `type`.", map[string]schema.Attribute{
			"type":      fwtype.ComputedString("Type, such as `Signature`. API: `type.type`."),
			"file_path": fwtype.ComputedString("File, such as a signature. API: `type.filePath`."),
		}),
		"is_verified": fwtype.ComputedBool("Whether the annotation is signed and verified. API: `isVerified`."),
		"content":     fwtype.ComputedString("Content. API: `content`."),
		"width":       fwtype.ComputedNumber("Width. API: `width`."),
		"height":      fwtype.ComputedNumber("Height. API: `height`."),
		"x":           fwtype.ComputedNumber("Horizontal position. API: `x`."),
		"y":           fwtype.ComputedNumber("Vertical position. API: `y`."),
		"page":        fwtype.ComputedNumber("Page. API: `page`."),
		"font_size":   fwtype.ComputedString("Font size. API: `fontSize`."),
		"user_id":     fwtype.ComputedString("User ID of the signer. API: `userId`."),
		"doc_id":      fwtype.ComputedString("ID of the document. API: `docId`."),
		"email":       fwtype.ComputedString("Email address of the signer. API: `email`."),
	}
}

// withVerification adds the identity check that a document or a recipient requires.
func withVerification(attributes map[string]schema.Attribute) map[string]schema.Attribute {
	attributes["verify_id_check"] = fwtype.ComputedBool("Identity verification: identity check. API: `verifyIdCheck`.")
	attributes["verify_gov_id"] = fwtype.ComputedBool("Identity verification: government ID. API: `verifyGovId`.")
	attributes["verify_mobile_phone"] = fwtype.ComputedBool("Identity verification: mobile phone. API: `verifyMobilePhone`.")
	attributes["verify_payment"] = fwtype.ComputedBool("Identity verification: payment. API: `verifyPayment`.")
	attributes["verify_wallet"] = fwtype.ComputedBool("Identity verification: wallet. API: `verifyWallet`.")
	return attributes
}
