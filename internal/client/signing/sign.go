package signing

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

const opSign = "sign the document"

type signBody struct {
	DocID       string           `json:"docId"`
	Domain      *string          `json:"domain"`
	Annotations []signAnnotation `json:"annotations"`
	DocPassword *string          `json:"docPassword,omitempty"`
}

type signAnnotation struct {
	ID      string `json:"id"`
	Content string `json:"content"`
}

// Sign gives annotations their contents, by annotation id (§4.3). domain is the
// one the user belongs to, "" the personal account's; docPassword is secret, nil where there is none.
//
// It is sent once: whether a second time would do harm is not documented, and
// only viewing could show its effect, which writes a log entry in the user's
// name. So a lost response is a *transport.UnknownOutcomeError, and so is a signing that an
// earlier run began, unless its marker has the result: FromEarlierRun. A
// *transport.InProgressError or *transport.MarkerError comes before anything is sent.
func (c *Client) Sign(ctx context.Context, docID, domain string, annotations map[string]string, docPassword *string) (Source, error) {
	body := signBody{DocID: docID, Domain: jsonDomain(domain), Annotations: inOrder(annotations), DocPassword: docPassword}
	parts, err := signParts(docID, body.Annotations)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", opSign, transport.NotSent(err))
	}
	var signed string
	op, err := c.beginOperation(ctx, opSign, &signed, parts...)
	if err != nil {
		return 0, err
	}
	defer op.Keep(ctx, nil) // only a panic gets here with the lock
	source := FromResponse
	if op.adopted {
		source = FromEarlierRun
	} else {
		err = c.signOnce(ctx, op, body)
	}
	op.end(ctx, idResult(docID), err)
	return source, err
}

// signOnce sends the signing, unless an earlier run may have sent it.
func (c *Client) signOnce(ctx context.Context, op *operation, body signBody) error {
	if op.earlier != nil {
		return unknownSigning(body.DocID, op.earlier)
	}
	_, err := c.do(ctx, &call{op: opSign, endpoint: c.routes.sign, body: body, secrets: []string{text(body.DocPassword)}, writes: true})
	if mayHaveHappened(err) {
		return unknownSigning(body.DocID, err)
	}
	return err
}

// SigningSaved is for a signing that the state has: no run has to adopt it.
func (c *Client) SigningSaved(ctx context.Context, docID string, annotations map[string]string) {
	if parts, err := signParts(docID, inOrder(annotations)); err == nil {
		c.confirm(ctx, opSign, docID, parts...)
	}
}

func inOrder(annotations map[string]string) []signAnnotation {
	out := []signAnnotation{} // never null
	for _, id := range slices.Sorted(maps.Keys(annotations)) {
		out = append(out, signAnnotation{ID: id, Content: annotations[id]})
	}
	return out
}

func signParts(docID string, annotations []signAnnotation) ([]string, error) {
	whole, err := transport.EncodeJSON(annotations)
	return []string{docID, string(whole)}, err
}

func unknownSigning(docID string, first error) error {
	return &transport.UnknownOutcomeError{
		Op: opSign, Subject: docID, Reason: ReasonSign, Err: first,
		Seen: "The response was lost, and the document may have been signed. Only viewing the document shows it, which adds a log entry.",
	}
}
