package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func TestToken_IsLazy(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, `
		POST {exchange} -> grant token-0001
		GET {labels} -> 200 {no labels}
		GET {labels} -> 200 {no labels}
	`)
	c, _ := dial(t, s, withKey)
	require.Empty(t, s.Calls(), "calls before the first that was asked")
	for range 2 {
		require.NoError(t, c.read(t.Context()))
	}
	want := map[string]any{"grant_type": "client_credentials", "api_key": transporttest.Key}
	for name, value := range transporttest.MustJSON(t, s.Body(0)) {
		assert.Equal(t, want[name], value, "the exchange sends %s", name)
	}
	if s.Token(0) != "" || s.Token(1) != "token-0001" {
		t.Errorf("the calls carried %q and %q", s.Token(0), s.Token(1))
	}
	assert.Len(t, s.Calls(), 3)
}

func TestToken_SharesOneExchange(t *testing.T) {
	t.Parallel()
	var exchanges atomic.Int64
	arrived, goOn := make(chan struct{}), make(chan struct{})
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == exchangePath {
			exchanges.Add(1)
			close(arrived)
			<-goOn
			transporttest.Grant("token-0001").ServeHTTP(w, r)
			return
		}
		transporttest.OK(transporttest.NoLabels).ServeHTTP(w, r)
	})
	s := transporttest.Expect(t, "")
	for name, dir := range map[string]string{"one client": "", "two clients of one folder": t.TempDir()} {
		exchanges.Store(0)
		arrived, goOn = make(chan struct{}), make(chan struct{})
		overMemory := func(cfg *Config) { cfg.Transport = transporttest.InMemory(h) }
		a, _ := dial(t, s, withCache(dir), overMemory)
		b := a
		if dir != "" {
			b, _ = dial(t, s, withCache(dir), overMemory)
		}
		var group errgroup.Group
		for i := range 50 {
			group.Go(func() error {
				c := a
				if i%2 == 1 {
					c = b
				}
				return c.read(t.Context())
			})
		}
		<-arrived
		close(goOn)
		assert.NoError(t, group.Wait(), name)
		assert.Equal(t, int64(1), exchanges.Load(), "%s: exchanges", name)
	}
}

func TestToken_RenewedBeforeExpiry(t *testing.T) {
	t.Parallel()
	// Columns: the lifetime of the first token in seconds, and its last use.
	texttable.Run(t, `
		an hour                | 3600 | 55m
		ten minutes            | 600  | 5m
		shorter: half its life | 60   | 30s
	`, func(t *testing.T, row []string) {
		s := transporttest.Expect(t, tokenScript+"POST {exchange} -> grant token-0001 "+row[1]+"; list x2; new token; list")
		c, clock := dial(t, s, withCache(t.TempDir()))
		for _, d := range []time.Duration{0, duration(t, row[2]) - time.Second, time.Second} {
			clock.Move(d)
			require.NoError(t, c.read(t.Context()))
		}
		assert.Equal(t, "token-0002", s.Token(4), "the last call carried")
	})
}

func TestToken_RejectedIsRenewedOnce(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		then the call goes through       | token; unauthorized; new token; list         | done
		a second rejection is the error  | token; unauthorized; new token; unauthorized | UNAUTHORIZED
		a rejected exchange is the error | token; unauthorized; unknown key             | invalid_client
	`, func(t *testing.T, row []string) {
		c, _ := dial(t, transporttest.Expect(t, tokenScript+row[1]), withCache(t.TempDir()))
		assert.Equal(t, row[2], inWords(c.read(t.Context())))
	})
}

func TestToken_ParallelRejectionsShareExchange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var exchanged, rejected atomic.Int64
		all := make(chan struct{})
		c := inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == exchangePath:
				transporttest.Grant(fmt.Sprintf("token-%04d", exchanged.Add(1))).ServeHTTP(w, r)
			case r.Header.Get("Authorization") == "Bearer token-0001":
				if rejected.Add(1) == 10 {
					close(all)
				}
				<-all // they use the same token
				transporttest.Reject(http.StatusUnauthorized, "UNAUTHORIZED").ServeHTTP(w, r)
			default:
				transporttest.OK(transporttest.NoLabels).ServeHTTP(w, r)
			}
		}), time.Minute, withKey)
		var group errgroup.Group
		for range 10 {
			group.Go(func() error { return c.read(t.Context()) })
		}
		if err := group.Wait(); err != nil || exchanged.Load() != 2 || rejected.Load() != 10 {
			t.Errorf("%d exchanges, %d refusals: %v", exchanged.Load(), rejected.Load(), err)
		}
	})
}

// A configured token is not renewed. Its error says where it is configured, and that a key beside it was not used.
func TestToken_GivenIsRejected(t *testing.T) {
	t.Parallel()
	for _, rejection := range []string{"401 UNAUTHORIZED", "400 JSON_WEB_TOKEN_ERROR"} {
		for origin, want := range map[string]*GivenToken{"": nil, "the environment variable X": {Origin: "the environment variable X", KeyUnused: true}} {
			s := transporttest.Expect(t, "GET {labels} -> "+rejection)
			c, _ := dial(t, s, func(cfg *Config) { cfg.APIKey, cfg.TokenOrigin = transporttest.Key, origin })
			e, answered := errors.AsType[*Error](c.read(t.Context()))
			require.True(t, answered)
			assert.Equal(t, want, e.GivenToken)
		}
	}
	s := transporttest.Expect(t, "GET {labels} -> 403 FORBIDDEN")
	c, _ := dial(t, s, func(cfg *Config) { cfg.TokenOrigin = "the environment variable X" })
	e, answered := errors.AsType[*Error](c.read(t.Context()))
	require.True(t, answered)
	assert.Nil(t, e.GivenToken, "the token was accepted")
}

func TestToken_ForbiddenDoesNotEvict(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, `
		POST {exchange} -> grant token-0001
		GET {labels} -> 403 FORBIDDEN
		GET {labels} -> 200 {no labels}
	`)
	dir := t.TempDir()
	c, clock := dial(t, s, withCache(dir))
	err := c.read(t.Context())
	require.True(t, IsCode(err, "FORBIDDEN"), err)
	again, _ := dial(t, s, withCache(dir), withClock(clock))
	if err := again.read(t.Context()); err != nil || s.Token(2) != "token-0001" {
		t.Errorf("carried %q: %v", s.Token(2), err)
	}
}

func TestToken_UsesRenewalOfOtherProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clock := transporttest.NewClock()
	s := transporttest.Expect(t, `
		POST {exchange} -> grant token-0001
		GET {labels} -> 200 {no labels}
		GET {labels} -> 401 UNAUTHORIZED
		POST {exchange} -> grant token-0002
		GET {labels} -> 200 {no labels}
		GET {labels} -> 401 UNAUTHORIZED
		GET {labels} -> 200 {no labels}
	`) // this process, without an exchange
	first, _ := dial(t, s, withCache(dir), withClock(clock))
	other, _ := dial(t, s, withCache(dir), withClock(clock))
	for i, c := range []*api{first, other, first} {
		require.NoError(t, c.read(t.Context()), "call %d", i)
	}
	assert.Equal(t, "token-0002", s.Token(6), "carried")
}

func TestToken_CanceledCallerKeepsExchange(t *testing.T) {
	t.Parallel()
	arrived, goOn := make(chan struct{}), make(chan struct{})
	slow := transporttest.After(func() {
		close(arrived)
		<-goOn
	}, transporttest.Grant("token-0001"))
	s := transporttest.Expect(t, tokenScript+"POST {exchange} -> slow; list", transporttest.Answers{"slow": slow})
	c, _ := dial(t, s, withKey)
	first, leave := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { _ = c.read(first) })
	<-arrived
	waiting, leaveToo := context.WithCancel(t.Context())
	leaveToo()
	assert.ErrorIs(t, c.read(waiting), context.Canceled, "a waiter who left")
	leave()
	close(goOn)
	wg.Wait()
	assert.NoError(t, c.read(t.Context())) // with the token of the completed exchange
}
