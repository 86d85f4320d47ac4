package signing

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Standards of a minted document (Signing API §2.7).
const (
	StandardARC3  = "ARC3"
	StandardARC69 = "ARC69"
)

// MintRequest is a document to mint (§2.7). Nil fields are omitted.
type MintRequest struct {
	FilePath     string // PDF
	ImagePath    string // thumbnail, PNG or JPEG; "" for none
	UnitName     string // at most 8 characters
	AssetName    string // at most 32 characters
	StoreOnIPFS  bool
	NFTStandard  string // StandardARC3 or StandardARC69
	Description  *string
	Pages        *int64
	WordCount    *int64
	Language     *string
	Creator      *string
	CreatorEmail *string
	CreationDate *string
}

// MintResult is the data of the response. For ARC69 its fields are not documented: fields that are not found are empty,
// since an error would lose the result of a mint that took effect.
type MintResult struct {
	AssetID       string // digits of a number
	TransactionID string
	PDFIPFSURL    string
	ImageIPFSURL  string
	Metadata      json.RawMessage // nftMetadata, normalized; nil if missing
	Raw           json.RawMessage // data of the response, normalized; nil if missing
	Source        Source
}

const opMint = "mint the document"

// Mint mints a document (§4.6), with the same path for both families. It is sent once, and no endpoint shows its
// outcome: a lost response is a *transport.UnknownOutcomeError. So is a mint that an earlier run began, unless its
// marker has the result (FromEarlierRun).
//
// API errors are *transport.Error with CodeInvalidAPIKey, CodeInvalidUserAPIKey, CodeNoPermission, CodeInvalidData,
// CodeNoFileAttached, CodeFileAttachmentIssue or CodeInvalidFileType. With a *transport.InProgressError or
// *transport.MarkerError nothing was sent.
func (c *Client) Mint(ctx context.Context, req MintRequest) (MintResult, error) {
	files, err := req.files()
	defer transport.CloseFiles(files)
	if err != nil {
		return MintResult{}, fmt.Errorf("%s: %w", opMint, transport.NotSent(err))
	}
	sums, err := hashes(ctx, opMint, opened(files)...)
	if err != nil {
		return MintResult{}, err
	}
	var data json.RawMessage
	op, err := c.beginOperation(ctx, opMint, &data, formParts(req.fields(), sums...)...)
	if err != nil {
		return MintResult{}, err
	}
	defer op.Keep(ctx, nil) // reached with the lock held only after a panic
	source := FromResponse
	if op.adopted {
		source = FromEarlierRun
	} else {
		data, err = c.mintOnce(ctx, op, req, files)
	}
	result := data
	if result == nil {
		result = json.RawMessage("null") // minted, but the response has no data
	}
	op.end(ctx, result, err)
	if err != nil {
		return MintResult{}, err
	}
	minted := readMint(data)
	minted.Source = source
	return minted, nil
}

// mintOnce sends the mint, unless an earlier run may have sent it, and returns the data of the response.
func (c *Client) mintOnce(ctx context.Context, op *operation, req MintRequest, files []transport.FormFile) (json.RawMessage, error) {
	body, err := transport.NewForm(req.fields(), files)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", opMint, transport.NotSent(err))
	}
	if op.earlier != nil {
		return nil, req.unknownOutcome(op.earlier)
	}
	data, err := c.do(ctx, &call{op: opMint, endpoint: routeMint, form: body, writes: true})
	if mayHaveHappened(err) {
		return nil, req.unknownOutcome(err)
	}
	return data, err
}

// MintSaved removes the marker of a mint whose result is in state, as isSaved reports, from a create or an import. sums
// are the SHA-256 hashes of the PDF and of the thumbnail, if any.
func (c *Client) MintSaved(ctx context.Context, req MintRequest, sums []string, isSaved func(MintResult) bool, imported bool) {
	c.confirm(ctx, imported, func(result json.RawMessage) bool { return isSaved(readMint(result)) }, opMint, formParts(req.fields(), sums...))
}

func (r MintRequest) unknownOutcome(first error) error {
	return &transport.UnknownOutcomeError{
		Op: opMint, Subject: fmt.Sprintf("%q (unit name %q)", r.AssetName, r.UnitName), Reason: ReasonMint, Err: first,
		Seen: "The response was lost, and the asset may have been minted. The API has no call that shows it.",
	}
}

func (r MintRequest) files() ([]transport.FormFile, error) {
	pdf, err := transport.OpenUpload(r.FilePath)
	if err != nil {
		return nil, err
	}
	files := []transport.FormFile{{Name: "file", FileName: filepath.Base(r.FilePath), ContentType: "application/pdf", File: pdf}}
	if r.ImagePath == "" {
		return files, nil
	}
	image, err := transport.OpenUpload(r.ImagePath)
	if err != nil {
		return files, err
	}
	return append(files, transport.FormFile{Name: "image", FileName: filepath.Base(r.ImagePath), ContentType: image.ImageType(), File: image}), nil
}

func opened(parts []transport.FormFile) []*transport.UploadFile {
	var files []*transport.UploadFile
	for _, p := range parts {
		files = append(files, p.File)
	}
	return files
}

func (r MintRequest) fields() []transport.FormField {
	fields := []transport.FormField{
		{Name: "unitName", Value: r.UnitName},
		{Name: "assetName", Value: r.AssetName},
		{Name: "storeOnIPFS", Value: strconv.FormatBool(r.StoreOnIPFS)},
		{Name: "nftStandard", Value: r.NFTStandard},
	}
	fields = withOptional(fields, "description", r.Description)
	fields = withOptional(fields, "pages", digits(r.Pages))
	fields = withOptional(fields, "wordCount", digits(r.WordCount))
	fields = withOptional(fields, "language", r.Language)
	fields = withOptional(fields, "creator", r.Creator)
	fields = withOptional(fields, "creatorEmail", r.CreatorEmail)
	return withOptional(fields, "creationDate", r.CreationDate)
}

func digits(n *int64) *string {
	if n == nil {
		return nil
	}
	text := strconv.FormatInt(*n, 10)
	return &text
}

// readMint reads data.assetId and data.result.assetId.
func readMint(data json.RawMessage) MintResult {
	asset := readObject(data)
	if inner := readObject(asset["result"]); inner != nil {
		asset = inner
	}
	result := MintResult{
		AssetID: asset.text("assetId"), TransactionID: asset.text("transactionId"),
		PDFIPFSURL: asset.text("pdfIpfsUrl"), ImageIPFSURL: asset.text("imageIpfsUrl"),
	}
	// Metadata that cannot be normalized is omitted.
	if metadata := asset["nftMetadata"]; string(metadata) != "null" {
		result.Metadata, _ = normalize(opMint, metadata)
	}
	result.Raw, _ = normalize(opMint, data)
	return result
}
