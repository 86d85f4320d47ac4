package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func TestRetry_NotAfterAPIError(t *testing.T) {
	t.Parallel()
	for status, code := range map[int]string{400: CodeInvalidTarget, 403: CodeForbidden, 404: CodeNotFound, 418: "TEAPOT"} {
		c, clock := dial(t, transporttest.Expect(t, fmt.Sprintf("GET {labels} -> %d %s", status, code)))
		e, _ := errors.AsType[*transport.Error](list(c)(t.Context()))
		require.NotNil(t, e)
		assert.Equal(t, &transport.Error{Status: status, Code: code, Message: "says the service", Op: routeListLabels.Op, Endpoint: e.Endpoint}, e)
		assert.Zero(t, clock.Slept())
	}
}

// The calls of §7.4 that may be retried.
func TestRetry_RetryableWrites(t *testing.T) {
	t.Parallel()
	calls := map[string]func(context.Context, *Client) (any, transport.Outcome){
		"suspend": func(ctx context.Context, c *Client) (any, transport.Outcome) {
			return c.SuspendPrivateLabel(ctx, transporttest.ID, "unpaid <&>")
		},
		"suspend without a reason": func(ctx context.Context, c *Client) (any, transport.Outcome) {
			return c.SuspendPrivateLabel(ctx, transporttest.ID, "")
		},
		"unsuspend": func(ctx context.Context, c *Client) (any, transport.Outcome) {
			return c.UnsuspendPrivateLabel(ctx, transporttest.ID)
		},
		"attach": func(ctx context.Context, c *Client) (any, transport.Outcome) {
			return c.AttachDomain(ctx, transporttest.ID)
		},
	}
	// Columns: the path, the data of the response, what of it is read, and the body that each attempt sends.
	texttable.Run(t, `
		suspend                  | /suspend       | {"tenantId":"{id}","status":"Suspended","suspendedAt":1,"suspendedBy":"Reseller","suspendReason":null} | … "suspendedBy":"Reseller" …      | {"reason":"unpaid <&>"}
		suspend without a reason | /suspend       | {"tenantId":"{id}","status":"Suspended","suspendedAt":1000} | … "status":"Suspended" …          | {}
		unsuspend                | /unsuspend     | {"tenantId":"{id}","status":"Active","suspendedAt":null}    | … "status":"Active" …             | nothing
		attach                   | /domain/attach | {"domainSetup":{"attached":true,"records":[{"type":"CNAME","name":"a","value":"b"}]}} | … "attached":true … "value":"b" … | nothing
	`, func(t *testing.T, row []string) {
		call := "POST {label}" + row[1] + " -> "
		s := transporttest.Expect(t, call+"reset; "+call+"500 INTERNAL_SERVER_ERROR; "+call+"502 page; "+call+"200 "+row[2])
		c, _ := dial(t, s)
		got, o := calls[row[0]](t.Context(), c)
		require.NoError(t, o.Err)
		read, err := json.Marshal(got)
		require.NoError(t, err)
		wantWords(t, row[3], string(read))
		for i := range s.Calls() {
			assert.Equal(t, row[4], cmp.Or(strings.TrimSpace(s.Body(i)), "nothing"), "attempt %d", i)
		}
		c, _ = dial(t, transporttest.Expect(t, call+"400 INVALID_TARGET"))
		_, o = calls[row[0]](t.Context(), c)
		wantOutcome(t, "INVALID_TARGET", o)
	})
}

func TestRetry_RefusedConnection(t *testing.T) {
	t.Parallel()
	refusing := func(s *transporttest.Fake, times int) transporttest.Answer {
		return func(r *http.Request) (*http.Response, error) {
			if times > 0 {
				times--
				return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
			}
			return s.RoundTrip(r)
		}
	}
	s := transporttest.Expect(t, `
		POST {labels} -> 200 {provisioned}
		DELETE {label} -> 200 {"status":"deprovisioned"}
		GET {labels} -> 200 {no labels}
		GET {label} -> 403 FORBIDDEN
		GET {labels} -> 200 {no labels}
	`)
	c, _ := dial(t, s, func(cfg *Config) { cfg.Transport = refusing(s, 3) })
	_, o := c.ProvisionPrivateLabel(t.Context(), provisionRequest())
	assert.NoError(t, o.Err)
	assert.False(t, o.ResponseLost, "settled, though nothing had happened")
	c, _ = dial(t, s, func(cfg *Config) { cfg.Transport = refusing(s, 3) })
	out := c.DeprovisionPrivateLabel(t.Context(), transporttest.ID)
	assert.False(t, out.ResponseLost, "got %+v", out)
	assert.NoError(t, out.Err, "got %+v", out)
	c, _ = dial(t, s, func(cfg *Config) { cfg.Transport = refusing(s, 3) })
	assert.NoError(t, list(c)(t.Context()))
	c, _ = dial(t, s, func(cfg *Config) { cfg.Transport = refusing(s, 4) })
	err := failure(c.ProvisionPrivateLabel(t.Context(), provisionRequest()))
	assert.ErrorIs(t, err, syscall.ECONNREFUSED)
	assert.False(t, transport.MayHaveTakenEffect(err), "got %v", err)
	// A real server that no longer listens.
	gone := httptest.NewServer(nil)
	gone.Close()
	c, clock := dial(t, s, func(cfg *Config) { cfg.BaseURL, cfg.Transport = gone.URL, nil })
	if err := failure(c.ProvisionPrivateLabel(t.Context(), provisionRequest())); err == nil || transport.MayHaveTakenEffect(err) || len(clock.Sleeps) != 3 {
		t.Errorf("pauses %v: %v", clock.Sleeps, err)
	}
}

func TestNeverSent(t *testing.T) {
	t.Parallel()
	foreign := httptest.NewUnstartedServer(nil)
	foreign.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	foreign.StartTLS()
	t.Cleanup(foreign.Close)
	for name, rt := range map[string]http.RoundTripper{
		"no such host": transporttest.Answer(func(*http.Request) (*http.Response, error) {
			return nil, &net.DNSError{Err: "no such host", Name: "api.example", IsNotFound: true}
		}),
		"a certificate that nobody trusts": &http.Transport{},
	} {
		c, err := New(Config{Settings: transport.Settings{Transport: rt, Clock: transporttest.NewClock()}, BaseURL: foreign.URL, AccessToken: transporttest.GivenToken, Slug: transporttest.Slug})
		require.NoError(t, err)
		if err := failure(c.ProvisionPrivateLabel(t.Context(), provisionRequest())); err == nil || transport.MayHaveTakenEffect(err) || !transport.NeverSent(err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestRequestTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, _ := dial(t, transporttest.Serve(t, `
			GET {labels} -> silent
			GET {labels} -> silent
			GET {labels} -> 200 {no labels}
			POST {labels} -> silent
		`), withClock(transport.RealClock{}), func(cfg *Config) { cfg.RequestTimeout = 20 * time.Second })
		start := time.Now()
		assert.NoError(t, list(c)(t.Context()))
		took := time.Since(start)
		assert.GreaterOrEqual(t, took, 40*time.Second, "it took")
		assert.LessOrEqual(t, took, 42*time.Second, "it took")
		_, err := fetch(t.Context(), c, routeProvision.with(provisionRequest().body()), ignored)
		require.Error(t, err)
		assert.True(t, transport.MayHaveTakenEffect(err), "got %v", err)
		assert.Contains(t, err.Error(), "no response within 20s", "got %v", err)
	})
}

// The run is canceled by the first request, or before it.
func TestCancel_Calls(t *testing.T) {
	t.Parallel()
	calls := map[string]func(context.Context, *Client) transport.Outcome{
		"read": func(ctx context.Context, c *Client) transport.Outcome { return transport.Outcome{Err: list(c)(ctx)} },
		"write": func(ctx context.Context, c *Client) transport.Outcome {
			_, o := c.ProvisionPrivateLabel(ctx, provisionRequest())
			return o
		},
	}
	texttable.Run(t, `
		a read before the first        | read  |                        | error: … context canceled …
		a write before the first       | write |                        | error: … context canceled …
		a read under way ends          | read  | GET {labels} -> silent | error: … context canceled …
		a read between two attempts    | read  | GET {labels} -> reset  | error: … context canceled …
		a write under way is finished  | write | done                   | done
		a lost response is settled     | write | lost; there; ours      | lost
		but a write is not tried again | write | lost; gone x2          | doubt: … canceled …
	`, func(t *testing.T, row []string) {
		ctx, cancel := context.WithCancel(t.Context())
		s := transporttest.Expect(t, labelScript+row[2])
		c, _ := dial(t, s, readTwice)
		s.Before = cancel
		if row[2] == "" {
			cancel()
		}
		o := calls[row[1]](ctx, c)
		wantOutcome(t, row[3], o)
		if strings.HasPrefix(row[3], "error") {
			assert.ErrorIs(t, o.Err, context.Canceled)
			assert.Equal(t, row[1] == "read" && row[2] != "", transport.MayHaveTakenEffect(o.Err), "%v", o.Err)
		}
	})
}

func TestRedirect_IsNotFollowed(t *testing.T) {
	t.Parallel()
	const elsewhere = "https://elsewhere.example" // must receive nothing, in particular no token
	for _, status := range []int{301, 302, 303, 307, 308} {
		c, _ := dial(t, transporttest.Expect(t, fmt.Sprintf("GET {labels} -> %d + Location: %s/?secret=value", status, elsewhere)))
		err := list(c)(t.Context())
		var e *transport.Error
		if !errors.As(err, &e) || e.Status != status || !strings.Contains(err.Error(), strings.TrimPrefix(elsewhere, "https://")) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%d: %v", status, err)
		}
	}
	c, _ := dial(t, transporttest.Expect(t, "POST {exchange} -> 307 + Location: https://elsewhere.example"), withKey, func(cfg *Config) { cfg.MaxRetries = 0 })
	assert.Error(t, list(c)(t.Context()), "the exchange follows a redirect")
}
