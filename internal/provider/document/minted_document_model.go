package document

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// mintedDocumentModel is what was minted (§2.7), and the answer to it (§4.6).
type mintedDocumentModel struct {
	FilePath     types.String `tfsdk:"file_path"`
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

	ID            types.String         `tfsdk:"id"`
	AssetID       types.Int64          `tfsdk:"asset_id"`
	TransactionID types.String         `tfsdk:"transaction_id"`
	PDFIPFSURL    types.String         `tfsdk:"pdf_ipfs_url"`
	ImageIPFSURL  types.String         `tfsdk:"image_ipfs_url"`
	MetadataJSON  jsontypes.Normalized `tfsdk:"metadata_json"`
	FileSHA256    types.String         `tfsdk:"file_sha256"`
}

func (m *mintedDocumentModel) operation() operation {
	return operation{
		name:           quoted("asset", m.AssetName),
		verb:           "minted",
		summary:        summaryMint,
		summaryUnknown: summaryMintUnknown,
		reason:         "A minted asset cannot be changed or deleted. Minting it again would create a second asset.",
		another:        "To mint another asset, add another resource.",
		typeName:       "reseller_minted_document",
	}
}

// fingerprint omits the path, because the content counts, and the thumbnail, because its content is not in state.
func (m *mintedDocumentModel) fingerprint(ctx context.Context) string {
	return fingerprint(ctx, "minted", m.FileSHA256, m.UnitName, m.AssetName, m.NFTStandard, m.StoreOnIPFS,
		m.Description, m.Pages, m.WordCount, m.Language, m.Creator, m.CreatorEmail, m.CreationDate)
}

// confirm needs no file: state and private state have their hashes.
func (m *mintedDocumentModel) confirm(ctx context.Context, c *signing.Client, mem session.PrivateState) {
	sums := []string{m.FileSHA256.ValueString()}
	if mem.ImageSHA256 != "" {
		sums = append(sums, mem.ImageSHA256)
	}
	c.MintSaved(ctx, m.mint(), sums, func(minted signing.MintResult) bool {
		other := *m
		other.fromAPI(minted)
		return other.ID.Equal(m.ID)
	})
}

// mint is the request (§4.6). Null values are omitted.
func (m *mintedDocumentModel) mint() signing.MintRequest {
	return signing.MintRequest{
		FilePath:     m.FilePath.ValueString(),
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
	}
}

// fromAPI copies the response; fields that it does not have are null. The response for ARC69 is not documented.
func (m *mintedDocumentModel) fromAPI(r signing.MintResult) {
	m.AssetID = types.Int64Null()
	if n, err := strconv.ParseInt(r.AssetID, 10, 64); err == nil {
		m.AssetID = types.Int64Value(n)
	}
	m.TransactionID = fwtype.TextOrNull(r.TransactionID)
	m.PDFIPFSURL = fwtype.TextOrNull(r.PDFIPFSURL)
	m.ImageIPFSURL = fwtype.TextOrNull(r.ImageIPFSURL)
	m.MetadataJSON = jsonOrNull(r.Metadata)
	switch {
	case r.AssetID != "":
		m.ID = types.StringValue(r.AssetID)
	case r.TransactionID != "":
		m.ID = types.StringValue(r.TransactionID)
	default:
		m.ID = m.FileSHA256 // an ID is required
	}
}

func jsonOrNull(raw json.RawMessage) jsontypes.Normalized {
	if len(raw) == 0 {
		return jsontypes.NewNormalizedNull()
	}
	return jsontypes.NewNormalizedValue(string(raw))
}
