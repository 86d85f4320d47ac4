package client

import (
	"context"
	"errors"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Bucket is a rate limit toward which a read can count (§8).
type Bucket int

// The buckets of reads.
const (
	BucketConsole Bucket = iota
	BucketBilling
)

// Reserve waits until a call that counts toward one of the buckets may be sent. It reserves a place for the next call
// with the returned context, as Caller.Reserve does for sets of limits.
func (c *Client) Reserve(ctx context.Context, buckets ...Bucket) (reserved context.Context, bucket Bucket, release func(), err error) {
	none := func() {}
	if len(buckets) == 0 {
		return ctx, 0, none, errors.New("reserve: no bucket is given")
	}
	// The dashboard call for the slug needs a place itself.
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
