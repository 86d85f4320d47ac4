package transport

import (
	"crypto/tls"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// A server that rejects every token does not cause one exchange for each call, which would exhaust the limit for every
// process with this source IP address.
func TestToken_AllRejected(t *testing.T) {
	t.Parallel()
	s := transporttest.Serve(t, transporttest.Replies{
		transporttest.ReqExchange: {transporttest.Grant("token-number-1"), transporttest.Grant("token-number-2"), transporttest.Grant("token-number-3")},
		transporttest.ReqList:     {transporttest.Reject(http.StatusUnauthorized, "UNAUTHORIZED")},
	})
	c, clock := dial(t, s, withCache(t.TempDir()))
	for range 20 {
		err := c.read(t.Context())
		require.True(t, IsCode(err, "UNAUTHORIZED"), "got %v", err)
	}
	if s.Count(transporttest.ReqExchange) != 2 || clock.Slept() != 0 {
		t.Errorf("%d exchanges, slept %s", s.Count(transporttest.ReqExchange), clock.Slept())
	}
}

func TestToken_RenewedAtEachExpiry(t *testing.T) {
	t.Parallel()
	rejected := transporttest.Reject(http.StatusUnauthorized, "UNAUTHORIZED")
	s := transporttest.Serve(t, transporttest.Replies{
		transporttest.ReqExchange: {transporttest.Grant("token-number-1"), transporttest.Grant("token-number-2"), transporttest.Grant("token-number-3")},
		transporttest.ReqList:     {rejected, transporttest.OK(transporttest.NoLabels), rejected, transporttest.OK(transporttest.NoLabels)},
	})
	c, _ := dial(t, s, withCache(t.TempDir()))
	for range 2 {
		require.NoError(t, c.read(t.Context()))
	}
	assert.Equal(t, 3, s.Count(transporttest.ReqExchange), "exchanges")
}

func TestToken_DefaultLifetime(t *testing.T) {
	t.Parallel()
	c, _ := dial(t, transporttest.Serve(t, transporttest.Replies{transporttest.ReqExchange: {transporttest.Reply(http.StatusOK, `{"access_token":"token-number-1"}`)}}), withKey)
	creds, err := c.Credentials(t.Context())
	require.NoError(t, err, "got %+v", creds)
	assert.True(t, creds.ExpiresAt.Equal(transporttest.Start.Add(time.Hour)), "got %+v, %v", creds, err)
}

func TestBadCertificate_IsFinal(t *testing.T) {
	t.Parallel()
	bad := transporttest.Fail(&tls.CertificateVerificationError{Err: errors.New("unknown authority")})
	s := transporttest.Serve(t, transporttest.Replies{transporttest.ReqList: {bad}, transporttest.ReqProvision: {bad}})
	c, _ := dial(t, s)
	assert.Error(t, c.read(t.Context()), "no error")
	err := c.write(t.Context())
	require.Error(t, err)
	assert.False(t, IsUnknownOutcome(err), "got %v", err)
	assert.Len(t, s.Calls(), 2)
}

// A 429 of the exchange applies to every process and key with this source IP address. One response cannot block the exchange
// for longer than its window, and the error names the file that blocks it.
func TestExchange_BlockedAtMostOneWindow(t *testing.T) {
	t.Parallel()
	for _, after := range []string{"31536000", "1e300", "Fri, 01 Jan 2100 00:00:00 GMT"} {
		dir := t.TempDir()
		noWait := func(cfg *Config) { cfg.MaxWait = 0 }
		c, clock := dial(t, transporttest.Serve(t, transporttest.Replies{transporttest.ReqExchange: {transporttest.Limited("Retry-After", after)}}), withCache(dir), noWait)
		_, err := c.token(t.Context())
		var limit *RateLimitError
		require.ErrorAs(t, err, &limit, after)
		require.True(t, limit.Until.Equal(transporttest.Start.Add(exchangesWindow)), "%s: %v", after, err)
		assert.NotEmpty(t, limit.File, "the error names %q", limit.File)
		assert.Equal(t, dir, filepath.Dir(limit.File), "the error names %q", limit.File)
		s := transporttest.Serve(t, transporttest.Replies{transporttest.ReqExchange: {transporttest.Grant("token-number-1")}})
		next, _ := dial(t, s, withCache(dir), noWait, withClock(clock), func(cfg *Config) { cfg.APIKey = "another-key-of-this-address" })
		_, err = next.token(t.Context())
		assert.True(t, IsRateLimitError(err), "%s: another key: %v", after, err)
		assert.Equal(t, 0, s.Count(transporttest.ReqExchange), "%s: another key: %v", after, err)
		assert.NoError(t, os.Remove(limit.File))
		next, _ = dial(t, transporttest.Serve(t, transporttest.Replies{transporttest.ReqExchange: {transporttest.Grant("token-number-1")}}), withCache(dir), noWait, func(cfg *Config) { cfg.Clock = clock })
		_, err = next.token(t.Context())
		assert.NoError(t, err, "%s: without the file", after)
	}
}
