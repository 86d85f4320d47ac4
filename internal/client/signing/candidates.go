package signing

import (
	"context"
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/secrets"
)

// UnknownUploadError is an upload whose outcome is unknown. Its candidates are for the user to judge: another run may
// have sent a document with the same title at the same time.
type UnknownUploadError struct {
	*transport.UnknownOutcomeError
	Candidates []Candidate // at most maxCandidates, the likeliest first
	More       int         // candidates that are not listed
}

func (e *UnknownUploadError) Unwrap() error {
	return e.UnknownOutcomeError
}

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
		id == strings.TrimSpace(printable.Text(id)) && !strings.ContainsAny(id, "/\t\n")
}

// unknownUpload is the error of an upload that may have taken effect. It reads the list of sent documents once.
func (c *Client) unknownUpload(ctx context.Context, req UploadRequest, sha256 string, startedAt time.Time, first error) error {
	reading, cancel := transport.DetachedContext(ctx)
	defer cancel()
	clean := secrets.New(c.cfg.UserAPIKey, text(req.Passcode))
	outcome := func(seen string) *transport.UnknownOutcomeError {
		return unknownOutcome(opUpload, strconv.Quote(req.Title), ReasonUpload, first, seen)
	}
	data, err := c.SentDocuments(reading, text(req.Domain))
	if err != nil {
		return &UnknownUploadError{UnknownOutcomeError: outcome(clean.Text(sentUnread(err)))}
	}
	sent := readSent(data)
	wanted := upload{req: req, sha256: sha256, startedAt: startedAt, until: c.clock.Now()}
	found := wanted.candidates(sent)
	unknown := &UnknownUploadError{UnknownOutcomeError: outcome(sentShows(len(sent), len(found)))}
	for _, d := range found {
		if len(unknown.Candidates) < maxCandidates && ValidID(d.ID) && clean.Text(d.ID) == d.ID {
			unknown.Candidates = append(unknown.Candidates, d)
		}
	}
	unknown.More = len(found) - len(unknown.Candidates)
	return unknown
}

func sentUnread(err error) string {
	return "The list of sent documents cannot be read (" + err.Error() + ")."
}

func sentShows(sent, candidates int) string {
	switch {
	case sent == 0:
		return "The list of sent documents has no entry with an ID, and a title or a time, that this version can find."
	case candidates == 0:
		return fmt.Sprintf("The list of sent documents (%d) does not show it. It may still appear later.", sent)
	default:
		return fmt.Sprintf("Of the sent documents, %d could be it, but another run may have sent the same title.", candidates)
	}
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
	sort.SliceStable(found, func(i, j int) bool {
		if found[i].SameFile != found[j].SameFile {
			return found[i].SameFile
		}
		return found[i].SentAt.Sub(u.startedAt).Abs() < found[j].SentAt.Sub(u.startedAt).Abs()
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
