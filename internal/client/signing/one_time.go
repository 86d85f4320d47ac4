package signing

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

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

// interruptedError replaces the response that an earlier run did not receive.
type interruptedError struct{ startedAt time.Time }

func (e *interruptedError) Error() string {
	return fmt.Sprintf("an earlier run started this at %s, and ended before its outcome was known", e.startedAt.UTC().Format(time.RFC3339))
}

// oneTimeCall is a call that is sent once, with a marker.
type oneTimeCall[T any] struct {
	call
	parts   []string                                                                // identify it
	read    func(data json.RawMessage) (T, error)                                   // result in the response
	unknown func(ctx context.Context, startedAt time.Time, first error) (err error) // for an unknown outcome
}

// sendOnce creates and locks the marker of a call and sends it. If an earlier run left its marker, nothing is sent: the
// result is that of the marker, or the outcome is unknown.
//
// The marker is removed when nothing remains to be reconciled: the call had no effect, or its outcome is known or was
// reported to the CLI. After a canceled request the CLI may not have received the outcome, so that the marker stays for
// a later run, with the result.
func sendOnce[T any](ctx context.Context, c *Client, o oneTimeCall[T]) (result T, source Source, err error) {
	var none T
	marker, err := c.cfg.Markers.Begin(ctx, c.clock.Now(), c.identity(o.op, o.parts)...)
	if err != nil {
		return none, 0, fmt.Errorf("%s: %w", o.op, transport.NotSent(err))
	}
	defer marker.Keep(ctx, nil) // reached with the lock held only after a panic
	switch {
	case marker.Interrupted && marker.Result != nil && json.Unmarshal(marker.Result, &result) == nil:
		source = FromEarlierRun
	case marker.Interrupted:
		err = &interruptedError{marker.StartedAt}
	default:
		var data json.RawMessage
		if data, err = c.do(ctx, o.call); err == nil {
			result, err = o.read(data)
		}
	}
	if mayHaveHappened(err) {
		err = o.unknown(ctx, marker.StartedAt, err)
	}
	switch {
	case err != nil && !transport.IsUnknownOutcome(err), ctx.Err() == nil:
		marker.Remove(ctx)
	case err == nil:
		saved, _ := transport.EncodeJSON(result) // a later run reports a result that cannot be encoded as unknown
		marker.Keep(ctx, saved)
	}
	if err != nil {
		return none, 0, err
	}
	return result, source, nil
}

// confirm removes the marker of a call whose result is in state. An import also settles a call without a known result.
func confirm[T any](ctx context.Context, c *Client, imported bool, isSaved func(result T) bool, op string, parts []string) {
	c.cfg.Markers.Confirm(ctx, func(saved json.RawMessage) bool {
		var result T
		if saved == nil {
			return imported
		}
		return json.Unmarshal(saved, &result) == nil && isSaved(result)
	}, c.identity(op, parts)...)
}

// identity returns what distinguishes calls: API, user and content.
func (c *Client) identity(op string, parts []string) []string {
	return append([]string{c.base.String(), c.cfg.UserAPIKey, op}, parts...)
}

// formParts returns what identifies a form: its fields and the hashes of its files. The passcode is omitted, so that no
// file name depends on a secret.
func formParts(fields []transport.FormField, sums []string) []string {
	var parts []string
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

func withOptional(fields []transport.FormField, name string, value *string) []transport.FormField {
	if value == nil {
		return fields
	}
	return append(fields, transport.FormField{Name: name, Value: *value})
}
