package transporttest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
)

// Answer returns the response to a request, or the error of a failed one.
type Answer func(*http.Request) (*http.Response, error)

func (a Answer) RoundTrip(r *http.Request) (*http.Response, error) { return a(r) }

// ServeHTTP writes the response; an error closes the connection.
func (a Answer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	resp, err := a(r)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer func() { _ = resp.Body.Close() }()
	maps.Copy(w.Header(), resp.Header)
	w.WriteHeader(resp.StatusCode)
	_, _ = io.Copy(w, resp.Body)
}

// Reply returns JSON with the given status, unless a header sets another type.
func Reply(status int, body string, headers ...string) Answer {
	return func(r *http.Request) (*http.Response, error) {
		header := http.Header{"Content-Type": {"application/json"}}
		for i := 0; i+1 < len(headers); i += 2 {
			header.Set(headers[i], headers[i+1])
		}
		return &http.Response{
			StatusCode: status, Header: header, Request: r,
			Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
		}, nil
	}
}

func OK(data string, headers ...string) Answer {
	return Reply(http.StatusOK, `{"status":"OK","data":`+data+`}`, headers...)
}

func Reject(status int, code string, headers ...string) Answer {
	word := "Err"
	if status >= http.StatusInternalServerError {
		word = "Fail"
	}
	return Reply(status, fmt.Sprintf(`{"status":%q,"error":{"code":%q,"message":"says the service"}}`, word, code), headers...)
}

func HTML(status int, headers ...string) Answer {
	return Reply(status, "<html><body>Bad gateway</body></html>", append([]string{"Content-Type", "text/html"}, headers...)...)
}

func Limited(headers ...string) Answer {
	return Reply(http.StatusTooManyRequests, `{"error":"Too many requests, please try again later."}`, headers...)
}

func Grant(token string) Answer { return GrantFor(token, 3600) }

func GrantFor(token string, seconds int) Answer {
	body := fmt.Sprintf(`{"access_token":%q,"token_type":"Bearer","expires_in":%d,"scope":"reseller:read reseller:provision"}`, token, seconds)
	return Reply(http.StatusOK, body, "X-Request-Id", "request-1")
}

func Fail(err error) Answer {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

// Raw sends text unchanged, valid HTTP or not, and closes the connection.
func Raw(text string) Answer {
	return func(r *http.Request) (*http.Response, error) {
		client, server := net.Pipe()
		go func() {
			if req, err := http.ReadRequest(bufio.NewReader(server)); err == nil {
				_, _ = io.Copy(io.Discard, req.Body)
				_, _ = io.WriteString(server, text)
			}
			_ = server.Close()
		}()
		dial := func(context.Context, string, string) (net.Conn, error) { return client, nil }
		return (&http.Transport{DialContext: dial, DialTLSContext: dial, DisableKeepAlives: true}).RoundTrip(r)
	}
}

// Reset closes the connection without a response.
func Reset(r *http.Request) (*http.Response, error) { return Raw("")(r) }

// Truncated closes the connection in the middle of the body.
func Truncated(r *http.Request) (*http.Response, error) {
	return Raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + `{"status":"OK","data":{"pri`)(r)
}

// Silent sends no response.
func Silent(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// After calls f before it returns the response.
func After(f func(), next Answer) Answer {
	return func(r *http.Request) (*http.Response, error) {
		f()
		return next(r)
	}
}

// InMemory returns the response of a handler without a network, for tests in a synctest bubble.
func InMemory(h http.Handler) Answer {
	return func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Result(), nil
	}
}
