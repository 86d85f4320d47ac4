package client

import (
	"context"
	"errors"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Bucket is a rate limit that a read can be counted by (§8).
type Bucket int

// The buckets of reads.
const (
	BucketConsole Bucket = iota
	BucketBilling
)

// Reserve waits until a call that one of the buckets counts may be sent and
// reserves that place for the next call made with the returned context, as
// Caller.Reserve does with sets of limits.
func (c *Client) Reserve(ctx context.Context, buckets ...Bucket) (reserved context.Context, bucket Bucket, release func(), err error) {
	none := func() {}
	if len(buckets) == 0 {
		return ctx, 0, none, errors.New("reserve: no bucket is given")
	}
	// The slug is found first: the dashboard call needs a place itself.
	if _, err := c.Slug(ctx); err != nil {
		return ctx, 0, none, transport.NotSent(err)
	}
	choices := make([][]transport.Limit, len(buckets))
	for i, b := range buckets {
		choices[i] = route{billing: b == BucketBilling}.limits()
	}
	reserved, choice, release, err := c.caller.Reserve(ctx, choices...)
	if err != nil {
		return ctx, 0, none, err
	}
	return reserved, buckets[choice], release, nil
}
