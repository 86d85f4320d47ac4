package signing

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Reasons why an outcome is unknown: no read proves it.
const (
	ReasonUpload transport.Reason = "upload"
	ReasonSign   transport.Reason = "sign"
	ReasonMint   transport.Reason = "mint"
)

// UnknownUploadError is an upload whose outcome is unknown. Its candidates are for the user to judge: another run may
// have sent a document with the same title at the same time.
type UnknownUploadError struct {
	*transport.UnknownOutcomeError
	Candidates []Candidate // at most maxCandidates, the likeliest first
	More       int         // candidates that are not listed
}

func (e *UnknownUploadError) Unwrap() error { return e.UnknownOutcomeError }

// Candidate is a sent document that could be an upload whose outcome is unknown.
type Candidate struct {
	ID       string
	SentAt   time.Time // zero if the list does not show it
	SameFile bool      // the list shows the file's checksum
}

const (
	maxCandidates = 5
	// candidateWindow is how far the time of a candidate may be outside of the upload: clocks may differ by minutes.
	candidateWindow = 15 * time.Minute
	maxID           = 128 // characters
)

// ValidID reports whether a text may be the ID of a document or an asset. The API documentation does not show their
// form.
func ValidID(id string) bool {
	return id != "" && utf8.RuneCountInString(id) <= maxID &&
		id == strings.TrimSpace(transport.Printable(id)) && !strings.ContainsAny(id, "/\t\n")
}

// unknownUpload is the error of an upload that may have taken effect. It reads the list of sent documents once.
func (c *Client) unknownUpload(ctx context.Context, req UploadRequest, sha256 string, startedAt time.Time, first error) error {
	reading, cancel := transport.DetachedContext(ctx)
	defer cancel()
	clean := newRedactor([]string{c.cfg.UserAPIKey, text(req.Passcode)})
	unknown := &UnknownUploadError{UnknownOutcomeError: &transport.UnknownOutcomeError{
		Op: opUpload, Subject: strconv.Quote(req.Title), Reason: ReasonUpload, Err: first,
	}}
	data, err := c.SentDocuments(reading, text(req.Domain))
	if err != nil {
		unknown.Seen = clean.Text(sentUnread(err))
		return unknown
	}
	sent := readSent(data)
	wanted := upload{req: req, sha256: sha256, startedAt: startedAt, until: c.clock.Now()}
	found := wanted.candidates(sent)
	unknown.Seen = sentShows(len(sent), len(found))
	for _, d := range found {
		if len(unknown.Candidates) < maxCandidates && ValidID(d.ID) && clean.Text(d.ID) == d.ID {
			unknown.Candidates = append(unknown.Candidates, d)
		}
	}
	unknown.More = len(found) - len(unknown.Candidates)
	return unknown
}

// sentDocument is an entry of the list of sent documents, whose shape the API documentation does not show (§4.2).
// Missing fields are empty.
type sentDocument struct {
	id, title, fileName, owner, checksum string
	createdAt                            time.Time
}

// readSent reads every object with an ID and with a title, a file name or a time, in any list of the response. The
// document may be one level below such an object.
func readSent(data json.RawMessage) []sentDocument {
	var sent []sentDocument
	for _, l := range listsIn(data) {
		for _, raw := range l.rows {
			row := readObject(raw)
			if row == nil {
				continue
			}
			maps.Copy(row, readObject(row["document"]))
			d := sentDocument{
				id: row.text("docId", "documentId", "id"), title: row.text("title"), fileName: row.text("fileName"),
				owner: row.text("ownerEmail", "email"), checksum: row.text("checksum"), createdAt: row.time("createdAt"),
			}
			if d.id != "" && (d.title+d.fileName != "" || !d.createdAt.IsZero()) {
				sent = append(sent, d)
			}
		}
	}
	return sent
}

// upload is what to search for among the sent documents.
type upload struct {
	req              UploadRequest
	sha256           string // of the file, in hex
	startedAt, until time.Time
}

// candidates returns the documents that could be this upload, the likeliest first, without duplicates.
func (u upload) candidates(sent []sentDocument) []Candidate {
	var found []Candidate
	known := map[string]bool{}
	for _, d := range sent {
		if known[d.id] || !u.couldBe(d) {
			continue
		}
		known[d.id] = true
		sum := sha256Form.FindStringSubmatch(d.checksum)
		found = append(found, Candidate{d.id, d.createdAt, len(sum) > 0 && strings.EqualFold(sum[1], u.sha256)})
	}
	slices.SortStableFunc(found, func(a, b Candidate) int {
		switch {
		case a.SameFile && !b.SameFile:
			return -1
		case b.SameFile && !a.SameFile:
			return 1
		}
		return cmp.Compare(a.SentAt.Sub(u.startedAt).Abs(), b.SentAt.Sub(u.startedAt).Abs())
	})
	return found
}

// couldBe compares what the list shows. A checksum excludes nothing: the API may compute it from another form of the
// file.
func (u upload) couldBe(d sentDocument) bool {
	switch {
	case !d.createdAt.IsZero() && (d.createdAt.Before(u.startedAt.Add(-candidateWindow)) || d.createdAt.After(u.until.Add(candidateWindow))):
		return false
	case d.owner != "" && !strings.EqualFold(d.owner, u.req.OwnerEmail):
		return false
	case d.title != "":
		return strings.TrimSpace(d.title) == strings.TrimSpace(u.req.Title)
	default:
		return d.fileName == "" || d.fileName == u.req.FileName
	}
}

// sha256Form matches a SHA-256 digest, with or without a prefix (§4.6). The form of a document's checksum is not
// documented; other forms are not compared.
var sha256Form = regexp.MustCompile(`(?:^|[^0-9A-Za-z])([0-9a-fA-F]{64})$`)
