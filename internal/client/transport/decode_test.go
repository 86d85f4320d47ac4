package transport

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/secrets"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, body    string
		status        int
		code, message string // of the error; message is a substring
		fails, doubt  bool
	}{
		{name: "envelope", status: 200, body: `{"status":"OK","data":{"slug":"a"}}`},
		{name: "no status, but data", status: 200, body: `{"data":{"slug":"a"}}`},
		{name: "unknown fields", status: 201, body: `{"status":"OK","data":{"slug":"a","later":[1]},"more":1}`},
		{name: "enveloped error", status: 400, body: `{"status":"Err","error":{"code":"HOST_TAKEN","message":"Der Host ist vergeben"}}`, fails: true, code: "HOST_TAKEN", message: "Der Host ist vergeben"},
		{name: "lines", status: 400, body: `{"status":"Err","error":{"code":"A\nB","message":"no\r\n\nError: \u2028forged\tline"}}`, fails: true, code: "A B", message: "no Error: forged line"},
		{name: "an error with 200", status: 200, body: `{"status":"Err","error":{"code":"FORBIDDEN","message":"no"}}`, fails: true, code: "FORBIDDEN", message: "no"},
		{name: "no message", status: 400, body: `{"status":"Err","error":{"code":"HOST_TAKEN"}}`, fails: true, code: "HOST_TAKEN"},
		{name: "failure of the server", status: 500, body: `{"status":"Fail","error":{"code":"INTERNAL_SERVER_ERROR","message":"oops"}}`, fails: true, code: "INTERNAL_SERVER_ERROR", message: "oops", doubt: true},
		{name: "bare word", status: 401, body: `{"error":"invalid_client"}`, fails: true, code: CodeInvalidClient},
		{name: "bare sentence", status: 429, body: `{"error":"Too many requests."}`, fails: true, message: "Too many requests."},
		{name: "no error in it", status: 400, body: `{}`, fails: true, message: "no error"},
		{name: "null", status: 400, body: `null`, fails: true, message: "no error"},
		{name: "HTML", status: 502, body: "<html>\n\t<b>Bad  gateway</b>", fails: true, message: "not JSON: <html> <b>Bad gateway</b>", doubt: true},
		{name: "HTML with 200", status: 200, body: "<html>", fails: true, message: "not JSON", doubt: true},
		{name: "HTML with 401: rejected", status: 401, body: "<html>", fails: true, message: "not JSON"},
		{name: "HTML with 403: a gateway", status: 403, body: "<html>", fails: true, message: "not JSON"},
		{name: "HTML with 413: a gateway", status: 413, body: "<html>", fails: true, message: "not JSON"},
		{name: "404 of a router", status: 404, body: "Cannot POST /", fails: true, message: "not JSON"},
		{name: "404 of another framework", status: 404, body: `{"status":404,"error":"Not Found","path":"/"}`, fails: true, message: "another form"},
		{name: "no body with 400", status: 400, body: "", fails: true, message: "empty"},
		{name: "a part", status: 206, body: `{"status":"OK","data":{"slug":"a"}}`, fails: true, message: "only a part", doubt: true},
		{name: "HTML with 429: rejected", status: 429, body: "<html>", fails: true, message: "not JSON"},
		{name: "empty", status: 200, body: "", fails: true, message: "empty", doubt: true},
		{name: "neither status nor data", status: 200, body: `{"slug":"a"}`, fails: true, message: "no error", doubt: true},
		{name: "a list", status: 200, body: `[]`, fails: true, doubt: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			data, err := decode("read it", tc.status, http.Header{"Retry-After": {"7"}}, []byte(tc.body), transporttest.Start, secrets.Redactor{})
			if !tc.fails {
				assert.Nil(t, err, "got %s", data)
				assert.Contains(t, string(data), `"slug":"a"`, "%v", err)
				return
			}
			var e *Error
			if !errors.As(err, &e) || e.Status != tc.status || e.Code != tc.code || !strings.Contains(e.Message, tc.message) || e.Op != "read it" {
				t.Fatalf("got %#v", err)
			}
			assert.Equal(t, tc.doubt, MayHaveTakenEffect(err), "in doubt")
			for _, part := range []string{"read it", fmt.Sprint(tc.status), tc.code, tc.message} {
				assert.Contains(t, err.Error(), part, "%q does not say", err)
			}
		})
	}
	data, err := decode("do it", 200, nil, []byte(`{"status":"OK"}`), transporttest.Start, secrets.Redactor{})
	assert.Nil(t, err, "without data: %s", data)
	assert.Nil(t, data, "without data, %v", err)
}

// The server that sent a page may be a gateway.
func TestDecode_Server(t *testing.T) {
	t.Parallel()
	_, err := decode("read it", 413, http.Header{"Server": {"nginx\x1b" + strings.Repeat("x", 500)}}, []byte("<html>"), transporttest.Start, secrets.Redactor{})
	assert.Contains(t, err.Message, "<html> (sent by nginx")
	assert.NotContains(t, err.Message, "\x1b")
	assert.Less(t, len(err.Message), 100)
	assert.True(t, err.IsPage())
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	long := excerpt([]byte(strings.Repeat("ä", 5000)), secrets.Redactor{})
	assert.LessOrEqual(t, utf8.RuneCountInString(long), maxExcerpt+50, "got %q", long)
	assert.True(t, utf8.ValidString(long), "got %q", long)
	assert.True(t, strings.HasSuffix(long, "…"), "got %q", long)
	assert.Equal(t, "the response is not JSON: a [31m b", excerpt([]byte("a\x00\x1b[31m\r\nb\xff"), secrets.Redactor{}))
	half := transporttest.Key[:secrets.MinLength]
	for _, cut := range matrix.Of(t).Numbers(450, 9) { // wherever the excerpt ends, it has no part of the secret
		for name, spelt := range map[string]string{
			"raw": transporttest.Key, "in base64": base64.StdEncoding.EncodeToString([]byte(transporttest.Key)),
			"in entities": strings.ReplaceAll(transporttest.Key, "_", "&#95;"), "in pieces": strings.Join(strings.Split(transporttest.Key, ""), "\u200b"),
		} {
			got := excerpt([]byte(strings.Repeat("ü ", cut)+spelt+strings.Repeat("y", 600)), secrets.New(transporttest.Key))
			require.NotContains(t, got, half, "%s after %d characters", name, 2*cut)
			require.NotContains(t, got, spelt[:len(spelt)/2], "%s after %d characters", name, 2*cut)
		}
	}
}

// A gateway echoes the request in a page that is JSON, and may escape each character of it.
func TestDecode_EchoedKey(t *testing.T) {
	t.Parallel()
	const key = "rsl_live_0123456789abcdef0123456789abcdef_Zm9v/YmFy+/Zm9vYmFyYmF6"
	tail := key[len(key)-10:]
	for name, spelt := range map[string]string{
		"slashes": strings.ReplaceAll(key, "/", `\/`), "slashes twice": strings.ReplaceAll(key, "/", `\\\/`), "percent": url.QueryEscape(key),
		"code points": strings.ReplaceAll(key, "_", `\u005f`), "in JSON in JSON": strings.ReplaceAll(key, "_", `\\u005f`),
	} {
		for _, filling := range matrix.Of(t).Numbers(140, 7, name) {
			for _, form := range []string{`{"status":"Err","error":{"message":"%s%s%s"}}`, `["%s%s%s"]`, `{"error":"%s %s%s"}`} {
				body := fmt.Sprintf(form, strings.Repeat("y ", 3*filling), spelt, strings.Repeat(" z", 300))
				_, err := decode("do it", 502, http.Header{}, []byte(body), transporttest.Start, secrets.New(key, secretOf(key)))
				require.NotNil(t, err, "%s in %s after %d: %v", name, form, 6*filling, err)
				require.NotContains(t, err.Error(), tail, "%s in %s after %d: %v", name, form, 6*filling, err)
				require.NotContains(t, err.Error(), "0123456789abcdef", "%s in %s after %d: %v", name, form, 6*filling, err)
			}
		}
	}
}

func TestErrors_ThroughWrapping(t *testing.T) {
	t.Parallel()
	answer := &Error{Status: 403, Code: "FORBIDDEN", Op: "read it"}
	wrapped := fmt.Errorf("outer: %w", &url.Error{Op: "Get", URL: "https://api.example", Err: NotSent(answer)})
	doubt := &UnknownOutcomeError{Op: "do it", Subject: "a.example", Seen: "Nothing.", Err: wrapped}
	for _, err := range []error{answer, wrapped, doubt, errors.Join(errors.New("other"), doubt)} {
		var e *Error
		if !errors.As(err, &e) || e != answer || !IsCode(err, "INVALID_TARGET", "FORBIDDEN") || IsCode(err, "INVALID_TARGET") {
			t.Errorf("%v: found %v", err, e)
		}
	}
	limit := &RateLimitError{Limit: "console", Until: transporttest.Start, Wait: time.Minute, MaxWait: time.Second}
	var l *RateLimitError
	if err := fmt.Errorf("outer: %w", NotSent(limit)); !errors.As(err, &l) || l != limit || MayHaveTakenEffect(err) || !strings.Contains(err.Error(), "2026-10-05T12:00:00Z") {
		t.Errorf("found %v", l)
	}
	assert.False(t, IsCode(nil, ""), "nothing is treated as an error")
	assert.False(t, IsCode(errors.New("x"), ""), "nothing is treated as an error")
	assert.False(t, MayHaveTakenEffect(nil), "nothing is treated as an error")
}

func FuzzDecode(f *testing.F) {
	for _, body := range []string{
		``, `{}`, `null`, `[]`, `{"status":"OK","data":{"slug":"a"}}`, `{"status":"OK","data":null}`, `{"data":7}`, `{"status":"Err","error":{"code":"FORBIDDEN","message":"m"}}`,
		`{"status":"Err","error":{"code":1,"message":[]}}`, `{"error":"invalid_client"}`, `{"error":"Too many requests."}`, "<html>\xff", `{"status":"OK","data":{"domains":[{}]}}`, transporttest.Key,
	} {
		for _, status := range []int{200, 302, 400, 429, 500} {
			f.Add(status, body)
		}
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		_, err := decode("read it", status, http.Header{}, []byte(body), transporttest.Start, secrets.New(transporttest.Key))
		if err == nil {
			assert.True(t, isSuccess(status), "%d %q is a success", status, body)
			assert.True(t, json.Valid([]byte(body)), "%d %q is a success", status, body)
			return
		}
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, status, e.Status, "got %v", err)
		assert.NotEmpty(t, err.Error(), "got %v", err)
		if !json.Valid([]byte(body)) && strings.Contains(err.Error(), transporttest.Key) {
			t.Errorf("%q shows the key", err)
		}
	})
}

func FuzzErrorOf(f *testing.F) {
	for _, text := range []string{``, `null`, `"word"`, `"a sentence."`, `{"code":"A","message":"b"}`, `{"code":1}`, `[]`, `7`} {
		f.Add("Err", text)
	}
	f.Fuzz(func(t *testing.T, status, text string) {
		code, message := errorOf(json.RawMessage(text), status)
		assert.NotEmpty(t, code+message, "%q says nothing", text)
	})
}
