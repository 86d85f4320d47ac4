package transport

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/secrets"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// The token exchange is the only call with a request ID, which support asks for. It is short, printable and without
// secrets in every error.
func TestExchange_RequestID(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer transporttest.Answer
		times  int
		want   string
	}{
		"unknown key":  {transporttest.Reply(401, `{"error":"invalid_client"}`, "X-Request-Id", "req-1A_2.b"), 1, "req-1A_2.b"},
		"bad request":  {transporttest.Reply(400, `{"error":"invalid_request"}`, "X-Request-Id", "req-1"), 1, "req-1"},
		"500":          {transporttest.Reject(500, "INTERNAL_SERVER_ERROR", "X-Request-Id", "req-1"), 2, "req-1"},
		"a page":       {transporttest.Reply(502, `<html>`, "X-Request-Id", "req-1"), 2, "req-1"},
		"no token":     {transporttest.Reply(200, `{}`, "X-Request-Id", "req-1"), 2, "req-1"},
		"none":         {transporttest.Reply(401, `{"error":"invalid_client"}`), 1, ""},
		"odd letters":  {transporttest.Reply(401, `{}`, "X-Request-Id", "ab\u202ec d\u00a0e"), 1, "abcde"},
		"very long":    {transporttest.Reply(401, `{}`, "X-Request-Id", strings.Repeat("x", 5000)), 1, strings.Repeat("x", maxRequestID)},
		"says the key": {transporttest.Reply(401, `{}`, "X-Request-Id", "id-"+transporttest.Key), 1, "id-(secret)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := dial(t, transporttest.Expect(t, exchanges(tc.times, tc.answer)...), withKey)
			err := c.read(t.Context())
			var e *Error
			require.ErrorAs(t, err, &e, "got %#v", e)
			require.Equal(t, tc.want, e.RequestID, "got %#v of %v", e, err)
			assert.Equal(t, tc.want != "", strings.Contains(err.Error(), "request ID "+tc.want), "the error is %q", err)
		})
	}
}

// A transport other than Go's may accept control characters.
func TestRequestID_Plain(t *testing.T) {
	t.Parallel()
	header := http.Header{"X-Request-Id": {"a\x1b[31mb\r\nc\x00\x7f"}}
	assert.Equal(t, "a[31mbc", requestID(header, secrets.New()))
	assert.Empty(t, requestID(http.Header{}, secrets.New()))
}

// Other calls have no request ID, even if a proxy adds one.
func TestRequestID_OfTheExchangeOnly(t *testing.T) {
	t.Parallel()
	c, _ := dial(t, transporttest.Expect(t, transporttest.Step{Request: transporttest.ReqList, Answer: transporttest.Reject(403, "FORBIDDEN", "X-Request-Id", "proxy-1")}))
	var e *Error
	if err := c.read(t.Context()); !errors.As(err, &e) || e.RequestID != "" || strings.Contains(err.Error(), "proxy-1") {
		t.Errorf("got %#v", e)
	}
}
