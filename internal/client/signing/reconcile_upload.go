package signing

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Reasons why an outcome is unknown: no read shows it for certain.
const (
	ReasonUpload transport.Reason = "upload"
	ReasonSign   transport.Reason = "sign"
	ReasonMint   transport.Reason = "mint"
)

// reconcileUpload searches for the document of an upload whose response was lost. Its error is a
// *transport.UnknownOutcomeError around first.
func (c *Client) reconcileUpload(ctx context.Context, req UploadRequest, pdf *transport.UploadFile, began time.Time, first error) (docID string, err error) {
	docID, seen := c.findUpload(ctx, req, pdf, began)
	if docID != "" {
		c.uploads.add(docID)
		return docID, nil
	}
	c.uploads.markUnknown(req.Title)
	clean := newRedactor([]string{c.cfg.UserAPIKey, text(req.Passcode)})
	return "", &transport.UnknownOutcomeError{Op: opUpload, Subject: fmt.Sprintf("%q", req.Title), Reason: ReasonUpload, Seen: clean.Text(seen), Err: first}
}

// findUpload returns the document's ID, or a sentence that says what the list shows instead.
func (c *Client) findUpload(ctx context.Context, req UploadRequest, pdf *transport.UploadFile, began time.Time) (docID, seen string) {
	if c.uploads.isUnknown(req.Title) {
		return "", "The response was lost, as was the response to an earlier upload with the same title. The list of sent documents cannot distinguish the two."
	}
	looking, cancel := transport.DetachedContext(ctx)
	defer cancel()
	sum, err := pdf.SHA256(looking)
	if err != nil {
		return "", "The response was lost, and the file can no longer be read to compare it with the sent documents (" + err.Error() + ")."
	}
	for look := range 2 {
		if look > 0 {
			if err := c.clock.Sleep(looking, transport.ReconcileInterval); err != nil {
				return "", "The response was lost, and the run ended before the list of sent documents was read again."
			}
		}
		data, err := c.SentDocuments(looking, text(req.Domain))
		if err != nil {
			return "", "The response was lost, and reading the sent documents failed, too (" + err.Error() + "). The document may have been uploaded."
		}
		sent := readSent(data)
		wanted := upload{req: req, sha256: sum, from: began.Add(-clockTolerance), until: c.clock.Now().Add(clockTolerance)}
		ids := wanted.among(sent, c.uploads.knows)
		switch {
		case len(ids) == 1:
			return ids[0], ""
		case len(ids) > 1:
			return "", "The response was lost, and several of the sent documents may be it: " + strings.Join(ids, ", ") + "."
		}
		if seen = wanted.nearMisses(sent, c.uploads.knows); seen == "" {
			seen = describeSent(sent)
		}
	}
	return "", seen
}

func describeSent(sent []sentDocument) string {
	complete := 0
	for _, d := range sent {
		if d.isComplete() {
			complete++
		}
	}
	if complete == 0 {
		return unreadableList(len(sent))
	}
	return uploadNotListed(complete)
}

// clockTolerance is the allowed difference between the clock of the API and of this machine. A document is adopted only
// if its time, with this tolerance, is between the start of the upload and now.
const clockTolerance = 2 * time.Second

// sentDocument is an entry of the list of sent documents, whose shape the API documentation does not show (§4.2).
// Missing fields are empty.
type sentDocument struct {
	id, title, fileName, owner, checksum string
	createdAt                            time.Time
}

// isComplete reports whether an entry has all fields that identify a document.
func (d sentDocument) isComplete() bool {
	return d.id != "" && d.title+d.fileName != "" && !d.createdAt.IsZero()
}

// readSent reads every object in any list of the response. The document may be one level below such an object.
func readSent(data json.RawMessage) []sentDocument {
	var sent []sentDocument
	for _, l := range listsIn(data) {
		for _, raw := range l.rows {
			row := readObject(raw)
			if row == nil {
				continue
			}
			maps.Copy(row, readObject(row["document"]))
			sent = append(sent, sentDocument{
				id: row.text("docId", "documentId", "id"), title: row.text("title"), fileName: row.text("fileName"),
				owner: row.text("ownerEmail", "email"), checksum: row.text("checksum"), createdAt: row.time("createdAt"),
			})
		}
	}
	return sent
}

// upload is what to search for among the sent documents.
type upload struct {
	req         UploadRequest
	sha256      string // of the file, in hex
	from, until time.Time
}

// among returns the IDs of the documents that may be this upload, without duplicates.
func (u upload) among(sent []sentDocument, known func(id string) bool) []string {
	var ids []string
	seen := map[string]bool{}
	for _, d := range sent {
		if d.isComplete() && !known(d.id) && !seen[d.id] && u.is(d) {
			seen[d.id] = true
			ids = append(ids, d.id)
		}
	}
	return ids
}

// maxClockSkew is the largest time difference of a document that matches otherwise and is reported: clocks may be
// minutes apart.
const maxClockSkew = 15 * time.Minute

// nearMisses describes documents that match except for their time; "" for none.
func (u upload) nearMisses(sent []sentDocument, known func(id string) bool) string {
	wider := u
	wider.from, wider.until = u.from.Add(-maxClockSkew), u.until.Add(maxClockSkew)
	var near []string
	for _, d := range sent {
		if d.isComplete() && !known(d.id) && wider.is(d) {
			near = append(near, d.id+" of "+d.createdAt.UTC().Format(time.RFC3339))
		}
	}
	if len(near) == 0 {
		return ""
	}
	return uploadOffInTime(near)
}

func (u upload) is(d sentDocument) bool {
	switch {
	case d.createdAt.Before(u.from) || d.createdAt.After(u.until):
		return false
	case d.title != "" && strings.TrimSpace(d.title) != strings.TrimSpace(u.req.Title):
		return false
	case d.fileName != "" && d.fileName != u.req.FileName:
		return false
	case d.owner != "" && !strings.EqualFold(d.owner, u.req.OwnerEmail):
		return false
	default:
		sum := sha256Form.FindStringSubmatch(d.checksum)
		return len(sum) == 0 || strings.EqualFold(sum[1], u.sha256)
	}
}

// sha256Form matches a SHA-256 digest, with or without a prefix (§4.6). The form of a document's checksum is not
// documented; other forms are not compared.
var sha256Form = regexp.MustCompile(`(?:^|[^0-9A-Za-z])([0-9a-fA-F]{64})$`)
