package client

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestReadsAreRepeated(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]answer{
		"500": refuse(500, "INTERNAL_SERVER_ERROR"), "503 without a body": reply(503, ""), "HTML 502": html(502), "HTML 200": html(200),
		"empty 200": reply(200, ""), "half of the JSON": reply(200, `{"status":"OK","data":{"pri`),
		"reset": reset, "truncated": truncated,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Run("until it succeeds", func(t *testing.T) {
				t.Parallel()
				s := serve(t, step{reqList, failure}, step{reqList, failure}, step{reqList, failure}, step{reqList, ok(noLabels)})
				c, clock := dialAPI(t, s)
				if err := c.read(t.Context()); err != nil {
					t.Error(err)
				}
				if len(clock.sleeps) != 3 {
					t.Fatalf("pauses: %v", clock.sleeps)
				}
				for i, most := range []time.Duration{minBackoff, 2 * minBackoff, 4 * minBackoff} {
					if d := clock.sleeps[i]; d < most/2 || d >= most {
						t.Errorf("pause %d is %s", i, d)
					}
				}
			})
			t.Run("up to MaxRetries", func(t *testing.T) {
				t.Parallel()
				c, _ := dialAPI(t, serve(t, step{reqList, failure}, step{reqList, failure}), func(cfg *CallerConfig) { cfg.MaxRetries = 1 })
				if err := c.read(t.Context()); err == nil {
					t.Error("no error")
				}
			})
			t.Run("never with none", func(t *testing.T) {
				t.Parallel()
				c, clock := dialAPI(t, serve(t, step{reqList, failure}), func(cfg *CallerConfig) { cfg.MaxRetries = 0 })
				if err := c.read(t.Context()); err == nil || clock.slept() != 0 {
					t.Errorf("slept %s: %v", clock.slept(), err)
				}
			})
		})
	}
}

func TestPausesStayShort(t *testing.T) {
	t.Parallel()
	for failures, want := range map[int]time.Duration{0: minBackoff, 1: 2 * minBackoff, 5: 16 * time.Second, 6: maxBackoff, 63: maxBackoff, 1 << 20: maxBackoff} {
		if got := backoffAfter(failures); got != want {
			t.Errorf("after %d failures: %s, want %s", failures, got, want)
		}
	}
}

func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	for size, fits := range map[int]bool{99: true, 100: true, 101: false} {
		transport := &bufferTransport{limit: 100, next: roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(make([]byte, size)))}, nil
		})}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://api.example", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := transport.RoundTrip(req)
		var broken *brokenAnswerError
		if fits != (err == nil) || !fits && (!errors.As(err, &broken) || !strings.Contains(err.Error(), "100 bytes") || !MayHaveTakenEffect(err)) {
			t.Errorf("%d bytes: %v", size, err)
		}
		if err == nil {
			if read, _ := io.ReadAll(resp.Body); len(read) != size || len(peek(resp)) != size || resp.Body.Close() != nil {
				t.Errorf("%d bytes became %d", size, len(read))
			}
		}
	}
	if peek(&http.Response{Body: http.NoBody}) != nil {
		t.Error("a body that was not read can be looked into")
	}
}
