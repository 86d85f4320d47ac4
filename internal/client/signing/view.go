package signing

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
)

// View is a viewed document (Signing API §2.6).
type View struct {
	Document               Document           `json:"document"`
	Recipients             []Recipient        `json:"recipients"`
	Annotations            []ViewedAnnotation `json:"annotations"`
	Logs                   []LogEntry         `json:"logs"`
	DomainOwners           Entries            `json:"domainOwners"`
	OwnerShareReferralCode string             `json:"ownerShareReferralCode,omitempty"`

	Raw json.RawMessage `json:"-"` // data of the response, normalized; may contain the passcode
}

// Entries are the elements of a field whose structure is not documented: those of an array, or any other value as the
// only one.
type Entries []json.RawMessage

// UnmarshalJSON reads any JSON; null is no entries.
func (e *Entries) UnmarshalJSON(raw []byte) error {
	var rows []json.RawMessage
	if json.Unmarshal(raw, &rows) != nil {
		rows = []json.RawMessage{bytes.Clone(raw)}
	}
	*e = rows
	return nil
}

// Document is the data of the document itself.
type Document struct {
	ID                  string          `json:"id"`
	Title               string          `json:"title,omitempty"`
	OwnerID             string          `json:"ownerId,omitempty"`
	Domain              string          `json:"domain,omitempty"`
	CreatedAt           *anyjson.Millis `json:"createdAt"`
	UpdatedAt           *anyjson.Millis `json:"updatedAt"`
	IsDocumentEncrypted *bool           `json:"isDocumentEncrypted"`
	FirstName           string          `json:"firstName,omitempty"` // of the owner, as LastName and Email
	LastName            string          `json:"lastName,omitempty"`
	Email               string          `json:"email,omitempty"`
	DueDate             *anyjson.Scalar `json:"dueDate"`
	OwnerTrustScore     *float64        `json:"ownerTrustScore"`
	AdditionalMsg       *string         `json:"additionalMsg"`
	RequireNotarisation *bool           `json:"requireNotarisation"`
	NotarisationStatus  *string         `json:"notarisationStatus"`
	TransactionHash     *string         `json:"transactionHash"`
	MerkleRoot          *string         `json:"merkleRoot"`
	NotarisationTime    *anyjson.Millis `json:"notarisationTimeStamp"`
	Passcode            *anyjson.Scalar `json:"passcode"` // secret
	Checksum            string          `json:"checksum,omitempty"`
	NotarisationNetwork *string         `json:"notarisationNetwork"`
	PaymentMethod       *string         `json:"paymentMethod"`
	TemplateID          *string         `json:"templateId"`
	IdentityVerification
}

// IdentityVerification is the identity check that a document or a recipient requires.
type IdentityVerification struct {
	VerifyIDCheck     *bool `json:"verifyIdCheck"`
	VerifyGovID       *bool `json:"verifyGovId"`
	VerifyMobilePhone *bool `json:"verifyMobilePhone"`
	VerifyPayment     *bool `json:"verifyPayment"`
	VerifyWallet      *bool `json:"verifyWallet"`
}

// Recipient is a signer or viewer.
type Recipient struct {
	UserID     string   `json:"userId,omitempty"`
	FirstName  string   `json:"firstName,omitempty"`
	LastName   string   `json:"lastName,omitempty"`
	SignOrder  *float64 `json:"signOrder"`
	TrustScore *float64 `json:"trustScore"`
	Status     string   `json:"status,omitempty"` // "Active" is one value
	Email      string   `json:"email,omitempty"`
	Role       *string  `json:"role"`
	IdentityVerification
}

// ViewedAnnotation is an annotation in a view.
type ViewedAnnotation struct {
	ID         string         `json:"id,omitempty"` // used by Sign
	Type       AnnotationType `json:"type"`
	IsVerified *bool          `json:"isVerified"`
	Content    string         `json:"content,omitempty"`
	Width      *float64       `json:"width"`
	Height     *float64       `json:"height"`
	X          *float64       `json:"x"`
	Y          *float64       `json:"y"`
	Page       *float64       `json:"page"`
	FontSize   string         `json:"fontSize,omitempty"`
	UserID     string         `json:"userId,omitempty"`
	DocID      string         `json:"docId,omitempty"`
	Email      string         `json:"email,omitempty"`
}

// AnnotationType is the type of a viewed annotation.
type AnnotationType struct {
	Type     string `json:"type,omitempty"`
	FilePath string `json:"filePath,omitempty"`
}

// LogEntry is an entry of the activity log.
type LogEntry struct {
	UserID         string          `json:"userId,omitempty"`
	Action         string          `json:"action,omitempty"` // "View" is one value
	CreatedAt      *anyjson.Millis `json:"createdAt"`
	IPAddr         string          `json:"ipAddr,omitempty"`
	CredentialName *string         `json:"credentialName"`
}

const opView = "view the document"

// View reads a document with its recipients, annotations and log (§4.4). The domain "" is the personal account. Each view writes a log entry in the user's
// name, so that it is not retried after a lost response. CodeInvalidDocID means that no document matches.
func (c *Client) View(ctx context.Context, docID, domain string) (View, error) {
	body := struct {
		DocID  string  `json:"docId"`
		Domain *string `json:"domain"`
	}{docID, jsonDomain(domain)}
	req := readAt(opView, http.MethodPost, c.paths.view)
	req.Body = body
	req.Retryable = false
	data, err := c.do(ctx, req)
	if err != nil {
		return View{}, err
	}
	raw, err := normalize(opView, placeOf(data, "document"))
	if err != nil {
		return View{}, err
	}
	view := View{Raw: raw}
	if err := anyjson.Read(raw, &view); err != nil {
		return View{}, unreadable(opView, "the response's data cannot be read: "+err.Error())
	}
	if view.Document.ID == "" {
		return View{}, unreadable(opView, "the response has no document that this version can find")
	}
	return view, nil
}

// Signature is a stored signature (§4.5).
type Signature struct {
	ID  string          // file name of an image; the content of a signed Signature annotation; "" if the entry shows none
	Raw json.RawMessage // the whole entry, normalized
}

const opSignatures = "list the signatures"

// SignatureList returns the user's stored signatures (§4.5). An entry without an ID that this version can find has only its
// JSON.
func (c *Client) SignatureList(ctx context.Context) ([]Signature, error) {
	data, err := c.do(ctx, readAt(opSignatures, http.MethodGet, c.paths.signatures))
	if err != nil {
		return nil, err
	}
	rows, err := signaturesIn(data)
	if err != nil {
		return nil, err
	}
	out := make([]Signature, len(rows))
	for i, row := range rows {
		if row, err = normalize(opSignatures, row); err != nil {
			return nil, err
		}
		out[i] = Signature{ID: signatureID(row), Raw: row}
	}
	return out, nil
}
