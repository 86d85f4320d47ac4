package simulator

import (
	"slices"
	"strings"
	"time"
)

// How a document passes from signer to signer until it is complete (§3).

// annotationTypes of §2.4; its field description adds Text.
var annotationTypes = []string{"Name", "Date", "Stamp", "Signature", "NonEditableText", "EditableText", "Email", "Text"}

const typeSignature = "Signature"

// signed reports whether every annotation is verified. A signer without annotations has signed.
func (sg *signer) signed() bool {
	return !slices.ContainsFunc(sg.Annotations, func(a annotation) bool { return !a.Verified })
}

// turn is the order whose signers sign now; open is false if all have signed.
func (doc *document) turn() (order float64, open bool) {
	for i := range doc.Signers {
		sg := &doc.Signers[i]
		if !sg.signed() && (!open || sg.SignOrder < order) {
			order = sg.SignOrder
			open = true
		}
	}
	return order, open
}

// isTurnOf reports the turn of a signer who has something to sign.
func (doc *document) isTurnOf(sg *signer) bool {
	order, open := doc.turn()
	return open && sg.SignOrder <= order
}

// unsigned is the first signer with an email address who has something to sign; nil for none.
func (doc *document) unsigned(email string) *signer {
	for i := range doc.Signers {
		if strings.EqualFold(doc.Signers[i].Email, email) && !doc.Signers[i].signed() {
			return &doc.Signers[i]
		}
	}
	return nil
}

// annotation by id, with its signer; nil for none.
func (doc *document) annotation(id string) (*signer, *annotation) {
	for i := range doc.Signers {
		sg := &doc.Signers[i]
		for j := range sg.Annotations {
			if sg.Annotations[j].ID == id {
				return sg, &sg.Annotations[j]
			}
		}
	}
	return nil, nil
}

// advance is called after something was signed. It emails the signers whose turn it is now, once each, or the owner if
// nothing is left to sign.
func (s *Simulator) advance(doc *document, now time.Time) {
	order, open := doc.turn()
	if !open {
		doc.CompletedAt = millis(now)
		s.mail(doc, doc.OwnerEmail, "completed-document", "Completed: "+doc.Title, now)
		return
	}
	for i := range doc.Signers {
		sg := &doc.Signers[i]
		if sg.signed() || sg.SignOrder != order || sg.LinkedAt != 0 {
			continue
		}
		sg.LinkedAt = millis(now)
		s.mail(doc, sg.Email, "signing-link", "Please sign: "+doc.Title, now)
	}
}

func (s *Simulator) mail(doc *document, to, kind, subject string, now time.Time) {
	s.post(Email{Time: now, To: to, Kind: kind, Host: doc.domain(), Subject: subject}, doc.ID)
}

func (doc *document) domain() string {
	if doc.Domain == "" {
		return personalDomain
	}
	return doc.Domain
}

// checkContent checks a verified annotation: a signature must be the ID of a signature of the key's user or of the
// signer (§2.4).
func (d *data) checkContent(sg *signer, a *annotation, content string) *apiError {
	if a.Type != typeSignature {
		return nil
	}
	if slices.Contains(d.signatures(d.Signing.User.Email), content) || slices.Contains(d.signatures(sg.Email), content) {
		return nil
	}
	return invalidData("The content of a signature must be the ID of a stored signature.")
}
