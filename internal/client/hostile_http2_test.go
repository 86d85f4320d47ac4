package client

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// Types and flags of HTTP/2 frames (RFC 9113).
const (
	frameData         = 0x0
	frameHeaders      = 0x1
	frameRSTStream    = 0x3
	frameSettings     = 0x4
	framePushPromise  = 0x5
	framePing         = 0x6
	frameGoAway       = 0x7
	frameWindowUpdate = 0x8
	frameContinuation = 0x9

	flagEndStream  = 0x1
	flagEndHeaders = 0x4

	indexedStatus200 = 0x88 // in HPACK's static table
)

func frame(kind, flags byte, stream uint32, payload ...byte) []byte {
	head := make([]byte, 9, 9+len(payload))
	binary.BigEndian.PutUint32(head, uint32(len(payload))<<8)
	head[3], head[4] = kind, flags
	binary.BigEndian.PutUint32(head[5:], stream)
	return slices.Concat(head, payload)
}

// A malicious server over HTTP/2: each call ends within its time limit, with an error that shows no secret.
func TestHostileHTTP2(t *testing.T) {
	t.Parallel()
	const first = 1 // stream of the first request
	long := make([]byte, 16<<10)
	for i := range long {
		long[i] = 'x'
	}
	// A header in HPACK without indexing: name "x", value of 16 KB.
	header := append([]byte{0x00, 1, 'x', 0x7f, 0x81, 0x7f}, long...)
	for name, script := range map[string]func(w io.Writer) error{
		"no HTTP/2": func(w io.Writer) error {
			_, err := io.WriteString(w, "HTTP/1.1 200 OK\r\n\r\n"+transporttest.GivenToken)
			return err
		},
		"no settings": func(w io.Writer) error {
			return writeFrames(w, frame(frameHeaders, flagEndHeaders|flagEndStream, first, indexedStatus200))
		},
		"goes away": func(w io.Writer) error {
			return writeFrames(w, frame(frameSettings, 0, 0), frame(frameGoAway, 0, 0, make([]byte, 8)...))
		},
		"goes away, talking": func(w io.Writer) error {
			return writeFrames(w, frame(frameSettings, 0, 0), frame(frameGoAway, 0, 0, append([]byte{0, 0, 0, 0, 0, 0, 0, 2}, transporttest.GivenToken+"\x1b[2J"...)...))
		},
		"resets the stream": func(w io.Writer) error {
			return writeFrames(w, frame(frameSettings, 0, 0), frame(frameRSTStream, 0, first, 0, 0, 0, 8))
		},
		"resets after the header": func(w io.Writer) error {
			return writeFrames(w, frame(frameSettings, 0, 0), frame(frameHeaders, flagEndHeaders, first, indexedStatus200), frame(frameRSTStream, 0, first, 0, 0, 0, 2))
		},
		"pushes": func(w io.Writer) error {
			return writeFrames(w, frame(frameSettings, 0, 0), frame(framePushPromise, flagEndHeaders, first, 0, 0, 0, 2, indexedStatus200))
		},
		"overflows a window": func(w io.Writer) error {
			return writeFrames(w, frame(frameSettings, 0, 0), frame(frameWindowUpdate, 0, 0, 0x7f, 0xff, 0xff, 0xff))
		},
		"broken header": func(w io.Writer) error {
			return writeFrames(w, frame(frameSettings, 0, 0), frame(frameHeaders, flagEndHeaders, first, 0xff, 0xff, 0xff, 0xff, 0xff))
		},
		"frame too large": func(w io.Writer) error {
			return writeFrames(w, frame(frameSettings, 0, 0), []byte{0xff, 0xff, 0xff, frameData, 0, 0, 0, 0, first})
		},
		"settings without end": func(w io.Writer) error {
			return endlessly(w, frame(frameSettings, 0, 0, 0, 3, 0, 0, 0, 1))
		},
		"pings without end": func(w io.Writer) error {
			return endlessly(w, frame(frameSettings, 0, 0), frame(framePing, 0, 0, make([]byte, 8)...))
		},
		"header without end": func(w io.Writer) error {
			if err := writeFrames(w, frame(frameSettings, 0, 0), frame(frameHeaders, 0, first, indexedStatus200)); err != nil {
				return err
			}
			return endlessly(w, frame(frameContinuation, 0, first, header[:16<<10]...))
		},
		"empty data without end": func(w io.Writer) error {
			if err := writeFrames(w, frame(frameSettings, 0, 0), frame(frameHeaders, flagEndHeaders, first, indexedStatus200)); err != nil {
				return err
			}
			return endlessly(w, frame(frameData, 0, first))
		},
		"data without end": func(w io.Writer) error {
			if err := writeFrames(w, frame(frameSettings, 0, 0), frame(frameHeaders, flagEndHeaders, first, indexedStatus200)); err != nil {
				return err
			}
			return endlessly(w, frame(frameData, 0, first, long...))
		},
		"silence": func(w io.Writer) error { return writeFrames(w, frame(frameSettings, 0, 0)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, rt := http2Service(t, script)
			const callTime = 300 * time.Millisecond
			c, err := New(Config{Settings: transport.Settings{MaxRetries: 1, RequestTimeout: callTime, Transport: rt, Clock: transporttest.NewClock()}, BaseURL: address, AccessToken: transporttest.GivenToken, Slug: transporttest.Slug})
			require.NoError(t, err)
			ctx, log := transporttest.Logged(t)
			began := time.Now()
			if err := list(c)(ctx); err == nil {
				t.Error("no error")
			} else {
				shows(t, "the error", err.Error(), "")
			}
			const most = 30 * callTime // two attempts, on a busy machine
			assert.LessOrEqual(t, time.Since(began), most, "it took")
			shows(t, "the log", log.String(), "")
		})
	}
}

func writeFrames(w io.Writer, frames ...[]byte) error {
	for _, f := range frames {
		if _, err := w.Write(f); err != nil {
			return err
		}
	}
	return nil
}

// endlessly sends the frames until the client disconnects.
func endlessly(w io.Writer, frames ...[]byte) error {
	for {
		if err := writeFrames(w, frames...); err != nil {
			return err
		}
	}
}

// http2Service serves TLS, agrees to HTTP/2, and then runs the script.
func http2Service(t *testing.T, script func(io.Writer) error) (address string, rt *http.Transport) {
	t.Helper()
	lender := httptest.NewTLSServer(http.NotFoundHandler()) // provides its certificate
	t.Cleanup(lender.Close)
	plain, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	listener := tls.NewListener(plain, &tls.Config{Certificates: lender.TLS.Certificates, NextProtos: []string{"h2"}, MinVersion: tls.VersionTLS12})
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				preface := make([]byte, len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")+9)
				if _, err := io.ReadFull(conn, preface); err != nil || !strings.HasPrefix(string(preface), "PRI") {
					return
				}
				gone := make(chan struct{})
				go func() {
					_, _ = io.Copy(io.Discard, conn)
					close(gone)
				}()
				if script(conn) == nil {
					<-gone
				}
			}()
		}
	}()
	trusted := x509.NewCertPool()
	trusted.AddCert(lender.Certificate())
	rt, ok := transport.NewPooledTransport().(*http.Transport)
	require.True(t, ok, "the transport is another")
	rt.TLSClientConfig = &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}
	t.Cleanup(rt.CloseIdleConnections)
	return "https://" + listener.Addr().String(), rt
}
