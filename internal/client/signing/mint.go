package signing

import (
	"cmp"
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
	FileName     string // "" is the name of the file
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
	Attempt      int64 // not sent: distinguishes a mint from an earlier one with the same content
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
// outcome: a lost response is a *transport.UnknownOutcomeError. From then on the same mint is that error, and nothing is
// sent, until an import confirms it. A marker with a result is FromEarlierRun.
//
// API errors are *transport.Error with CodeInvalidAPIKey, CodeInvalidUserAPIKey, CodeNoPermission, CodeInvalidData,
// CodeNoFileAttached, CodeFileAttachmentIssue or CodeInvalidFileType. With a *onetime.InProgressError or
// *onetime.MarkerError nothing was sent.
func (c *Client) Mint(ctx context.Context, req MintRequest) (MintResult, error) {
	files := []transport.FormFile{{Name: "file", Path: req.FilePath, FileName: req.FileName, ContentType: "application/pdf"}}
	if req.ImagePath != "" {
		files = append(files, transport.FormFile{Name: "image", Path: req.ImagePath})
	}
	form, sums, err := openForm(ctx, opMint, req.fields(), files...)
	if err != nil {
		return MintResult{}, err
	}
	defer form.Close()
	sent := writeAt(opMint, pathMint, nil)
	sent.Form = form
	data, source, err := sendOnce(ctx, c, req.Operation(sums...), sent, func(data json.RawMessage) (json.RawMessage, error) { return data, nil })
	if err != nil {
		return MintResult{}, err
	}
	minted := readMint(data)
	minted.Source = source
	return minted, nil
}

// ID returns the asset ID, else the transaction ID, else the SHA-256 of the PDF: an ID is required.
func (r MintResult) ID(sha256 string) string {
	return cmp.Or(r.AssetID, r.TransactionID, sha256)
}

// Operation returns what identifies the mint of files with these SHA-256 hashes, in hex: of the PDF, and of the thumbnail
// if there is one.
func (r MintRequest) Operation(sums ...string) Operation {
	return Operation{
		op: opMint, parts: formParts(r.Attempt, r.fields(), sums),
		isSaved: func(result json.RawMessage, id string) bool { return readMint(result).ID(sums[0]) == id },
		unknown: func(_ context.Context, _ *Client, _ time.Time, first error) error {
			return unknownOutcome(opMint, fmt.Sprintf("%q (unit name %q)", r.AssetName, r.UnitName), ReasonMint, first,
				"It may have been minted.")
		},
	}
}

func (r MintRequest) fields() []transport.FormField {
	return givenFields([]optional{
		{"unitName", &r.UnitName},
		{"assetName", &r.AssetName},
		{"storeOnIPFS", new(strconv.FormatBool(r.StoreOnIPFS))},
		{"nftStandard", &r.NFTStandard},
		{"description", r.Description},
		{"pages", digits(r.Pages)},
		{"wordCount", digits(r.WordCount)},
		{"language", r.Language},
		{"creator", r.Creator},
		{"creatorEmail", r.CreatorEmail},
		{"creationDate", r.CreationDate},
	})
}

func digits(n *int64) *string {
	if n == nil {
		return nil
	}
	text := strconv.FormatInt(*n, 10)
	return &text
}
