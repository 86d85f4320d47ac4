package document

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/file"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// mintedDocumentModel is what was minted (§2.7), and the answer to it (§4.6).
type mintedDocumentModel struct {
	FilePath     types.String `tfsdk:"file_path"`
	FileName     types.String `tfsdk:"file_name"`
	ImagePath    types.String `tfsdk:"image_path"`
	UnitName     types.String `tfsdk:"unit_name"`
	AssetName    types.String `tfsdk:"asset_name"`
	NFTStandard  types.String `tfsdk:"nft_standard"`
	StoreOnIPFS  types.Bool   `tfsdk:"store_on_ipfs"`
	Description  types.String `tfsdk:"description"`
	Pages        types.Int64  `tfsdk:"pages"`
	WordCount    types.Int64  `tfsdk:"word_count"`
	Language     types.String `tfsdk:"language"`
	Creator      types.String `tfsdk:"creator"`
	CreatorEmail fwtype.Email `tfsdk:"creator_email"`
	CreationDate types.String `tfsdk:"creation_date"`

	AssetID       types.Int64          `tfsdk:"asset_id"`
	TransactionID types.String         `tfsdk:"transaction_id"`
	PDFIPFSURL    types.String         `tfsdk:"pdf_ipfs_url"`
	ImageIPFSURL  types.String         `tfsdk:"image_ipfs_url"`
	MetadataJSON  jsontypes.Normalized `tfsdk:"metadata_json"`
	FileSHA256    types.String         `tfsdk:"file_sha256"`

	commonModel
}

func (m *mintedDocumentModel) operation() operation {
	name := m.named(m.AssetName)
	files := "Its PDF and thumbnail are stored on IPFS, where everyone can read them and nobody can delete them."
	if m.StoreOnIPFS.Equal(types.BoolValue(false)) {
		files = "Its files are not stored on IPFS."
	}
	return operation{
		imported:  m.AssetName.IsNull(),
		plannedID: types.StringUnknown(),
		importAs:  map[string]attr.Value{"asset_id": assetNumber(m.ID.ValueString())},
		content: []attr.Value{
			m.FileSHA256, m.imageSHA256, m.UnitName, m.AssetName, m.NFTStandard, m.StoreOnIPFS,
			m.Description, m.Pages, m.WordCount, m.Language, m.Creator, m.CreatorEmail, m.CreationDate,
		},
		files: []sentFile{
			{SentFile: file.MintedPDF, path: &m.FilePath, name: &m.FileName, sum: &m.FileSHA256},
			{SentFile: file.MintedImage, path: &m.ImagePath, sum: &m.imageSHA256},
		},
		created: effect.Warning{
			Topic: TopicMinting,
			Detail: fmt.Sprintf("%s is written to a blockchain with all configured values. It cannot be changed or deleted. %s",
				diagnostic.Capitalize(titled("asset", m.AssetName, unknownName)), files),
			Effects: []effect.Effect{{Event: minted, Name: effect.Text(m.AssetName)}},
		},
		left: left(name, "the minting of "+titled("asset", name, ""), "It stays on the blockchain, and its files stay on IPFS if they were stored there."),

		name:           "the " + titled("asset", name, ""),
		verb:           "minted",
		summary:        summaryMint,
		summaryUnknown: SummaryMintUnknown,
		unchanged:      "Nothing was minted",
		remedies: map[string]diagnostic.Remedy{
			signing.CodeNoFileAttached: at("file_path"), signing.CodeInvalidFileType: at("file_path"), signing.CodeFileAttachmentIssue: at("image_path"),
		},
		reason:   "A minted asset cannot be changed or deleted.",
		another:  "To mint another asset, add another resource.",
		typeName: "reseller_minted_document",
		attempt:  m.Attempt.ValueInt64(),
		importID: "ASSET_ID",
	}
}

func (m *mintedDocumentModel) execute(ctx context.Context, c *signing.Client, _ *string) (signing.Source, diag.Diagnostics, error) {
	minted, err := c.Mint(ctx, m.mint())
	if err != nil {
		return 0, nil, err
	}
	// Fields that the response does not have are null. The response for ARC69 is not documented.
	m.ID = types.StringValue(minted.ID(m.FileSHA256.ValueString()))
	m.AssetID = assetNumber(minted.AssetID)
	m.TransactionID = fwtype.TextOrNull(minted.TransactionID)
	m.PDFIPFSURL = fwtype.TextOrNull(minted.PDFIPFSURL)
	m.ImageIPFSURL = fwtype.TextOrNull(minted.ImageIPFSURL)
	m.MetadataJSON.StringValue = fwtype.TextOrNull(string(minted.Metadata))
	var warnings diag.Diagnostics
	if minted.AssetID == "" && minted.TransactionID == "" {
		warnings.AddWarning(summaryUnnamedAsset, unnamedAsset(m.operation().name, minted.Raw))
	}
	return minted.Source, warnings, nil
}

// sent needs no file: plan, state and private state have the hashes.
func (m *mintedDocumentModel) sent(context.Context) (signing.Operation, error) {
	sums := []string{m.FileSHA256.ValueString(), m.imageSHA256.ValueString()}
	sums = slices.DeleteFunc(sums, func(sum string) bool { return sum == "" }) // no thumbnail
	return m.mint().Operation(sums...), nil
}

// mint is the request (§4.6). Null values are omitted.
func (m *mintedDocumentModel) mint() signing.MintRequest {
	return signing.MintRequest{
		FilePath:     m.FilePath.ValueString(),
		FileName:     m.FileName.ValueString(),
		ImagePath:    m.ImagePath.ValueString(),
		UnitName:     m.UnitName.ValueString(),
		AssetName:    m.AssetName.ValueString(),
		StoreOnIPFS:  m.StoreOnIPFS.ValueBool(),
		NFTStandard:  m.NFTStandard.ValueString(),
		Description:  m.Description.ValueStringPointer(),
		Pages:        m.Pages.ValueInt64Pointer(),
		WordCount:    m.WordCount.ValueInt64Pointer(),
		Language:     m.Language.ValueStringPointer(),
		Creator:      m.Creator.ValueStringPointer(),
		CreatorEmail: m.CreatorEmail.ValueStringPointer(),
		CreationDate: m.CreationDate.ValueStringPointer(),
		Attempt:      m.Attempt.ValueInt64(),
	}
}

// assetNumber is the asset ID as a number, null if it is none.
func assetNumber(id string) types.Int64 {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return types.Int64Null()
	}
	return types.Int64Value(n)
}
