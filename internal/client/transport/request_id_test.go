package transport

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/secrets"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// The token exchange is the only call with a request ID, which support asks for. It is short, printable and without
// secrets in every error.
func TestExchange_RequestID(t *testing.T) {
	t.Parallel()
	texttable.Run(t, `
		unknown key | 1 | 401 body {"error":"invalid_client"} + X-Request-Id: req-1A_2.b | req-1A_2.b
		bad request | 1 | 400 body {"error":"invalid_request"} + X-Request-Id: req-1     | req-1
		500         | 2 | 500 INTERNAL_SERVER_ERROR + X-Request-Id: req-1                | req-1
		a page      | 2 | 502 page + X-Request-Id: req-1                                 | req-1
		no token    | 2 | 200 body {} + X-Request-Id: req-1                              | req-1
		none        | 1 | 401 body {"error":"invalid_client"}                            | none
		odd letters | 1 | 401 body {} + X-Request-Id: `+"ab\u202ec d\u00a0e"+` | abcde
		very long    | 1 | 401 body {} + X-Request-Id: `+strings.Repeat("x", 5000)+`                 | `+strings.Repeat("x", maxRequestID)+`
		says the key | 1 | 401 body {} + X-Request-Id: id-`+transporttest.Key+`                      | id-(secret)
	`, func(t *testing.T, row []string) {
		times := map[string]int{"1": 1, "2": 2}[row[1]]
		c, _ := dial(t, transporttest.Expect(t, strings.Repeat("POST {exchange} -> "+row[2]+"\n", times)), withKey)
		err := c.read(t.Context())
		e, _ := errors.AsType[*Error](err)
		require.NotNil(t, e, "%v", err)
		require.Equal(t, row[3], cmp.Or(e.RequestID, "none"), "%v", err)
		assert.Equal(t, e.RequestID != "", strings.Contains(err.Error(), "request ID "+e.RequestID), "the error is %q", err)
	})
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
	c, _ := dial(t, transporttest.Expect(t, "GET {labels} -> 403 FORBIDDEN + X-Request-Id: proxy-1"))
	var e *Error
	if err := c.read(t.Context()); !errors.As(err, &e) || e.RequestID != "" || strings.Contains(err.Error(), "proxy-1") {
		t.Errorf("got %#v", e)
	}
}
