package signing

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/secrets"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// No error and no log line, at level TRACE, shows a secret that the API returns.
func TestSecrets_NotInErrorsAndLogs(t *testing.T) {
	t.Parallel()
	const passcode, password = "73915082", `p"w<&>rd +ü`
	spellings := []string{testKey, passcode, password, html.EscapeString(password), url.QueryEscape(password), url.PathEscape(password), `p\"w`}
	said := strings.Join([]string{testKey, passcode, password, html.EscapeString(password), url.QueryEscape(password), strconv.Quote(password)}, " ")
	for name, answer := range map[string]string{
		"in a message":   envelope(400, fmt.Sprintf(`{"status":"Err","error":{"code":"INVALID_DATA","message":%q}}`, said)),
		"in a code":      envelope(400, fmt.Sprintf(`{"status":"Err","error":{"code":%q,"message":"m"}}`, said)),
		"bare":           envelope(500, fmt.Sprintf(`{"error":%q}`, said)),
		"in HTML":        envelope(502, "<html>"+said),
		"cut":            envelope(502, strings.Repeat("x", 190)+said),
		"in the status":  envelope(200, fmt.Sprintf(`{"status":%q}`, said)),
		"in a redirect":  "HTTP/1.1 302 Found\r\nLocation: https://" + passcode + ".example/" + testKey + "\r\nContent-Length: 0\r\n\r\n",
		"no HTTP":        said + "\r\n\r\n",
		"in a header":    "HTTP/1.1 200 OK\r\n" + said + "\r\n\r\n",
		"in the length":  "HTTP/1.1 200 OK\r\nContent-Length: " + said + "\r\n\r\n",
		"in the version": "HTTP/" + said + " 200 OK\r\n\r\n",
		"broken off":     "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + said,
		"in retry-after": "HTTP/1.1 429 No\r\nRetry-After: " + testKey + "\r\nContent-Length: 0\r\n\r\n",
		"nothing at all": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
					_, _ = io.WriteString(conn, answer)
					_ = conn.Close()
				}
			}))
			defer s.Close()
			c, _, _ := dial(t, "", func(cfg *Config) { cfg.URL, cfg.Transport = s.URL, s.Client().Transport })
			up := uploadRequest(t)
			up.Passcode = new(passcode)
			ctx, log := transporttest.Logged(t)
			calls := everyCall(t, c)
			calls["upload"] = func(ctx context.Context) error {
				_, _, err := c.Upload(ctx, up)
				return err
			}
			calls["sign"] = func(ctx context.Context) error {
				return failure(c.Sign(ctx, SignRequest{DocID: testDocID, Annotations: map[string]string{"a": "b"}, DocPassword: new(password)}))
			}
			for which, call := range calls {
				err := call(ctx)
				if err == nil {
					t.Errorf("%s: no error", which)
					continue
				}
				known := map[string][]string{"upload": {testKey, passcode}, "sign": spellings}[which]
				if which == "sign" {
					known = append(known[:1:1], known[2:]...)
				}
				for _, secret := range append(known, testKey[:8]) {
					assert.NotContains(t, everyText(err), secret, "%s shows", which)
				}
			}
			for _, secret := range []string{testKey, passcode, password} {
				assert.NotContains(t, log.String(), secret, "the log shows")
			}
			if !strings.Contains(log.String(), "Signing API") && strings.HasPrefix(answer, "HTTP/1.1 400") {
				t.Errorf("the log is empty")
			}
		})
	}
}

// Log lines of the layers below the client are masked, too.
func TestLog_IsMasked(t *testing.T) {
	t.Parallel()
	ctx, log := transporttest.Logged(t)
	const password = "pass-word"
	c, _, _ := dial(t, "", func(cfg *Config) {
		cfg.Transport = reply(func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, err
			}
			tflog.Info(r.Context(), "sending", map[string]any{"body": string(body), "key": r.Header.Get("Authorization")})
			return nil, io.ErrUnexpectedEOF
		})
	})
	_, err := c.Sign(ctx, SignRequest{DocID: testDocID, DocPassword: new(password)})
	assert.True(t, transport.IsUnknownOutcome(err), err)
	if text := log.String(); !strings.Contains(text, "sending") || strings.Contains(text, password) || strings.Contains(text, testKey) {
		t.Errorf("the log says %s", text)
	}
}

// everyText returns the text of an error and of the error that it wraps.
func everyText(err error) string {
	if doubt, ok := errors.AsType[*transport.UnknownOutcomeError](err); ok {
		return fmt.Sprintf("%v\n%v", doubt, doubt.Err)
	}
	return err.Error()
}

func envelope(status int, body string) string {
	return fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Length: %d\r\n\r\n%s", status, http.StatusText(status), len(body), body)
}

// One secret may be a prefix of another, and codes stay readable.
func TestRedaction(t *testing.T) {
	t.Parallel()
	clean := secrets.New("abc", "abcdef", "")
	assert.Equal(t, "(secret) (secret)", clean.Text("abcdef abc"))
	c, _, _ := dial(t, "{sign} -> 400 INVALID_DOC_ID")
	_, err := c.Sign(t.Context(), SignRequest{DocID: testDocID, DocPassword: new("I")})
	assert.True(t, transport.IsCode(err, CodeInvalidDocID), err)
}
