package document

import (
	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// Limits of §8, in characters.
const (
	maxUnitName  = 8
	maxAssetName = 32
)

func mintedDocumentSchema() schema.Schema {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Optional: true, MarkdownDescription: description, Validators: []validator.String{fwtype.NotBlank}}
	}
	count := func(description string) schema.Int64Attribute {
		return schema.Int64Attribute{Optional: true, MarkdownDescription: description, Validators: []validator.Int64{int64validator.AtLeast(0)}}
	}
	result := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}}
	}
	return schema.Schema{
		MarkdownDescription: "A PDF that is minted as a non-fungible document on a blockchain. Both path families of the Signing API mint at the same URL.\n\n" +
			"**Minting is public and permanent.** The resource makes its API call on create, and nothing on read, update or delete. Changing an attribute returns an error at plan time; the resource is never replaced. A destroy only removes it from state, with a warning: the asset stays. The plan compares the file's content, not its path.\n\n" +
			"The API cannot list minted assets. If the response is lost, the apply fails with nothing in state, and the error says where to look before you apply again, and has an `import` block. " + importRecords,
		Attributes: map[string]schema.Attribute{
			"file_path": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Path of the file: a PDF (by content), not empty. Checked at plan time. API: part `file`.",
				Validators:          []validator.String{fwtype.NotBlank},
			},
			"image_path": text("Path of a thumbnail: PNG or JPEG (by content), not empty. Checked at plan time. API: part `image`."),
			"unit_name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name of the token, 1 to 8 characters. API: `unitName`.",
				Validators:          []validator.String{fwtype.NotBlank, stringvalidator.UTF8LengthAtMost(maxUnitName)},
			},
			"asset_name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Full name of the asset, 1 to 32 characters. API: `assetName`.",
				Validators:          []validator.String{fwtype.NotBlank, stringvalidator.UTF8LengthAtMost(maxAssetName)},
			},
			"nft_standard": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "`ARC3` or `ARC69`. API: `nftStandard`.",
				Validators:          []validator.String{stringvalidator.OneOf(signing.StandardARC3, signing.StandardARC69)},
			},
			"store_on_ipfs": schema.BoolAttribute{
				Required:            true,
				MarkdownDescription: "Whether the PDF and the thumbnail are stored on IPFS, where anyone can read them and nobody can delete them. API: `storeOnIPFS`.",
			},
			"description":   text("Short description. API: `description`."),
			"pages":         count("Number of pages. API: `pages`."),
			"word_count":    count("Number of words. API: `wordCount`."),
			"language":      text("Language of the document. API: `language`."),
			"creator":       text("Author. API: `creator`."),
			"creation_date": text("Publication date, sent unchanged; the API documentation gives no format. API: `creationDate`."),
			"creator_email": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.EmailKind]{},
				Optional:            true,
				MarkdownDescription: "Email address of the author, compared without case. It is public, like all attributes. API: `creatorEmail`.",
				Validators:          fwtype.TextRules[fwtype.EmailKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.EmailKind]()},
			},
			"id": result("Asset ID as a string; the transaction ID if the response has no asset ID; the file's SHA-256 if it has neither. After an import, the imported ID."),
			"asset_id": schema.Int64Attribute{
				Computed:            true,
				MarkdownDescription: "Asset ID; null if the response has none, or if the imported ID is not a number. API: `assetId`.",
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
			},
			"transaction_id": result("Transaction ID; null if the response has none, and after an import. API: `transactionId`."),
			"pdf_ipfs_url":   result("URL of the PDF on IPFS; null if it is not stored there, and after an import. API: `pdfIpfsUrl`."),
			"image_ipfs_url": result("URL of the thumbnail on IPFS; null if there is none, and after an import. API: `imageIpfsUrl`."),
			"metadata_json": schema.StringAttribute{
				CustomType:          jsontypes.NormalizedType{},
				Computed:            true,
				MarkdownDescription: "The asset's metadata as normalized JSON; null if the response has none (the API documentation does not give it for ARC69), and after an import. API: `nftMetadata`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"file_sha256": result("SHA-256 of the PDF that was sent, in hex like `filesha256`."),
		},
	}
}
