package simulator

import (
	"cmp"
	"fmt"
	"time"
)

// What users do with documents in the app, and what only the platform can do to the Signing API's key.

// SignInApp makes a signer open the emailed link and sign everything that is left for the signer. It is an error if it
// is not the signer's turn, or if nothing is left.
func (s *Simulator) SignInApp(docID, email string) error {
	return s.change(func(d *data) error {
		doc := d.Signing.document(docID)
		if doc == nil {
			return fmt.Errorf("no document has the ID %s", docID)
		}
		sg := doc.unsigned(email)
		if sg == nil {
			return fmt.Errorf("%s has nothing to sign", email)
		}
		if !doc.isTurnOf(sg) {
			return fmt.Errorf("it is not the turn of %s", email)
		}
		for i := range sg.Annotations {
			a := &sg.Annotations[i]
			if a.Verified {
				continue
			}
			a.Verified = true
			if a.Type == typeSignature {
				a.Content = d.signature(sg.Email, 0) // drawn there, or the stored one
			}
		}
		now := s.clock.Now()
		doc.UpdatedAt = millis(now)
		s.bookDocument(EntryDocumentSigned, doc, now)
		s.advance(doc, now)
		return nil
	})
}

// BreakInternalKeys makes every call of the Signing API respond with INVALID_API_KEY, until it is called with false.
func (s *Simulator) BreakInternalKeys(broken bool) error {
	return s.change(func(d *data) error { d.Signing.KeysMismatch = broken; return nil })
}

// SetSigningPermission allows the key's user to upload, sign and mint, or not.
func (s *Simulator) SetSigningPermission(allowed bool) error {
	return s.change(func(d *data) error { d.Signing.NoPermission = !allowed; return nil })
}

// RenewSigningKey creates a new key on the user's profile page; the old one matches no record any longer.
func (s *Simulator) RenewSigningKey() (key string, err error) {
	err = s.change(func(d *data) error {
		key = "sig_" + d.newID("signing-key")
		d.Signing.User.Key = key
		return nil
	})
	return key, err
}

// SigningUserEmail is the email address of the key's user.
func (s *Simulator) SigningUserEmail() string {
	return read(s, func(d *data) string { return d.Signing.User.Email })
}

// Signatures lists the IDs of a user's stored signatures: the key's user and all members have some.
func (s *Simulator) Signatures(email string) []string {
	return read(s, func(d *data) []string { return d.signatures(email) })
}

// DocumentView is a document in the books.
type DocumentView struct {
	ID, Title, FileName, SHA256 string
	Size                        int // bytes
	OwnerEmail                  string
	Domain                      string // empty: the default personal-account domain
	AdditionalMsg               *string
	RequireNotarisation         bool
	Passcode, DueDate           *string
	Viewers                     []string // email addresses
	Signers                     []SignerView
	Views                       int // entries of the log
	Complete                    bool
	CreatedAt, UpdatedAt        time.Time
}

// SignerView is a signer of a document.
type SignerView struct {
	Email, FirstName, LastName string
	SignOrder                  float64
	Signed                     bool
	Annotations                []AnnotationView
}

// AnnotationView is a field that a signer fills in.
type AnnotationView struct {
	ID, Type, Content         string
	Verified                  bool
	X, Y, Width, Height, Page float64
	FontSize                  string
}

// Documents lists all uploaded documents, oldest first.
func (s *Simulator) Documents() []DocumentView {
	return read(s, func(d *data) (out []DocumentView) {
		for _, doc := range d.Signing.Documents {
			out = append(out, doc.view())
		}
		return out
	})
}

func (doc *document) view() DocumentView {
	v := DocumentView{
		ID: doc.ID, Title: doc.Title, FileName: doc.FileName, SHA256: doc.SHA256, Size: doc.Size,
		OwnerEmail: doc.OwnerEmail, Domain: doc.Domain, AdditionalMsg: doc.AdditionalMsg, RequireNotarisation: doc.RequireNotarisation,
		Passcode: doc.Passcode, DueDate: doc.DueDate, Views: len(doc.Views), Complete: doc.CompletedAt != 0,
		CreatedAt: time.UnixMilli(doc.CreatedAt).UTC(), UpdatedAt: time.UnixMilli(doc.UpdatedAt).UTC(),
	}
	for _, p := range doc.Viewers {
		v.Viewers = append(v.Viewers, p.Email)
	}
	for i := range doc.Signers {
		sg := &doc.Signers[i]
		signerView := SignerView{Email: sg.Email, FirstName: sg.FirstName, LastName: sg.LastName, SignOrder: sg.SignOrder, Signed: sg.signed()}
		for _, a := range sg.Annotations {
			signerView.Annotations = append(signerView.Annotations, AnnotationView{
				ID: a.ID, Type: a.Type, Content: a.Content, Verified: a.Verified,
				X: a.Style.X, Y: a.Style.Y, Width: a.Style.Width, Height: a.Style.Height, Page: a.Style.Page, FontSize: a.Style.FontSize,
			})
		}
		v.Signers = append(v.Signers, signerView)
	}
	return v
}

// MintedView is a non-fungible document in the books.
type MintedView struct {
	AssetID             int64
	TransactionID       string
	Standard            string
	UnitName, AssetName string
	SHA256, ImageSHA256 string // ImageSHA256 is empty without an image
	PDFURL, ImageURL    string // empty when they are not stored on IPFS
	CreatedAt           time.Time
}

// Minted lists all non-fungible documents, oldest first.
func (s *Simulator) Minted() []MintedView {
	return read(s, func(d *data) (out []MintedView) {
		for _, m := range d.Signing.Minted {
			out = append(out, m.view())
		}
		return out
	})
}

func (m *mintedDoc) view() MintedView {
	image := cmp.Or(m.Image, &mintedFile{})
	return MintedView{
		AssetID: m.AssetID, TransactionID: m.TransactionID, Standard: m.Standard, UnitName: m.Metadata.UnitName, AssetName: m.Metadata.Name,
		SHA256: m.PDF.SHA256, ImageSHA256: image.SHA256, PDFURL: m.PDF.URL, ImageURL: image.URL, CreatedAt: time.UnixMilli(m.CreatedAt).UTC(),
	}
}
