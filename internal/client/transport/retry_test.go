package transport

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func TestRetry_Reads(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		500                | 500 INTERNAL_SERVER_ERROR
		503 without a body | 503
		HTML 502           | 502 page
		HTML 200           | 200 page
		empty 200          | 200
		half of the JSON   | 200 body {"status":"OK","data":{"pri
		reset              | reset
		truncated          | truncated
	`, func(t *testing.T, row []string) {
		script := tokenScript + "fails: GET {labels} -> " + row[1] + "\n"
		c, clock := dial(t, transporttest.Expect(t, script+"fails x3; list"))
		assert.NoError(t, c.read(t.Context()))
		require.Len(t, clock.Sleeps, 3, "pauses")
		for i, most := range []time.Duration{minBackoff, 2 * minBackoff, 4 * minBackoff} {
			d := clock.Sleeps[i]
			assert.GreaterOrEqual(t, d, most/2, "pause %d", i)
			assert.Less(t, d, most, "pause %d", i)
		}
		c, _ = dial(t, transporttest.Expect(t, script+"fails x2"), func(cfg *Config) { cfg.MaxRetries = 1 })
		require.Error(t, c.read(t.Context()), "more than MaxRetries")
		c, clock = dial(t, transporttest.Expect(t, script+"fails"), func(cfg *Config) { cfg.MaxRetries = 0 })
		require.Error(t, c.read(t.Context()), "without retries")
		assert.Zero(t, clock.Slept())
	})
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
	const asked = "POST {exchange} -> 503 INTERNAL_SERVER_ERROR + Retry-After: 50"
	c, clock := dial(t, transporttest.Expect(t, tokenScript+"later x2; list"))
	require.NoError(t, c.read(t.Context()))
	assert.Equal(t, []time.Duration{50 * time.Second, 50 * time.Second}, clock.Sleeps)

	c, clock = dial(t, transporttest.Expect(t, tokenScript+"later x3"))
	err := c.read(t.Context())
	require.True(t, IsStatus(err, 503), "%v", err)
	assert.Equal(t, 50*time.Second, retryAfterOf(err))
	assert.Equal(t, 100*time.Second, clock.Slept(), "MaxWait is for all attempts")

	c, clock = dial(t, transporttest.Expect(t, tokenScript+asked+"; token"), withKey)
	_, err = c.token(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 50*time.Second, clock.Slept(), "of an exchange")

	c, clock = dial(t, transporttest.Expect(t, asked), withKey, withMaxWait(time.Second))
	_, err = c.token(t.Context())
	require.True(t, IsStatus(err, 503), "%v", err)
	assert.Zero(t, clock.Slept(), "of an exchange, too long")

	for _, status := range []int{403, 404, 409, 413, 500} {
		c, _ := dial(t, transporttest.Expect(t, fmt.Sprintf("POST {labels} -> %d A_CODE + Retry-After: 50", status)))
		assert.Equal(t, 50*time.Second, retryAfterOf(c.write(t.Context())), "HTTP %d", status)
	}
}

// A write that is answered without a body was accepted, and is sent once. A read is repeated, and a rejection stays one.
func TestCall_WithoutBody(t *testing.T) {
	t.Parallel()
	for _, status := range []int{200, 202, 204} {
		c, _ := dial(t, transporttest.Expect(t, "DELETE {label} -> blank", transporttest.Answers{"blank": transporttest.Reply(status, " \n")}))
		require.NoError(t, c.call(t.Context(), transporttest.ReqDelete, Request{Retryable: true}))
	}
	c, _ := dial(t, transporttest.Expect(t, "DELETE {label} -> 409"))
	err := c.call(t.Context(), transporttest.ReqDelete, Request{Retryable: true})
	assert.True(t, IsStatus(err, 409), "%v", err)
}
