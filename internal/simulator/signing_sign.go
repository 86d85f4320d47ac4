package simulator

import (
	"bytes"
	"encoding/json"
	"mime"
	"strings"
)

type signBody struct {
	DocID       *string `json:"docId"`
	Domain      *string `json:"domain"`
	Annotations []struct {
		ID      *string `json:"id"`
		Content *string `json:"content"`
	} `json:"annotations"`
	DocPassword *string `json:"docPassword"`
}

// signDocument implements §4.3: it updates all annotations or none.
func (s *Simulator) signDocument(r *request) (any, *apiError) {
	if rejection := s.mayWrite(); rejection != nil {
		return nil, rejection
	}
	var body signBody
	if rejection := r.decodeText(s.forms, &body); rejection != nil {
		return nil, rejection
	}
	if body.DocID == nil || s.lacksDomain(body.Domain) || len(body.Annotations) == 0 {
		return nil, invalidData("docId, domain and annotations are required.")
	}
	doc := s.store.data.Signing.document(*body.DocID)
	if doc == nil {
		return nil, errDocID
	}
	if rejection := s.mayUse(body.Domain); rejection != nil {
		return nil, rejection
	}
	if doc.Passcode != nil && (body.DocPassword == nil || *body.DocPassword != *doc.Passcode) {
		return nil, errNoPermission
	}
	updates, rejection := s.readUpdates(doc, &body)
	if rejection != nil {
		return nil, rejection
	}
	for a, content := range updates {
		a.Content = content
		a.Verified = true
	}
	if len(updates) > 0 {
		doc.UpdatedAt = millis(r.now)
		s.bookDocument(EntryDocumentSigned, doc, r.now)
		s.advance(doc, r.now)
	}
	return map[string]any{"message": "The document was updated.", "docId": doc.ID}, nil
}

// readUpdates returns the new contents. A verified annotation keeps its content: the same content again changes
// nothing.
func (s *Simulator) readUpdates(doc *document, body *signBody) (map[*annotation]string, *apiError) {
	out := map[*annotation]string{}
	seen := map[string]bool{}
	for _, update := range body.Annotations {
		if update.ID == nil || update.Content == nil {
			return nil, invalidData("An annotation requires id and content.")
		}
		sg, a := doc.annotation(*update.ID)
		if a == nil || seen[a.ID] {
			return nil, invalidData("An annotation does not belong to the document or is named twice.")
		}
		seen[a.ID] = true
		if s.forms.isForm("sign-for-others", "rejected") && !strings.EqualFold(sg.Email, s.store.data.Signing.User.Email) {
			return nil, errNoPermission
		}
		if a.Verified {
			if a.Content != *update.Content || s.forms.isForm("signed-again", "rejected") {
				return nil, invalidData("An annotation is already verified.")
			}
			continue
		}
		if !doc.isTurnOf(sg) {
			return nil, errNoPermission
		}
		if rejection := s.store.data.checkContent(sg, a, *update.Content); rejection != nil {
			return nil, rejection
		}
		out[a] = *update.Content
	}
	return out, nil
}

// decodeText reads a body that is the text of a JSON value (§4.3), with any content type for text.
func (r *request) decodeText(forms Forms, into any) *apiError {
	kind, _, err := mime.ParseMediaType(r.header.Get("Content-Type"))
	if said := r.header.Get("Content-Type") != ""; said && (err != nil || kind != "application/json" && kind != "text/plain") {
		return invalidData("The body must be sent as application/json or text/plain.")
	}
	if len(bytes.TrimSpace(r.body)) == 0 {
		return invalidData("The body is missing.")
	}
	body := r.body
	if forms.isForm("signing-body", "quoted") {
		var inner string
		if json.Unmarshal(body, &inner) != nil {
			return invalidData("The body must be a JSON text that contains a JSON value.")
		}
		body = []byte(inner)
	}
	return decodeData(body, into)
}

// decodeData is decodeStrict with this API's error code.
func decodeData(raw []byte, into any) *apiError {
	if rejection := decodeStrict(raw, into); rejection != nil {
		return invalidData(rejection.message)
	}
	return nil
}
