package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// dial returns a client of a fake. By default it has a token and a slug, so that a test sees only its own calls.
func dial(tb testing.TB, s *transporttest.Fake, change ...func(*Config)) (*Client, *transporttest.Clock) {
	tb.Helper()
	clock := transporttest.NewClock()
	cfg := Config{
		Settings: transport.Settings{UserAgent: "test/1", MaxWait: 2 * time.Minute, MaxRetries: 3, RequestTimeout: time.Minute, Transport: s, Clock: clock},
		BaseURL:  transporttest.URL, AccessToken: transporttest.GivenToken, Slug: transporttest.Slug,
	}
	for _, f := range change {
		f(&cfg)
	}
	c, err := New(cfg)
	require.NoError(tb, err)
	if ownClock, isFake := cfg.Clock.(*transporttest.Clock); isFake {
		clock = ownClock
	}
	return c, clock
}

func withKey(cfg *Config) { cfg.APIKey, cfg.AccessToken = transporttest.Key, "" }

func withCache(dir string) func(*Config) {
	return func(cfg *Config) {
		withKey(cfg)
		cfg.TokenCacheDir = dir
	}
}

func withClock(clock transport.Clock) func(*Config) { return func(cfg *Config) { cfg.Clock = clock } }

// readTwice makes a read that does not show a write be made once more, and not for 30 seconds.
func readTwice(cfg *Config) { cfg.MaxWait = time.Second }

func withoutSlug(cfg *Config) { cfg.Slug = "" }

func list(c *Client) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := c.ListPrivateLabels(ctx, "")
		return err
	}
}

func provisionRequest() ProvisionRequest {
	return ProvisionRequest{
		Owner:  NewMember{Email: transporttest.Owner, FirstName: "Olive", LastName: "Owner"},
		Domain: transporttest.Host, AppName: "Customer",
	}
}

// failure returns the error of a write that returns something.
func failure[T any](_ T, o transport.Outcome) error { return o.Err }

// inWords says what became of a write: "done", "lost" (in effect, and its response was lost), the code of its rejection, or the
// text of another error and of its cause.
func inWords(o transport.Outcome) string {
	doubt, isDoubt := errors.AsType[*transport.UnknownOutcomeError](o.Err)
	rejection, isRejected := errors.AsType[*transport.Error](o.Err)
	switch {
	case isDoubt:
		return fmt.Sprintf("doubt: %v [%v]", doubt, doubt.Err)
	case isRejected:
		return cmp.Or(rejection.Code, fmt.Sprintf("HTTP %d", rejection.Status))
	case o.Err != nil:
		return fmt.Sprintf("error: %v [%v]", o.Err, errors.Unwrap(o.Err))
	case o.ResponseLost:
		return "lost"
	default:
		return "done"
	}
}

// wantOutcome compares what became of a write with words, of which "…" stands for any text.
func wantOutcome(t *testing.T, want string, o transport.Outcome) {
	t.Helper()
	wantWords(t, want, inWords(o))
}

func wantWords(t *testing.T, want, got string) {
	t.Helper()
	pattern := anyText.ReplaceAllString(regexp.QuoteMeta(transporttest.Named(t, want)), ".*")
	assert.Regexp(t, "(?s)^"+pattern+"$", got)
}

var anyText = regexp.MustCompile(" *… *")
