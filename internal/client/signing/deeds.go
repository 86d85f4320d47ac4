package signing

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// interruptedError stands for the answer that a killed process never read.
type interruptedError struct{ began time.Time }

func (e *interruptedError) Error() string {
	return fmt.Sprintf("an earlier run of %s that was ended before the answer came", e.began.UTC().Format(time.RFC3339))
}

// begin marks a deed, named by its parts, as under way until done is called. An
// *interruptedError tells that it was begun before and never ended.
func (c *Client) begin(ctx context.Context, parts ...string) (done func(), err error) {
	earlier, done := c.cfg.Marks.Begin(ctx, c.clock.Now(), append([]string{c.cfg.URL, c.cfg.UserAPIKey}, parts...)...)
	if earlier.IsZero() {
		return done, nil
	}
	return done, &interruptedError{earlier}
}

// beginForm is begin for a form, whose files may have moved since.
func (c *Client) beginForm(ctx context.Context, op string, fields []formField, files ...*file) (done func(), err error) {
	parts := []string{op}
	for _, f := range fields {
		if f.name != "passcode" && f.name != "fileName" {
			parts = append(parts, f.name, f.value)
		}
	}
	for _, f := range files {
		sum, err := f.sha256()
		if err != nil {
			return func() {}, fmt.Errorf("%s: %w", op, client.NotSent(err))
		}
		parts = append(parts, sum)
	}
	return c.begin(ctx, parts...)
}

// wasInterrupted is the killed run that an error of begin tells of; nil for
// other errors.
func wasInterrupted(err error) *interruptedError {
	interrupted, _ := errors.AsType[*interruptedError](err)
	return interrupted
}
