package client

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// No error and no log line, at level TRACE, shows a secret that the API returns.
func TestSecrets_NotInErrorsAndLogs(t *testing.T) {
	t.Parallel()
	const tok = "token-that-nobody-may-see"
	echo := func(said string) map[string]transporttest.Answer {
		return map[string]transporttest.Answer{
			"in a message":               transporttest.Reply(400, fmt.Sprintf(`{"status":"Err","error":{"code":"INVALID_REQUEST","message":%q}}`, said)),
			"in a code":                  transporttest.Reply(400, fmt.Sprintf(`{"status":"Err","error":{"code":%q,"message":"m"}}`, said)),
			"bare":                       transporttest.Reply(400, fmt.Sprintf(`{"error":%q}`, said)),
			"in HTML":                    transporttest.Reply(502, "<html>"+said),
			"cut":                        transporttest.Reply(502, "<html>"+strings.Repeat("x", 140)+said),
			"in a redirect":              transporttest.Reply(302, "", "Location", "https://elsewhere.example/?"+strings.ReplaceAll(said, " ", "&")),
			"in wrong data":              transporttest.Reply(200, fmt.Sprintf(`{"status":"OK","data":%q}`, said)),
			"in a header":                transporttest.Limited("Retry-After", said, "RateLimit-Reset", said),
			"in the status":              transporttest.Reply(200, fmt.Sprintf(`{"status":%q}`, said)),
			"in a Location that is none": transporttest.Raw("HTTP/1.1 302 Found\r\nLocation: :// " + said + "\r\nContent-Length: 0\r\n\r\n"),
			"in a header line":           transporttest.Raw("HTTP/1.1 200 OK\r\n" + said + "\r\n\r\n"),
			"instead of HTTP":            transporttest.Raw(said + "\r\n\r\n"),
			"in the version":             transporttest.Raw("HTTP/" + said + " 200 OK\r\n\r\n"),
			"in the length":              transporttest.Raw("HTTP/1.1 200 OK\r\nContent-Length: " + said + "\r\n\r\n"),
			"in a chunk":                 transporttest.Raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + said + "\r\n"),
			"in a transfer encoding":     transporttest.Raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: " + said + "\r\n\r\n"),
			"escaped for a URL":          transporttest.Reply(502, "<html>"+url.QueryEscape(said)),
			"in numeric entities":        transporttest.Reply(502, "<html>"+strings.ReplaceAll(said, "-", "&#45;")),
			"in base64":                  transporttest.Reply(502, "<html>"+base64.StdEncoding.EncodeToString([]byte(said))),
			"broken off":                 transporttest.Truncated,
			"without answer":             transporttest.Reset,
		}
	}
	for name := range echo("") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for config, change := range map[string]func(*Config){
				transporttest.GivenToken: func(cfg *Config) { cfg.APIKey = transporttest.Key },
				tok:                      withCache(t.TempDir()),
			} {
				echoed := echo("key " + transporttest.Key + " token " + config)[name]
				s := transporttest.Serve(t, `
					POST {exchange} -> grant `+tok+`
					GET {labels} -> echo; POST {labels} -> echo; POST {label}/suspend -> echo
				`, transporttest.Answers{"echo": echoed})
				c, _ := dial(t, s, change, func(cfg *Config) { cfg.MaxRetries, cfg.MaxWait = 1, 10*time.Second })
				ctx, log := transporttest.Logged(t)
				for _, call := range []func(context.Context) error{
					list(c),
					func(ctx context.Context) error { return failure(c.ProvisionPrivateLabel(ctx, provisionRequest())) },
					func(ctx context.Context) error {
						return failure(c.SuspendPrivateLabel(ctx, transporttest.ID, "unpaid"))
					},
				} {
					err := call(ctx)
					require.Error(t, err, config)
					shows(t, config+": the error", err.Error(), tok)
					shows(t, config+": the error", fmt.Sprintf("%+v %#v", err, err), tok)
				}
				shows(t, config+": the log", log.String(), tok)
			}
		})
	}
}

func TestLog_CallsWithoutSecrets(t *testing.T) {
	t.Parallel()
	const tok = "token-that-nobody-may-see"
	dir := t.TempDir()
	s := transporttest.Expect(t, `
		POST {exchange} -> 500 body <html>pk_live_{id}_AbCdEfGhIjKlMnOp
		POST {exchange} -> grant token-that-nobody-may-see
		GET {labels} -> 401 UNAUTHORIZED
		POST {exchange} -> limited + Retry-After: 60
		POST {exchange} -> grant token-that-nobody-may-see-2
		GET {labels} -> 200 {no labels}
	`)
	c, _ := dial(t, s, withCache(dir))
	ctx, log := transporttest.Logged(t)
	require.NoError(t, list(c)(ctx))
	assert.Contains(t, log.String(), routeListLabels.Op, "the log says %s", log)
	assert.Contains(t, log.String(), "waiting for the token exchange rate limit", "the log says %s", log)
	shows(t, "the log", log.String(), tok)
}

func TestExchange_ShowsNoKey(t *testing.T) {
	t.Parallel()
	for _, a := range []transporttest.Answer{
		transporttest.Reply(401, fmt.Sprintf(`{"error":"no such key: %s."}`, transporttest.Key)),
		transporttest.Reply(400, fmt.Sprintf(`{"error":%q}`, transporttest.Key)),
		transporttest.Reply(403, strings.Repeat("x ", 70)+transporttest.Key),
		transporttest.Raw("HTTP/1.1 200 OK\r\n" + transporttest.Key + "\r\n\r\n"),
		transporttest.Raw(transporttest.Key + "\r\n\r\n"),
	} {
		ctx, log := transporttest.Logged(t)
		c, _ := dial(t, transporttest.Serve(t, "POST {exchange} -> echo", transporttest.Answers{"echo": a}), withKey, func(cfg *Config) { cfg.MaxRetries = 0 })
		err := list(c)(ctx)
		require.Error(t, err, "no error")
		shows(t, "the error", err.Error(), "")
		shows(t, "the log", log.String(), "")
		_, err = c.AccessToken(ctx)
		require.Error(t, err, "a token")
		shows(t, "the error of the token", err.Error(), "")
	}
}

// The data of a response may be stored in state, so that the key and the token are removed from it.
func TestSecrets_NotInData(t *testing.T) {
	t.Parallel()
	s := transporttest.Expect(t, `GET {labels} -> 200 {"privateLabels":[{"tenantId":"{id}","primaryHost":"given-access-token.example"}],"provisionedCount":1,"period":"2026-03"}`)
	c, _ := dial(t, s)
	got, err := c.ListPrivateLabels(t.Context(), "")
	require.NoError(t, err)
	assert.Equal(t, "(secret).example", got.PrivateLabels[0].PrimaryHost, "the host")
}

// shows fails the test if a text contains a secret or a large part of one.
func shows(t *testing.T, where, text, token string) {
	t.Helper()
	for _, secret := range []string{transporttest.Key, transporttest.GivenToken, token} {
		if len(secret) > 12 && strings.Contains(text, secret[:12]) {
			t.Errorf("%s shows %q: %s", where, secret[:12], text)
		}
	}
}
