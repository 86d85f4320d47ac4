package signing

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

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
	files := []transport.FormFile{{Name: "file", Path: req.FilePath, ContentType: "application/pdf"}}
	if req.ImagePath != "" {
		files = append(files, transport.FormFile{Name: "image", Path: req.ImagePath})
	}
	form, sums, err := openForm(ctx, opMint, req.fields(), files...)
	if err != nil {
		return MintResult{}, err
	}
	defer form.Close()
	data, source, err := sendOnce(ctx, c, oneTimeCall[json.RawMessage]{
		call:  call{op: opMint, endpoint: routeMint, form: form, writes: true},
		parts: formParts(req.fields(), sums),
		read:  func(data json.RawMessage) (json.RawMessage, error) { return data, nil },
		unknown: func(_ context.Context, _ time.Time, first error) error {
			return &transport.UnknownOutcomeError{
				Op: opMint, Subject: fmt.Sprintf("%q (unit name %q)", req.AssetName, req.UnitName), Reason: ReasonMint, Err: first,
				Seen: "The response was lost, and the asset may have been minted. The API has no call that shows it.",
			}
		},
	})
	if err != nil {
		return MintResult{}, err
	}
	minted := readMint(data)
	minted.Source = source
	return minted, nil
}

// MintSaved removes the marker of a mint whose result is in state, as isSaved reports, from a create or an import. sums
// are the SHA-256 hashes of the PDF and of the thumbnail, if any.
func (c *Client) MintSaved(ctx context.Context, req MintRequest, sums []string, isSaved func(MintResult) bool, imported bool) {
	confirm(ctx, c, imported, func(saved json.RawMessage) bool { return isSaved(readMint(saved)) }, opMint, formParts(req.fields(), sums))
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
