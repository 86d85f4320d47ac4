package transport

import (
	"cmp"
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

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// token returns a token, after an exchange if there is none.
func token(t *testing.T, c *api) (string, error) {
	t.Helper()
	tok, err := c.token(t.Context())
	return tok, err
}

func TestExchange_Failures(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		unknown key                  | unknown key                                              | invalid_client
		bad request                  | POST {exchange} -> 400 body {"error":"invalid_request"}  | invalid_request
		500, then a token            | exchange fails; token; list                              | done
		500 twice is enough          | exchange fails x2                                        | INTERNAL_SERVER_ERROR
		HTML twice                   | POST {exchange} -> 200 page; POST {exchange} -> 200 page | HTTP 200
		no token in it               | no token x2                                              | HTTP 200
		reset, then a token          | exchange lost; token; list                               | done
		the calls repeat no exchange | exchange lost x2                                         | error: GET /console/reseller.example/reseller/private-labels: exchange
	`, func(t *testing.T, row []string) {
		c, _ := dial(t, transporttest.Expect(t, tokenScript+row[1]), withKey)
		err := c.read(t.Context())
		assert.True(t, strings.HasPrefix(inWords(err), row[2]), "%v", err)
		assert.False(t, MayHaveTakenEffect(err), "a call without a token is in doubt")
	})
}

// An exchange that never reaches the API is retried like a call.
func TestExchange_NeverSentIsRetried(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, tokenScript+"token; list")
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
	// Columns: the exchanges, max_wait, how long it waits.
	texttable.Run(t, `
		Retry-After is waited for | POST {exchange} -> limited + Retry-After: 90; token | 2m  | 1m30s | done
		longer than may be waited | POST {exchange} -> limited + Retry-After: 121       | 2m  | 0s    | token exchange limit until +2m1s
		nothing may be waited     | POST {exchange} -> limited + Retry-After: 1         | 0s  | 0s    | token exchange limit until +1s
		without Retry-After       | POST {exchange} -> limited; token                   | 2m  | 1s    | done
		a 429 that never ends     | limited x3                                          | 2m  | 2m0s  | token exchange limit until +3m0s
		for all of the window     | limited x16                                         | 15m | 15m0s | token exchange limit until +16m0s
	`, func(t *testing.T, row []string) {
		c, clock := dial(t, transporttest.Expect(t, tokenScript+row[1]), withKey, withMaxWait(duration(t, row[2])))
		_, err := token(t, c)
		assert.Equal(t, row[4], inWords(err))
		assert.Equal(t, row[3], clock.Slept().String())
		if limit, limited := errors.AsType[*RateLimitError](err); limited {
			assert.Equal(t, duration(t, row[2]), limit.MaxWait)
		}
	})
}

func TestExchange_RejectsInvalidToken(t *testing.T) {
	t.Parallel()
	for name, token := range map[string]string{
		"a line break": "tok\nen", "a blank": "to ken", "not ASCII": "tökén", "too long": strings.Repeat("t", maxToken+1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, transporttest.Serve(t, "POST {exchange} -> token", transporttest.Answers{"token": transporttest.Grant(token)}), withKey)
			_, err := c.token(t.Context())
			assert.ErrorContains(t, err, "access_token of the response cannot", "the error")
		})
	}
}

// The address has five exchanges in 15 minutes: what rejects one would reject the others, too.
func TestExchange_RejectionIsFinal(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		unknown key    | unknown key
		bad request    | POST {exchange} -> 400 body {"error":"invalid_request"}
		another server | POST {exchange} -> 404 page
		a gateway      | POST {exchange} -> 403 page
		no token       | no token x2
	`, func(t *testing.T, row []string) {
		c, clock := dial(t, transporttest.Expect(t, tokenScript+row[1]), withCache(t.TempDir()))
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
	texttable.Run(t, `
		as documented   | "expires_in":600,"scope":"a b"                               | 10m0s  | a b
		expiry as text  | "expires_in":"600","scope":"a b"                             | 10m0s  | a b
		scope as a list | "expires_in":6e2,"scope":["a","b"]                           | 10m0s  | a b
		null            | "expires_in":null,"scope":null                               | 1h0m0s | none
		missing         | "token_type":["Bearer"]                                      | 1h0m0s | none
		other types     | "expires_in":{"seconds":1},"scope":{"a":true},"token_type":7 | 1h0m0s | none
		negative        | "expires_in":-5,"scope":true                                 | 1h0m0s | none
		no number       | "expires_in":"soon","scope":[]                               | 1h0m0s | none
	`, func(t *testing.T, row []string) {
		c, clock := dial(t, transporttest.Expect(t, `POST {exchange} -> 200 body {"access_token":"token-0001",`+row[1]+"}"), withKey)
		got, err := c.Credentials(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "token-0001", got.AccessToken)
		assert.Equal(t, row[2], got.ExpiresAt.Sub(clock.Now()).String())
		assert.Equal(t, row[3], cmp.Or(got.Scope, "none"))
	})
}
