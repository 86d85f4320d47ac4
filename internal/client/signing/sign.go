package signing

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
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

// Sign gives annotations their contents, by annotation id (§4.3). domain is the
// one the user belongs to; docPassword is secret, nil where there is none.
//
// It is sent once: whether a second time would do harm is not documented, and
// only viewing could show its effect, which writes a log entry in the user's
// name. So a lost answer is a *client.DoubtError.
func (c *Client) Sign(ctx context.Context, docID, domain string, annotations map[string]string, docPassword *string) error {
	body := signBody{DocID: docID, Domain: domain, Annotations: []signAnnotation{}, DocPassword: docPassword}
	for _, id := range slices.Sorted(maps.Keys(annotations)) {
		body.Annotations = append(body.Annotations, signAnnotation{ID: id, Content: annotations[id]})
	}
	whole, err := encode(body.Annotations)
	if err != nil {
		return fmt.Errorf("%s: %w", opSign, client.NotSent(err))
	}
	done, err := c.begin(ctx, opSign, docID, string(whole))
	defer done()
	if err != nil {
		return doubtfulSigning(docID, err)
	}
	_, err = c.do(ctx, &call{op: opSign, endpoint: c.routes.sign, body: body, secrets: []string{text(docPassword)}, writes: true})
	if mayHaveHappened(err) {
		return doubtfulSigning(docID, err)
	}
	return err
}

func doubtfulSigning(docID string, first error) error {
	return &client.DoubtError{
		Op: opSign, Subject: docID, Err: first,
		Seen: "The answer was lost; it may have been signed. Nothing but viewing the document shows it, and that writes a log entry: look at it in the web application before applying again.",
	}
}
