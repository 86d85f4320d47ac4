package document

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
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

func (r *mintedDocumentResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Optional: true, MarkdownDescription: description, Validators: []validator.String{fwtype.NotBlank}}
	}
	count := func(description string) schema.Int64Attribute {
		return schema.Int64Attribute{Optional: true, MarkdownDescription: description, Validators: []validator.Int64{int64validator.AtLeast(0)}}
	}
	result := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A PDF that is minted as a non-fungible document on a blockchain (Signing API §4.6). Both address families mint at the same address.\n\n" +
			"**Minting is public and for ever.** It is sent once; any change is an error at plan, nothing is ever replaced, and a destroy only forgets, with a warning: the asset stays. A file that moved with the same content is no change. A plan reads nothing. It cannot be imported.\n\n" +
			"Nothing can be read that would show what was minted: when the service's answer is lost, the apply fails with nothing in state, and says that it may have been minted and where to look before applying again.",
		Attributes: map[string]schema.Attribute{
			"file_path": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Path of the file: a PDF by its content, not empty. Judged at plan. API: part `file`.",
				Validators:          []validator.String{fwtype.NotBlank},
			},
			"image_path": text("Path of a thumbnail: PNG or JPEG by its content, not empty. Judged at plan. API: part `image`."),
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
				MarkdownDescription: "Whether PDF and thumbnail are stored on IPFS, where everybody can read them and nobody can delete them. API: `storeOnIPFS`.",
			},
			"description":   text("Short description. API: `description`."),
			"pages":         count("How many pages the document has. API: `pages`."),
			"word_count":    count("How many words the document has. API: `wordCount`."),
			"language":      text("Language of the document. API: `language`."),
			"creator":       text("Author. API: `creator`."),
			"creation_date": text("Day of publication, as you write it: its form is not documented. API: `creationDate`."),
			"creator_email": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.EmailKind]{},
				Optional:            true,
				MarkdownDescription: "E-mail address of the author, compared without case. It is public with the rest. API: `creatorEmail`.",
				Validators:          fwtype.TextRules[fwtype.EmailKind](),
				PlanModifiers:       []planmodifier.String{fwtype.KeepSpelling[fwtype.EmailKind]()},
			},
			"id": result("Asset id as text; the transaction id where the answer has no asset id, and the file's SHA-256 where it has neither."),
			"asset_id": schema.Int64Attribute{
				Computed:            true,
				MarkdownDescription: "Number of the asset; null where the answer has none. API: `assetId`.",
				PlanModifiers:       []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
			},
			"transaction_id": result("Id of the transaction; null where the answer has none. API: `transactionId`."),
			"pdf_ipfs_url":   result("Address of the PDF on IPFS; null where it is not stored there. API: `pdfIpfsUrl`."),
			"image_ipfs_url": result("Address of the thumbnail on IPFS; null where there is none. API: `imageIpfsUrl`."),
			"metadata_json": schema.StringAttribute{
				CustomType:          jsontypes.NormalizedType{},
				Computed:            true,
				MarkdownDescription: "The asset's metadata as normalised JSON; null where the answer has none (that for ARC69 is not documented). API: `nftMetadata`.",
				PlanModifiers:       []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"file_sha256": result("SHA-256 of the PDF that was sent, in hex as `filesha256` gives it."),
		},
	}
}
