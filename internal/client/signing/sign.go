package signing

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

const opSign = "sign the document"

// SignRequest sets the contents of annotations (Signing API §4.3).
type SignRequest struct {
	DocID       string
	Domain      *string           // the user's; nil: the personal account
	Annotations map[string]string // annotation ID to content
	DocPassword *string           // secret; nil for none
	Attempt     int64             // not sent: distinguishes a signing from an earlier one with the same content
}

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

// Sign signs a document (§4.3). It is sent once: the effect of a second request is not documented, and only a view, which
// writes a log entry in the user's name, shows the outcome.
//
// A lost response is a *transport.UnknownOutcomeError. From then on the same signing is that error, and nothing is sent,
// until an import confirms it. A marker with a result is FromEarlierRun. With a *onetime.InProgressError or
// *onetime.MarkerError nothing was sent.
func (c *Client) Sign(ctx context.Context, req SignRequest) (Source, error) {
	o, err := req.Operation()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", opSign, transport.NotSent(err))
	}
	body := signBody{DocID: req.DocID, Domain: jsonDomain(text(req.Domain)), Annotations: inOrder(req.Annotations), DocPassword: req.DocPassword}
	sent := writeAt(opSign, c.paths.sign, req.DocPassword)
	sent.Body = body
	_, source, err := sendOnce(ctx, c, o, sent, func(json.RawMessage) (string, error) { return req.DocID, nil })
	return source, err
}

// Operation returns what identifies the signing.
func (r SignRequest) Operation() (Operation, error) {
	whole, err := anyjson.Encode(inOrder(r.Annotations))
	return Operation{
		op: opSign, parts: []string{strconv.FormatInt(r.Attempt, 10), r.DocID, string(whole)}, isSaved: isText,
		unknown: func(_ context.Context, _ *Client, _ time.Time, first error) error {
			return unknownOutcome(opSign, r.DocID, ReasonSign, first,
				"It may have been signed.")
		},
	}, err
}

func inOrder(annotations map[string]string) []signAnnotation {
	out := []signAnnotation{} // encoded as [], not null
	for _, id := range slices.Sorted(maps.Keys(annotations)) {
		out = append(out, signAnnotation{ID: id, Content: annotations[id]})
	}
	return out
}
