package transport

import (
	"context"
	"crypto/tls"
	"errors"
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
	s := transporttest.Serve(t, `
		POST {exchange} -> grant token-number-1
		POST {exchange} -> grant token-number-2
		POST {exchange} -> grant token-number-3
		GET {labels} -> 401 UNAUTHORIZED
	`)
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
	s := transporttest.Serve(t, `
		POST {exchange} -> grant token-number-1
		POST {exchange} -> grant token-number-2
		POST {exchange} -> grant token-number-3
		GET {labels} -> 401 UNAUTHORIZED
		GET {labels} -> 200 {no labels}
		GET {labels} -> 401 UNAUTHORIZED
		GET {labels} -> 200 {no labels}
	`)
	c, _ := dial(t, s, withCache(t.TempDir()))
	for range 2 {
		require.NoError(t, c.read(t.Context()))
	}
	assert.Equal(t, 3, s.Count(transporttest.ReqExchange), "exchanges")
}

func TestToken_DefaultLifetime(t *testing.T) {
	t.Parallel()
	c, _ := dial(t, transporttest.Serve(t, `POST {exchange} -> 200 body {"access_token":"token-number-1"}`), withKey)
	creds, err := c.Credentials(t.Context())
	require.NoError(t, err, "got %+v", creds)
	assert.True(t, creds.ExpiresAt.Equal(transporttest.Start.Add(time.Hour)), "got %+v, %v", creds, err)
}

func TestBadCertificate_IsFinal(t *testing.T) {
	t.Parallel()
	bad := transporttest.Fail(&tls.CertificateVerificationError{Err: errors.New("unknown authority")})
	s := transporttest.Serve(t, "GET {labels} -> bad; POST {labels} -> bad", transporttest.Answers{"bad": bad})
	c, _ := dial(t, s)
	assert.Error(t, c.read(t.Context()), "no error")
	err := c.write(t.Context())
	require.Error(t, err)
	assert.False(t, IsUnknownOutcome(err), "got %v", err)
	assert.Len(t, s.Calls(), 2)
}

// One response cannot block the exchange for longer than the window of its limit.
func TestExchange_BlockedAtMostOneWindow(t *testing.T) {
	t.Parallel()
	for _, after := range []string{"31536000", "1e300", "Fri, 01 Jan 2100 00:00:00 GMT"} {
		s := transporttest.Serve(t, "POST {exchange} -> limited + Retry-After: "+after)
		c, _ := dial(t, s, withCache(t.TempDir()), func(cfg *Config) { cfg.MaxWait = 0 })
		_, err := c.token(t.Context())
		var limit *RateLimitError
		require.ErrorAs(t, err, &limit, after)
		assert.True(t, limit.Until.Equal(transporttest.Start.Add(exchangesWindow)), "%s: %v", after, err)
		for range 20 {
			assert.True(t, IsRateLimitError(c.read(t.Context())))
		}
		assert.Equal(t, 1, s.Count(transporttest.ReqExchange), "exchanges of a process before the limit resets")
	}
}

// A process that waits for the limit holds no lock: another one, whose max_wait is shorter, gets its error at once. When
// the limit resets, the first makes the exchange, and the other one uses its token.
func TestExchange_WaitsWithoutLock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := transporttest.Expect(t, tokenScript+"limited: POST {exchange} -> limited + Retry-After: 90\nlimited x2; token")
	impatient, passed := dial(t, s, withCache(dir), func(cfg *Config) { cfg.MaxWait = 0 })
	asked := false
	patient, _ := dial(t, s, withCache(dir), func(cfg *Config) {
		cfg.Clock = &whileAsleep{Clock: cfg.Clock, then: func() {
			_, err := impatient.token(t.Context())
			assert.True(t, IsRateLimitError(err), "got %v", err)
			asked = true
		}}
	})
	_, err := patient.token(t.Context())
	require.NoError(t, err)
	assert.True(t, asked)
	passed.Move(90 * time.Second)
	_, err = impatient.token(t.Context())
	require.NoError(t, err)
}

// whileAsleep is a clock whose sleeper does something else first.
type whileAsleep struct {
	Clock
	then func()
}

func (w *whileAsleep) Sleep(ctx context.Context, d time.Duration) error {
	w.then()
	return w.Clock.Sleep(ctx, d)
}
