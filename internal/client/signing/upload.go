package signing

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// UploadRequest is a document to send for signing (Signing API §2.1). Nil fields are omitted from the form, except for
// the domain.
type UploadRequest struct {
	FilePath            string // PDF, less than 10 MB
	FileName            string // name of the PDF file
	Title               string // shown to users instead of the file name
	OwnerEmail          string
	Domain              *string // nil: the personal account
	Viewers             []Viewer
	Signers             []Signer
	AdditionalMsg       *string
	RequireNotarisation bool
	Passcode            *string // 4 to 8 digits; secret
	DueDate             *string // dd-mm-yyyy
	Attempt             int64   // not sent: distinguishes an upload from an earlier one with the same content
}

// Viewer can see a document and its signatures (§2.2).
type Viewer struct {
	Email     string `json:"email"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
}

// Signer fills in or verifies annotations (§2.3).
type Signer struct {
	Domain      *string      `json:"domain"`
	Email       string       `json:"email"`
	FirstName   string       `json:"firstName"`
	LastName    string       `json:"lastName"`
	SignOrder   int64        `json:"signOrder"` // smaller ones sign first
	Annotations []Annotation `json:"annotations"`
}

// Types of an annotation (§2.4).
const (
	AnnotationName            = "Name"
	AnnotationDate            = "Date"
	AnnotationStamp           = "Stamp"
	AnnotationSignature       = "Signature"
	AnnotationNonEditableText = "NonEditableText"
	AnnotationEditableText    = "EditableText"
	AnnotationEmail           = "Email"
	AnnotationText            = "Text" // only the field's description mentions it
)

// Annotation is an edit by a signer (§2.4).
type Annotation struct {
	Type       string `json:"type"`
	Content    string `json:"content"` // of a verified Signature: the ID of the signature
	IsVerified bool   `json:"isVerified"`
	Style      Style  `json:"style"`
}

// Style is the position and the look of an annotation (§2.5).
type Style struct {
	Width    float64 `json:"width"`
	Height   float64 `json:"height"`
	X        float64 `json:"x"`
	Y        float64 `json:"y"`
	Page     int64   `json:"page"`
	FontSize *string `json:"fontSize,omitempty"` // a number followed by pt
}

const opUpload = "upload the document"

// Upload sends a document and returns its ID (§4.1). It is sent once and retried only if it had no effect (429, or not
// sent).
//
// Any other failure is an *UnknownUploadError: no read proves whether the document was uploaded. From then on the same
// upload is that error, and nothing is sent, until an import confirms it. A marker with a result is FromEarlierRun.
//
// API errors are *transport.Error with CodeInvalidAPIKey, CodeInvalidUserAPIKey, CodeNoPermission, CodeInvalidData,
// CodeNoFileAttached or CodeMissingBody. With a *onetime.InProgressError or *onetime.MarkerError nothing was sent.
func (c *Client) Upload(ctx context.Context, req UploadRequest) (docID string, source Source, err error) {
	fields, err := req.fields()
	if err != nil {
		return "", 0, fmt.Errorf("%s: %w", opUpload, transport.NotSent(err))
	}
	file := transport.FormFile{Name: "file", Path: req.FilePath, FileName: req.FileName, ContentType: "application/pdf"}
	form, sums, err := openForm(ctx, opUpload, fields, file)
	if err != nil {
		return "", 0, err
	}
	defer form.Close()
	sent := writeAt(opUpload, c.paths.upload, req.Passcode)
	sent.Form = form
	return sendOnce(ctx, c, req.operation(fields, sums[0]), sent, readDocID)
}

// Operation returns what identifies the upload of a file with this SHA-256, in hex.
func (r UploadRequest) Operation(sha256 string) (Operation, error) {
	fields, err := r.fields()
	return r.operation(fields, sha256), err
}

func (r UploadRequest) operation(fields []transport.FormField, sha256 string) Operation {
	return Operation{
		op: opUpload, parts: formParts(r.Attempt, fields, []string{sha256}), isSaved: isText,
		unknown: func(ctx context.Context, c *Client, startedAt time.Time, first error) error {
			return c.unknownUpload(ctx, r, sha256, startedAt, first)
		},
	}
}

// fields returns the arrays as JSON texts, and the other fields, without the file. The API documentation does not show
// the encoding, only that arrays and file are in one body.
func (r UploadRequest) fields() ([]transport.FormField, error) {
	viewers, err := anyjson.Encode(append([]Viewer{}, r.Viewers...))
	if err != nil {
		return nil, err
	}
	signers := append([]Signer{}, r.Signers...)
	for i := range signers {
		signers[i].Annotations = append([]Annotation{}, signers[i].Annotations...) // encoded as [], not null
		signers[i].Domain = jsonDomain(text(signers[i].Domain))
	}
	signing, err := anyjson.Encode(signers)
	if err != nil {
		return nil, err
	}
	return givenFields([]optional{
		{"viewers", new(string(viewers))},
		{"signers", new(string(signing))},
		{"ownerEmail", &r.OwnerEmail},
		{"title", &r.Title},
		{"fileName", &r.FileName},
		{"domain", new(formDomain(text(r.Domain)))},
		{"additionalMsg", r.AdditionalMsg},
		{"requireNotarisation", new(strconv.FormatBool(r.RequireNotarisation))},
		{"passcode", r.Passcode},
		{"dueDate", r.DueDate},
	}), nil
}
