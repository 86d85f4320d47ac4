package transport

import (
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// token returns a token, after an exchange if there is none.
func token(t *testing.T, c *api) (string, error) {
	t.Helper()
	tok, err := c.token(t.Context())
	return tok, err
}

func exchanges(n int, a transporttest.Answer) []transporttest.Step {
	steps := make([]transporttest.Step, n)
	for i := range steps {
		steps[i] = transporttest.Step{Request: transporttest.ReqExchange, Answer: a}
	}
	return steps
}

func TestExchange_Failures(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		steps  []transporttest.Step
		status int    // of the error; 0 for no error and no response
		code   string // of the error
		fails  bool
	}{
		{"unknown key", exchanges(1, transporttest.Reply(401, `{"error":"invalid_client"}`)), 401, CodeInvalidClient, true},
		{"bad request", exchanges(1, transporttest.Reply(400, `{"error":"invalid_request"}`)), 400, CodeInvalidRequestGrant, true},
		{"500, then a token", append(exchanges(1, transporttest.Reject(500, "INTERNAL_SERVER_ERROR")), exchanges(1, transporttest.Grant("token-0001"))...), 0, "", false},
		{"500 twice is enough", exchanges(2, transporttest.Reject(500, "INTERNAL_SERVER_ERROR")), 500, "INTERNAL_SERVER_ERROR", true},
		{"HTML twice", exchanges(2, transporttest.HTML(200)), 200, "", true},
		{"no token in it", exchanges(2, transporttest.Reply(200, `{"token_type":"Bearer"}`)), 200, "", true},
		{"reset, then a token", append(exchanges(1, transporttest.Reset), exchanges(1, transporttest.Grant("token-0001"))...), 0, "", false},
		{"reset twice: the calls' repeats don't multiply the exchange's", exchanges(2, transporttest.Reset), 0, "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			steps := tc.steps
			if !tc.fails {
				steps = append(steps, transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.NoLabels)})
			}
			c, _ := dial(t, transporttest.Expect(t, steps...), withKey)
			err := c.read(t.Context())
			var e *Error
			switch {
			case (err != nil) != tc.fails:
				t.Fatalf("got %v", err)
			case tc.status == 0:
			case !errors.As(err, &e) || e.Status != tc.status || e.Code != tc.code:
				t.Errorf("got %#v", e)
			}
			assert.False(t, MayHaveTakenEffect(err), "a call without a token is in doubt")
		})
	}
}

// An exchange that never reaches the API is retried like a call.
func TestExchange_NeverSentIsRetried(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, append(exchanges(1, transporttest.Grant("token-0001")), transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.NoLabels)})...)
	refused := 23
	broken := transporttest.Answer(func(r *http.Request) (*http.Response, error) {
		if refused > 0 {
			refused--
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
		}
		return s.RoundTrip(r)
	})
	c, _ := dial(t, s, withCache(t.TempDir()), func(cfg *Config) { cfg.Transport, cfg.MaxRetries, cfg.MaxWait = broken, 19, 0 })
	err := c.read(t.Context())
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
	require.True(t, NeverSent(err), "got %v", err)
	assert.Equal(t, 3, refused)
	assert.NoError(t, c.read(t.Context()))
}

func TestExchange_RateLimit(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		steps   []transporttest.Step
		maxWait time.Duration
		slept   time.Duration
		until   time.Duration // of the RateLimitError; 0 for none
	}{
		{"Retry-After is waited for", append(exchanges(1, transporttest.Limited("Retry-After", "90")), exchanges(1, transporttest.Grant("token-0001"))...), 2 * time.Minute, 90 * time.Second, 0},
		{"longer than may be waited", exchanges(1, transporttest.Limited("Retry-After", "121")), 2 * time.Minute, 0, 121 * time.Second},
		{"nothing may be waited", exchanges(1, transporttest.Limited("Retry-After", "1")), 0, 0, time.Second},
		{"without Retry-After", append(exchanges(1, transporttest.Limited()), exchanges(1, transporttest.Grant("token-0001"))...), 2 * time.Minute, time.Second, 0},
		{"a 429 that never ends", exchanges(3, transporttest.Limited("Retry-After", "60")), 2 * time.Minute, 2 * time.Minute, 3 * time.Minute},
		{"a 429 that never ends for all of the window", exchanges(16, transporttest.Limited("Retry-After", "60")), 15 * time.Minute, 15 * time.Minute, 16 * time.Minute},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, clock := dial(t, transporttest.Expect(t, tc.steps...), withKey, func(cfg *Config) { cfg.MaxWait = tc.maxWait })
			_, err := token(t, c)
			var limit *RateLimitError
			switch {
			case tc.until == 0 && err != nil:
				t.Error(err)
			case tc.until != 0 && (!errors.As(err, &limit) || limit.Limit != "token exchange" || !limit.Until.Equal(transporttest.Start.Add(tc.until)) || limit.MaxWait != tc.maxWait):
				t.Errorf("got %v", err)
			}
			assert.Equal(t, tc.slept, clock.Slept())
		})
	}
}

func TestExchange_RejectsInvalidToken(t *testing.T) {
	t.Parallel()
	for name, token := range map[string]string{
		"a line break": "tok\nen", "a blank": "to ken", "not ASCII": "tökén", "too long": strings.Repeat("t", maxToken+1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, transporttest.Serve(t, transporttest.Replies{transporttest.ReqExchange: {transporttest.Grant(token)}}), withKey)
			_, err := c.token(t.Context())
			assert.ErrorContains(t, err, "access_token of the response cannot", "the error")
		})
	}
}

// The address has five exchanges in 15 minutes: what rejects one would reject the others, too.
func TestExchange_RejectionIsFinal(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer    transporttest.Answer
		exchanges int
	}{
		"unknown key":       {transporttest.Reply(401, `{"error":"invalid_client"}`), 1},
		"bad request":       {transporttest.Reply(400, `{"error":"invalid_request"}`), 1},
		"another server":    {transporttest.HTML(404), 1},
		"page of a gateway": {transporttest.HTML(403), 1},
		"no token":          {transporttest.Reply(200, `{"token_type":"Bearer"}`), 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, clock := dial(t, transporttest.Expect(t, exchanges(tc.exchanges, tc.answer)...), withCache(t.TempDir()))
			first := c.read(t.Context())
			require.Error(t, first)
			clock.Move(time.Hour)
			waited := len(clock.Sleeps)
			group := errgroup.Group{}
			for range 10 {
				group.Go(func() error {
					_, err := c.token(t.Context())
					assert.Equal(t, errorOfExchange(first), errorOfExchange(err))
					return c.write(t.Context())
				})
			}
			err := group.Wait()
			require.Error(t, err)
			assert.Equal(t, errorOfExchange(first), errorOfExchange(err))
			assert.False(t, MayHaveTakenEffect(err))
			assert.Len(t, clock.Sleeps, waited, "a later call waits")
		})
	}
}

func errorOfExchange(err error) *Error {
	e, _ := errors.AsType[*Error](err)
	return e
}

// Callers that wait for an exchange that fails do not make exchanges of their own. A later one does.
func TestExchange_FailureIsShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var exchanged atomic.Int64
		goOn := make(chan struct{})
		c := inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == exchangePath && exchanged.Add(1) <= 2 {
				<-goOn
				transporttest.Reject(503, "INTERNAL_SERVER_ERROR").ServeHTTP(w, r)
				return
			}
			transporttest.Grant("token-0001").ServeHTTP(w, r)
		}), time.Minute, withKey)
		var group errgroup.Group
		for range 10 {
			group.Go(func() error {
				_, err := c.token(t.Context())
				assert.True(t, IsStatus(err, 503), "%v", err)
				return nil
			})
		}
		synctest.Wait() // one makes an exchange, and the others wait for it
		close(goOn)
		require.NoError(t, group.Wait())
		assert.EqualValues(t, 2, exchanged.Load(), "exchanges of ten callers")
		_, err := c.token(t.Context())
		require.NoError(t, err)
	})
}

// Only access_token decides whether an exchange succeeded.
func TestExchange_ReadsAnyType(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fields string
		life   time.Duration
		scope  string
	}{
		"as documented":   {`"expires_in":600,"scope":"a b"`, 10 * time.Minute, "a b"},
		"expiry as text":  {`"expires_in":"600","scope":"a b"`, 10 * time.Minute, "a b"},
		"scope as a list": {`"expires_in":6e2,"scope":["a","b"]`, 10 * time.Minute, "a b"},
		"null":            {`"expires_in":null,"scope":null`, time.Hour, ""},
		"missing":         {`"token_type":["Bearer"]`, time.Hour, ""},
		"other types":     {`"expires_in":{"seconds":1},"scope":{"a":true},"token_type":7`, time.Hour, ""},
		"negative":        {`"expires_in":-5,"scope":true`, time.Hour, ""},
		"no number":       {`"expires_in":"soon","scope":[]`, time.Hour, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := transporttest.Reply(200, `{"access_token":"token-0001",`+tc.fields+`}`)
			c, clock := dial(t, transporttest.Expect(t, exchanges(1, answer)...), withKey)
			got, err := c.Credentials(t.Context())
			require.NoError(t, err)
			assert.Equal(t, "token-0001", got.AccessToken)
			assert.Equal(t, clock.Now().Add(tc.life), got.ExpiresAt)
			assert.Equal(t, tc.scope, got.Scope)
		})
	}
}
