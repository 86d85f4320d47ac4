package transport

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func TestRetry_Reads(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]transporttest.Answer{
		"500": transporttest.Reject(500, "INTERNAL_SERVER_ERROR"), "503 without a body": transporttest.Reply(503, ""), "HTML 502": transporttest.HTML(502), "HTML 200": transporttest.HTML(200),
		"empty 200": transporttest.Reply(200, ""), "half of the JSON": transporttest.Reply(200, `{"status":"OK","data":{"pri`),
		"reset": transporttest.Reset, "truncated": transporttest.Truncated,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Run("until it succeeds", func(t *testing.T) {
				t.Parallel()
				s := transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqList, Answer: failure}, transporttest.Step{Request: transporttest.ReqList, Answer: failure}, transporttest.Step{Request: transporttest.ReqList, Answer: failure}, transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.NoLabels)})
				c, clock := dial(t, s)
				assert.NoError(t, c.read(t.Context()))
				require.Len(t, clock.Sleeps, 3, "pauses")
				for i, most := range []time.Duration{minBackoff, 2 * minBackoff, 4 * minBackoff} {
					d := clock.Sleeps[i]
					assert.GreaterOrEqual(t, d, most/2, "pause %d", i)
					assert.Less(t, d, most, "pause %d", i)
				}
			})
			t.Run("up to MaxRetries", func(t *testing.T) {
				t.Parallel()
				c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqList, Answer: failure}, transporttest.Step{Request: transporttest.ReqList, Answer: failure}), func(cfg *Config) { cfg.MaxRetries = 1 })
				assert.Error(t, c.read(t.Context()), "no error")
			})
			t.Run("never with none", func(t *testing.T) {
				t.Parallel()
				c, clock := dial(t, transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqList, Answer: failure}), func(cfg *Config) { cfg.MaxRetries = 0 })
				require.Error(t, c.read(t.Context()), "slept %s", clock.Slept())
				assert.Equal(t, time.Duration(0), clock.Slept())
			})
		})
	}
}

func TestBackoff_Bounds(t *testing.T) {
	t.Parallel()
	for failures, want := range map[int]time.Duration{0: minBackoff, 1: 2 * minBackoff, 5: 16 * time.Second, 6: maxBackoff, 63: maxBackoff, 1 << 20: maxBackoff} {
		assert.Equal(t, want, backoffAfter(failures), "after %d failures", failures)
	}
}

func TestBody_Limit(t *testing.T) {
	t.Parallel()
	for size, fitting := range map[int]bool{99: true, 100: true, 101: false} {
		r, err := readWhole(&http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(make([]byte, size)))}, 100)
		if fitting != (err == nil) || !fitting && (!strings.Contains(err.Error(), "(HTTP 200) was interrupted: the body is larger than 100 bytes") || !MayHaveTakenEffect(err)) {
			t.Errorf("%d bytes: %v", size, err)
		}
		if err == nil && len(r.body) != size {
			t.Errorf("%d bytes became %d", size, len(r.body))
		}
	}
}

// A read waits as long as the API asks for, if it may, and every error keeps that time.
func TestRetry_RetryAfter(t *testing.T) {
	t.Parallel()
	later := transporttest.Reject(503, "INTERNAL_SERVER_ERROR", "Retry-After", "50")
	step := transporttest.Step{Request: transporttest.ReqList, Answer: later}
	success := transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.OK(transporttest.NoLabels)}
	t.Run("is waited for", func(t *testing.T) {
		t.Parallel()
		c, clock := dial(t, transporttest.Expect(t, step, step, success))
		require.NoError(t, c.read(t.Context()))
		assert.Equal(t, []time.Duration{50 * time.Second, 50 * time.Second}, clock.Sleeps)
	})
	t.Run("up to MaxWait in sum", func(t *testing.T) {
		t.Parallel()
		c, clock := dial(t, transporttest.Expect(t, step, step, step))
		err := c.read(t.Context())
		require.True(t, IsStatus(err, 503), "%v", err)
		assert.Equal(t, 50*time.Second, retryAfterOf(err))
		assert.Equal(t, 100*time.Second, clock.Slept())
	})
	t.Run("of an exchange", func(t *testing.T) {
		t.Parallel()
		c, clock := dial(t, transporttest.Expect(t, append(exchanges(1, later), exchanges(1, transporttest.Grant("token-0001"))...)...), withKey)
		_, err := c.token(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 50*time.Second, clock.Slept())
	})
	t.Run("of an exchange, too long", func(t *testing.T) {
		t.Parallel()
		c, clock := dial(t, transporttest.Expect(t, exchanges(1, later)...), withKey, func(cfg *Config) { cfg.MaxWait = time.Second })
		_, err := c.token(t.Context())
		require.True(t, IsStatus(err, 503), "%v", err)
		assert.Zero(t, clock.Slept())
	})
	for _, status := range []int{403, 404, 409, 413, 500} {
		write := transporttest.Step{Request: transporttest.ReqProvision, Answer: transporttest.Reject(status, "A_CODE", "Retry-After", "50")}
		c, _ := dial(t, transporttest.Expect(t, write))
		assert.Equal(t, 50*time.Second, retryAfterOf(c.write(t.Context())), "HTTP %d", status)
	}
}

// A write that is answered without a body was accepted, and is sent once. A read is repeated, and a rejection stays one.
func TestCall_WithoutBody(t *testing.T) {
	t.Parallel()
	for _, status := range []int{200, 202, 204} {
		c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqDelete, Answer: transporttest.Reply(status, " \n")}))
		require.NoError(t, c.call(t.Context(), transporttest.ReqDelete, Request{Retryable: true}))
	}
	c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqDelete, Answer: transporttest.Reply(409, "")}))
	err := c.call(t.Context(), transporttest.ReqDelete, Request{Retryable: true})
	assert.True(t, IsStatus(err, 409), "%v", err)
}
