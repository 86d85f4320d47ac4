package signing

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

const opSign = "sign the document"

type signBody struct {
	DocID       string           `json:"docId"`
	Domain      string           `json:"domain"`
	Annotations []signAnnotation `json:"annotations"`
	DocPassword *string          `json:"docPassword,omitempty"`
}

type signAnnotation struct {
	ID      string `json:"id"`
	Content string `json:"content"`
}

// Sign sets the contents of annotations, by annotation ID (Signing API §4.3). domain is the user's. docPassword is
// secret, nil for none.
//
// It is sent once: the effect of a second request is not documented, and only a view, which writes a log entry in the
// user's name, shows the outcome. So a lost response is a *transport.UnknownOutcomeError, and so is a signing that an
// earlier run began, unless its marker has the result (FromEarlierRun). With a *transport.InProgressError or
// *transport.MarkerError nothing was sent.
func (c *Client) Sign(ctx context.Context, docID, domain string, annotations map[string]string, docPassword *string) (Source, error) {
	body := signBody{DocID: docID, Domain: domain, Annotations: inOrder(annotations), DocPassword: docPassword}
	parts, err := signParts(docID, body.Annotations)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", opSign, transport.NotSent(err))
	}
	_, source, err := sendOnce(ctx, c, oneTimeCall[string]{
		call:  call{op: opSign, endpoint: c.routes.sign, body: body, secret: docPassword, writes: true},
		parts: parts,
		read:  func(json.RawMessage) (string, error) { return docID, nil },
		unknown: func(_ context.Context, _ time.Time, first error) error {
			return &transport.UnknownOutcomeError{
				Op: opSign, Subject: docID, Reason: ReasonSign, Err: first,
				Seen: "The response was lost, and the document may have been signed. Only viewing the document shows it, which adds a log entry.",
			}
		},
	})
	return source, err
}

// SigningSaved removes the marker of a signing that is in state, from a create or an import.
func (c *Client) SigningSaved(ctx context.Context, docID string, annotations map[string]string, imported bool) {
	if parts, err := signParts(docID, inOrder(annotations)); err == nil {
		confirm(ctx, c, imported, func(saved string) bool { return saved == docID }, opSign, parts)
	}
}

func inOrder(annotations map[string]string) []signAnnotation {
	out := []signAnnotation{} // encoded as [], not null
	for _, id := range slices.Sorted(maps.Keys(annotations)) {
		out = append(out, signAnnotation{ID: id, Content: annotations[id]})
	}
	return out
}

func signParts(docID string, annotations []signAnnotation) ([]string, error) {
	whole, err := transport.EncodeJSON(annotations)
	return []string{docID, string(whole)}, err
}
