package simulator

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// signingBooks are the data of the Signing API. They have the digest, size and name of files instead of the files.
type signingBooks struct {
	User         signingUser  `json:"user"`
	Documents    []*document  `json:"documents,omitempty"`
	Minted       []*mintedDoc `json:"minted,omitempty"`
	KeysMismatch bool         `json:"keys_mismatch,omitempty"` // the internal keys do not match (§5)
	NoPermission bool         `json:"no_permission,omitempty"` // the user may neither upload, sign nor mint
}

// signingUser is the user of the user API key.
type signingUser struct {
	ID        string `json:"id"`
	Email     string `json:"email"`
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
	Key       string `json:"key"` // the whole key: the simulator has no secret to protect
}

type document struct {
	ID                  string      `json:"id"`
	Title               string      `json:"title"`
	FileName            string      `json:"file_name"`
	SHA256              string      `json:"sha256"`
	Size                int         `json:"size"` // bytes
	OwnerEmail          string      `json:"owner_email"`
	Domain              string      `json:"domain,omitempty"` // empty: the default personal-account domain
	AdditionalMsg       *string     `json:"additional_msg,omitempty"`
	RequireNotarisation bool        `json:"require_notarisation,omitempty"`
	Passcode            *string     `json:"passcode,omitempty"` // text: a leading zero counts
	DueDate             *string     `json:"due_date,omitempty"` // dd-mm-yyyy
	Viewers             []recipient `json:"viewers,omitempty"`
	Signers             []signer    `json:"signers,omitempty"`
	Views               []viewEntry `json:"views,omitempty"`
	CreatedAt           int64       `json:"created_at"`
	UpdatedAt           int64       `json:"updated_at"`
	CompletedAt         int64       `json:"completed_at,omitempty"`
}

type recipient struct {
	Email     string `json:"email"`
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
}

type signer struct {
	recipient
	Domain      *string      `json:"domain,omitempty"`
	SignOrder   float64      `json:"sign_order"`
	Annotations []annotation `json:"annotations,omitempty"`
	LinkedAt    int64        `json:"linked_at,omitempty"` // when the signing link was emailed
}

type annotation struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Content  string `json:"content"`
	Verified bool   `json:"verified,omitempty"`
	Style    style  `json:"style"`
}

// style is the position and size of an annotation (§2.5).
type style struct {
	Width    float64 `json:"width"`
	Height   float64 `json:"height"`
	X        float64 `json:"x"`
	Y        float64 `json:"y"`
	Page     float64 `json:"page"`
	FontSize string  `json:"font_size,omitempty"`
}

// viewEntry is an entry of a document's log.
type viewEntry struct {
	UserID    string `json:"user_id"`
	Address   string `json:"address"`
	CreatedAt int64  `json:"created_at"`
}

// mintedDoc is a non-fungible document, which cannot be undone.
type mintedDoc struct {
	AssetID       int64        `json:"asset_id"`
	TransactionID string       `json:"transaction_id"`
	Standard      string       `json:"standard"`
	Metadata      mintMetadata `json:"metadata"`
	PDF           mintedFile   `json:"pdf"`
	Image         *mintedFile  `json:"image,omitempty"`
	CreatedAt     int64        `json:"created_at"`
}

type mintedFile struct {
	SHA256 string `json:"sha256"`
	Size   int    `json:"size"` // bytes
	URL    string `json:"url"`  // on IPFS; empty when it is not stored there
}

// complete creates the user as soon as there is a reseller; every process creates the same one.
func (b *signingBooks) complete(d *data) {
	if b.User.Key != "" || len(d.Resellers) == 0 {
		return
	}
	b.User = signingUser{
		ID:        d.derived("signing-user", "")[:idLength],
		Email:     "account@" + strings.ToLower(d.Resellers[0].Slug),
		FirstName: "Account",
		LastName:  "Holder",
		Key:       "sig_" + d.Salt,
	}
}

func (b *signingBooks) isIncomplete() bool {
	return slices.Contains(b.Documents, nil) || slices.Contains(b.Minted, nil)
}

func (b *signingBooks) document(id string) *document {
	return first(b.Documents, func(doc *document) bool { return doc.ID == id })
}

// idLength of ids in hex (§2.1 of the Reseller API).
const idLength = 32

// derived is a digest that every process computes alike, without stored data.
func (d *data) derived(kind, subject string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%s/%s", d.Salt, kind, subject))
	return hex.EncodeToString(sum[:])
}

// seatOf returns the member of a live private label with an email address.
func (d *data) seatOf(email string) *member {
	for _, l := range d.Labels {
		if l.Gone {
			continue
		}
		if m := l.person(email); m != nil {
			return m
		}
	}
	return nil
}

// userIDOf returns the ID of the signing user or of a member, or one derived from the email address.
func (d *data) userIDOf(email string) string {
	if strings.EqualFold(email, d.Signing.User.Email) {
		return d.Signing.User.ID
	}
	if m := d.seatOf(email); m != nil {
		return m.ID
	}
	return d.derived("guest", strings.ToLower(email))[:idLength]
}

// nameOf returns the name of a user, if it is known.
func (d *data) nameOf(email string) (first, last string) {
	if u := d.Signing.User; strings.EqualFold(email, u.Email) {
		return u.FirstName, u.LastName
	}
	if m := d.seatOf(email); m != nil {
		return m.FirstName, m.LastName
	}
	return "", ""
}

// keptSignatures is the number of stored signatures of the key's user.
const keptSignatures = 3

// signatures returns a user's stored signatures: IDs that are image file names (§2.4).
func (d *data) signatures(email string) []string {
	count := 0
	switch {
	case strings.EqualFold(email, d.Signing.User.Email):
		count = keptSignatures
	case d.seatOf(email) != nil:
		count = 1
	}
	var out []string
	for i := range count {
		out = append(out, d.signature(email, i))
	}
	return out
}

func (d *data) signature(email string, i int) string {
	return d.derived("signature", fmt.Sprintf("%s/%d", strings.ToLower(email), i))[:idLength] + ".png"
}

// personalDomain is the default domain of accounts without a business.
const personalDomain = "personal." + serviceDomain

// knownDomain reports whether a domain can have documents, and returns its private label, if any.
func (d *data) knownDomain(domain string) (owner *label, known bool) {
	domain = strings.ToLower(domain)
	if domain == personalDomain || strings.EqualFold(domain, d.Resellers[0].Slug) {
		return nil, true
	}
	for _, l := range d.labelsOf(d.Resellers[0].ID) {
		if strings.EqualFold(l.Host, domain) || l.CustomDomain != nil && strings.EqualFold(*l.CustomDomain, domain) {
			return l, true
		}
		if owner == nil && strings.HasSuffix(strings.ToLower(l.Host), "."+domain) && strings.Contains(domain, ".") {
			owner = l
		}
	}
	return owner, owner != nil
}

// keptDomain is the stored form of a document's domain; empty is the personal one.
func keptDomain(domain *string) string {
	if domain == nil || strings.EqualFold(*domain, personalDomain) {
		return ""
	}
	return strings.ToLower(*domain)
}
