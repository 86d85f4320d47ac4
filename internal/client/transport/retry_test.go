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
