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

// interruptedError replaces the response that an earlier run did not receive.
type interruptedError struct{ startedAt time.Time }

func (e *interruptedError) Error() string {
	return fmt.Sprintf("an earlier run started this at %s, and ended before its outcome was known", e.startedAt.UTC().Format(time.RFC3339))
}

// operation is a one-time call, from the creation of its marker to its end.
type operation struct {
	*transport.MarkedOperation
	earlier *interruptedError // an earlier run left the marker without a readable result
	adopted bool              // an earlier run left its result
}

// beginOperation creates and locks the marker of the call that parts identify. It decodes the response that an earlier
// run received, if any, into result. With an error nothing was sent.
func (c *Client) beginOperation(ctx context.Context, op string, result any, parts ...string) (*operation, error) {
	marker, err := c.cfg.Markers.Begin(ctx, c.clock.Now(), c.identity(op, parts)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, transport.NotSent(err))
	}
	begun := &operation{MarkedOperation: marker}
	switch {
	case !marker.Interrupted:
	case marker.Result != nil && json.Unmarshal(marker.Result, result) == nil:
		begun.adopted = true
	default:
		begun.earlier = &interruptedError{marker.StartedAt}
	}
	return begun, nil
}

// identity returns what distinguishes calls: API, user and content.
func (c *Client) identity(op string, parts []string) []string {
	return append([]string{c.base.String(), c.cfg.UserAPIKey, op}, parts...)
}

// end removes the marker when nothing remains to be reconciled: the call had no effect, or its outcome is known or was
// reported to the CLI. After a canceled request the CLI may not have received the outcome, so that the marker stays for
// a later run, with the result.
func (o *operation) end(ctx context.Context, result json.RawMessage, err error) {
	noEffect := err != nil && !transport.IsUnknownOutcome(err)
	switch {
	case noEffect && o.earlier == nil, !noEffect && ctx.Err() == nil:
		o.Remove(ctx)
	case err != nil:
		o.Keep(ctx, nil)
	default:
		o.Keep(ctx, result)
	}
}

// idResult returns a result that consists of an ID.
func idResult(id string) json.RawMessage {
	raw, err := transport.EncodeJSON(id)
	if err != nil {
		return nil // the later run reports it as unknown
	}
	return raw
}

// confirm removes the marker of a call whose result is in state. An import also settles a call without a known result.
func (c *Client) confirm(ctx context.Context, imported bool, isSaved func(result json.RawMessage) bool, op string, parts []string) {
	c.cfg.Markers.Confirm(ctx, func(result json.RawMessage) bool {
		if result == nil {
			return imported
		}
		return isSaved(result)
	}, c.identity(op, parts)...)
}

// isID accepts a result that consists of this ID.
func isID(id string) func(result json.RawMessage) bool {
	return func(result json.RawMessage) bool {
		var saved string
		return json.Unmarshal(result, &saved) == nil && saved == id
	}
}

// formParts returns what identifies a form: its fields and the hashes of its files. The passcode is omitted, so that no
// file name depends on a secret.
func formParts(fields []transport.FormField, sums ...string) []string {
	var parts []string
	for _, f := range fields {
		if f.Name != "passcode" && f.Name != "fileName" {
			parts = append(parts, f.Name, f.Value)
		}
	}
	return append(parts, sums...)
}

// hashes returns the SHA-256 hashes of files in hex.
func hashes(ctx context.Context, op string, files ...*transport.UploadFile) ([]string, error) {
	var sums []string
	for _, f := range files {
		sum, err := f.SHA256(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op, transport.NotSent(err))
		}
		sums = append(sums, sum)
	}
	return sums, nil
}
