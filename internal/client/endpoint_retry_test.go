package client

import (
	"context"
	"errors"
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
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func TestRetry_NotAfterAPIError(t *testing.T) {
	t.Parallel()
	for status, code := range map[int]string{400: CodeInvalidTarget, 403: CodeForbidden, 404: CodeNotFound, 418: "TEAPOT"} {
		c, clock := dial(t, transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.Reject(status, code)}))
		var e *transport.Error
		if err := list(c)(t.Context()); !errors.As(err, &e) || e.Status != status || e.Code != code || e.Message != "says the service" || e.Op != routeListLabels.Op {
			t.Errorf("%d: got %v", status, err)
		}
		assert.Equal(t, time.Duration(0), clock.Slept(), "%d: slept", status)
	}
}

// The calls of §7.4 that may be retried.
func TestRetry_RetryableWrites(t *testing.T) {
	t.Parallel()
	suspended := `{"tenantId":"` + transporttest.ID + `","status":"Suspended","suspendedAt":1,"suspendedBy":"Reseller","suspendReason":null}`
	for _, tc := range []struct {
		name, request, data, body string
		call                      func(context.Context, *Client) error
	}{
		{"suspend", transporttest.ReqSuspend, suspended, `{"reason":"unpaid <&>"}`, func(ctx context.Context, c *Client) error {
			got, o := c.SuspendPrivateLabel(ctx, transporttest.ID, "unpaid <&>")
			err := o.Err
			if err == nil && (got.Status != StatusSuspended || *got.SuspendedBy != "Reseller" || got.SuspendedAt.Time().Format(time.RFC3339) != "1970-01-01T00:00:00Z") {
				return errors.New("misread")
			}
			return err
		}},
		{"suspend without a reason", transporttest.ReqSuspend, suspended, `{}`, func(ctx context.Context, c *Client) error {
			err := failure(c.SuspendPrivateLabel(ctx, transporttest.ID, ""))
			return err
		}},
		{"unsuspend", transporttest.ReqUnsuspend, `{"tenantId":"` + transporttest.ID + `","status":"Active","suspendedAt":null}`, "", func(ctx context.Context, c *Client) error {
			got, o := c.UnsuspendPrivateLabel(ctx, transporttest.ID)
			err := o.Err
			if err == nil && (got.Status != StatusActive || got.SuspendedAt != nil) {
				return errors.New("misread")
			}
			return err
		}},
		{"attach", transporttest.ReqAttach, `{"domainSetup":{"attached":true,"records":[{"type":"CNAME","name":"a","value":"b"}]}}`, "", func(ctx context.Context, c *Client) error {
			got, o := c.AttachDomain(ctx, transporttest.ID)
			err := o.Err
			if err == nil && (!got.DomainSetup.IsAttached() || got.DomainSetup.Records[0].Value != "b") {
				return errors.New("misread")
			}
			return err
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := transporttest.Expect(t, transporttest.Step{Request: tc.request, Answer: transporttest.Reset}, transporttest.Step{Request: tc.request, Answer: transporttest.Reject(500, CodeInternal)}, transporttest.Step{Request: tc.request, Answer: transporttest.HTML(502)}, transporttest.Step{Request: tc.request, Answer: transporttest.OK(tc.data)})
			c, _ := dial(t, s)
			require.NoError(t, tc.call(t.Context(), c))
			for i := range 4 {
				assert.Equal(t, tc.body, strings.TrimSpace(s.Body(i)), "attempt %d sent %q", i, s.Body(i))
			}
			broken, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: tc.request, Answer: transporttest.Reject(400, CodeInvalidTarget)}))
			err := tc.call(t.Context(), broken)
			assert.True(t, transport.IsCode(err, CodeInvalidTarget), "got %v", err)
		})
	}
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
	s := transporttest.Expect(t,
		transporttest.Step{Request: transporttest.ReqProvision, Answer: transporttest.OK(transporttest.Provisioned)},
		transporttest.Step{Request: transporttest.ReqDelete, Answer: transporttest.OK(`{"status":"deprovisioned"}`)},
		transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.NoLabels)},
		transporttest.Step{Request: transporttest.ReqDetail, Answer: transporttest.Reject(403, CodeForbidden)},
		transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.NoLabels)})
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
		c, _ := dial(t, transporttest.Serve(t, transporttest.Replies{
			transporttest.ReqList:      {transporttest.Silent, transporttest.Silent, transporttest.OK(transporttest.NoLabels)},
			transporttest.ReqProvision: {transporttest.Silent},
		}), withClock(transport.RealClock{}), func(cfg *Config) { cfg.RequestTimeout = 20 * time.Second })
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

func TestCancel_Calls(t *testing.T) {
	t.Parallel()
	t.Run("before the first", func(t *testing.T) {
		t.Parallel()
		c, _ := dial(t, transporttest.Expect(t))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		assert.ErrorIs(t, list(c)(ctx), context.Canceled)
		err := failure(c.ProvisionPrivateLabel(ctx, provisionRequest()))
		assert.ErrorIs(t, err, context.Canceled)
		assert.False(t, transport.MayHaveTakenEffect(err), "got %v", err)
	})
	t.Run("a read under way ends", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.After(cancel, transporttest.Silent)}))
		assert.ErrorIs(t, list(c)(ctx), context.Canceled)
	})
	t.Run("between two attempts", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.After(cancel, transporttest.Reset)}))
		assert.ErrorIs(t, list(c)(ctx), context.Canceled)
	})
	t.Run("a write under way is finished", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqProvision, Answer: transporttest.After(cancel, transporttest.OK(transporttest.Provisioned))}))
		if provisioned, o := c.ProvisionPrivateLabel(ctx, provisionRequest()); o.Err != nil || provisioned.TenantID != transporttest.ID || o.ResponseLost {
			t.Errorf("got %+v", provisioned)
		}
	})
	t.Run("and settled when its answer is lost", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqProvision, Answer: transporttest.After(cancel, transporttest.Reset)}, transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.OneLabel)}, transporttest.Step{Request: transporttest.ReqDetail, Answer: transporttest.OK(transporttest.Detail)}))
		if provisioned, o := c.ProvisionPrivateLabel(ctx, provisionRequest()); o.Err != nil || provisioned.TenantID != transporttest.ID || !o.ResponseLost {
			t.Errorf("got %+v", provisioned)
		}
	})
	t.Run("but not tried again", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqProvision, Answer: transporttest.After(cancel, transporttest.Reset)}, transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.NoLabels)}, transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.NoLabels)}), readTwice)
		err := failure(c.ProvisionPrivateLabel(ctx, provisionRequest()))
		var doubt *transport.UnknownOutcomeError
		require.ErrorAs(t, err, &doubt)
		assert.Contains(t, doubt.Seen, "canceled", "got %v", err)
	})
}

func TestRedirect_IsNotFollowed(t *testing.T) {
	t.Parallel()
	const elsewhere = "https://elsewhere.example" // must receive nothing, in particular no token
	for _, status := range []int{301, 302, 303, 307, 308} {
		c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.Reply(status, "", "Location", elsewhere+"/?secret=value")}))
		err := list(c)(t.Context())
		var e *transport.Error
		if !errors.As(err, &e) || e.Status != status || !strings.Contains(err.Error(), strings.TrimPrefix(elsewhere, "https://")) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%d: %v", status, err)
		}
	}
	c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqExchange, Answer: transporttest.Reply(307, "", "Location", elsewhere)}), withKey, func(cfg *Config) { cfg.MaxRetries = 0 })
	assert.Error(t, list(c)(t.Context()), "the exchange follows a redirect")
}
