package signing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Source is where the result of a one-time call comes from.
type Source int

const (
	// FromResponse: this run received the response.
	FromResponse Source = iota
	// FromEarlierRun: a run that ended before its result was saved in state received the response. This run sent
	// nothing.
	FromEarlierRun
)

// Reasons why an outcome is unknown: no read proves it.
const (
	ReasonUpload transport.Reason = "upload"
	ReasonSign   transport.Reason = "sign"
	ReasonMint   transport.Reason = "mint"
)

// Operation identifies a one-time call by what is sent, except for secrets.
type Operation struct {
	op    string
	parts []string

	isSaved func(result json.RawMessage, id string) bool // the object with this ID in state is the result
	unknown func(ctx context.Context, c *Client, startedAt time.Time, first error) error
}

// interruptedError replaces the response that an earlier run did not receive.
type interruptedError struct{ startedAt time.Time }

func (e *interruptedError) Error() string {
	return fmt.Sprintf("An earlier run started it at %s", e.startedAt.UTC().Format(time.RFC3339))
}

// unknownOutcome is the error of an operation that may have taken effect, with what is known about it after the first failure.
func unknownOutcome(op, subject string, reason transport.Reason, first error, seen string) *transport.UnknownOutcomeError {
	out := &transport.UnknownOutcomeError{Op: op, Subject: subject, Reason: reason, Err: first, Seen: "The response was lost. " + seen}
	if earlier, ok := errors.AsType[*interruptedError](first); ok {
		out.Err = nil
		out.Seen = earlier.Error() + ". " + seen
	}
	return out
}

// sendOnce creates and locks the marker of an operation and sends its call. If an earlier run left its marker, nothing is
// sent: the result is that of the marker, or the outcome is unknown.
//
// The marker is removed when the call had no effect, and when its result was returned to the CLI. It stays with an unknown
// outcome, and with the result after a canceled request, since the CLI may not have received it.
func sendOnce[T any](
	ctx context.Context, c *Client, o Operation, req transport.Request, read func(data json.RawMessage) (T, error),
) (result T, source Source, err error) {
	var zero T
	marker, err := c.cfg.Markers.Begin(ctx, c.clock.Now(), c.identity(o)...)
	if err != nil {
		return zero, 0, fmt.Errorf("%s: %w", o.op, transport.NotSent(err))
	}
	defer marker.Keep(ctx, nil) // reached with the lock held only after a panic
	switch {
	case marker.Interrupted && marker.Result != nil && json.Unmarshal(marker.Result, &result) == nil:
		source = FromEarlierRun
	case marker.Interrupted:
		err = &interruptedError{marker.StartedAt}
	default:
		var data json.RawMessage
		if data, err = c.do(ctx, req); err == nil {
			result, err = read(data)
		}
	}
	switch {
	case mayHaveHappened(err):
		marker.Keep(ctx, nil)
		return zero, 0, o.unknown(ctx, c, marker.StartedAt, err)
	case err != nil:
		marker.Remove(ctx)
		return zero, 0, err
	case ctx.Err() == nil:
		marker.Remove(ctx)
	default:
		saved, _ := anyjson.Encode(result) // a later run reports a result that cannot be encoded as unknown
		marker.Keep(ctx, saved)
	}
	return result, source, nil
}

// InDoubt returns the error of an operation that must not be sent: an earlier run began it, and its outcome is unknown.
func (c *Client) InDoubt(ctx context.Context, o Operation) error {
	startedAt := c.cfg.Markers.Interrupted(ctx, c.identity(o)...)
	if startedAt.IsZero() {
		return nil
	}
	return o.unknown(ctx, c, startedAt, &interruptedError{startedAt})
}

// Confirm removes the marker of an operation whose result, the object with this ID, is in state. An import also settles
// an operation with an unknown outcome.
func (c *Client) Confirm(ctx context.Context, o Operation, id string, imported bool) {
	c.cfg.Markers.Confirm(ctx, func(result json.RawMessage) bool {
		if result == nil {
			return imported
		}
		return o.isSaved(result, id)
	}, c.identity(o)...)
}

// isText reports whether a result is a text.
func isText(result json.RawMessage, id string) bool {
	var saved string
	return json.Unmarshal(result, &saved) == nil && saved == id
}

// identity returns what distinguishes operations: API, user and content.
func (c *Client) identity(o Operation) []string {
	return append([]string{c.base.String(), c.cfg.UserAPIKey, o.op}, o.parts...)
}

// formParts returns what identifies a form: the attempt, its fields and the hashes of its files. The passcode is omitted,
// so that no file name depends on a secret.
func formParts(attempt int64, fields []transport.FormField, sums []string) []string {
	parts := []string{strconv.FormatInt(attempt, 10)}
	for _, f := range fields {
		if f.Name != "passcode" && f.Name != "fileName" {
			parts = append(parts, f.Name, f.Value)
		}
	}
	return append(parts, sums...)
}

// openForm opens a form and returns the hashes of its files.
func openForm(ctx context.Context, op string, fields []transport.FormField, files ...transport.FormFile) (*transport.Form, []string, error) {
	form, err := transport.OpenForm(fields, files...)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", op, err)
	}
	sums, err := form.SHA256(ctx)
	if err != nil {
		form.Close()
		return nil, nil, fmt.Errorf("%s: %w", op, err)
	}
	return form, sums, nil
}

// optional is a field of a form that may have no value.
type optional struct {
	name  string
	value *string
}

// givenFields returns the fields that have a value.
func givenFields(fields []optional) (given []transport.FormField) {
	for _, f := range fields {
		if f.value != nil {
			given = append(given, transport.FormField{Name: f.name, Value: *f.value})
		}
	}
	return given
}
