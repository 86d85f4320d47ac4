package client

import (
	"bytes"
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
	long := bytes.Repeat([]byte("x"), 16<<10)
	// A header in HPACK without indexing: name "x", value of 16 KB.
	header := append([]byte{0x00, 1, 'x', 0x7f, 0x81, 0x7f}, long...)
	settings, answered := frame(frameSettings, 0, 0), frame(frameHeaders, flagEndHeaders, first, indexedStatus200)
	for name, script := range map[string]script{
		"no HTTP/2":               {once: []byte("HTTP/1.1 200 OK\r\n\r\n" + transporttest.GivenToken)},
		"no settings":             {once: frame(frameHeaders, flagEndHeaders|flagEndStream, first, indexedStatus200)},
		"goes away":               {once: slices.Concat(settings, frame(frameGoAway, 0, 0, make([]byte, 8)...))},
		"goes away, talking":      {once: slices.Concat(settings, frame(frameGoAway, 0, 0, append([]byte{0, 0, 0, 0, 0, 0, 0, 2}, transporttest.GivenToken+"\x1b[2J"...)...))},
		"resets the stream":       {once: slices.Concat(settings, frame(frameRSTStream, 0, first, 0, 0, 0, 8))},
		"resets after the header": {once: slices.Concat(settings, answered, frame(frameRSTStream, 0, first, 0, 0, 0, 2))},
		"pushes":                  {once: slices.Concat(settings, frame(framePushPromise, flagEndHeaders, first, 0, 0, 0, 2, indexedStatus200))},
		"overflows a window":      {once: slices.Concat(settings, frame(frameWindowUpdate, 0, 0, 0x7f, 0xff, 0xff, 0xff))},
		"broken header":           {once: slices.Concat(settings, frame(frameHeaders, flagEndHeaders, first, 0xff, 0xff, 0xff, 0xff, 0xff))},
		"frame too large":         {once: slices.Concat(settings, []byte{0xff, 0xff, 0xff, frameData, 0, 0, 0, 0, first})},
		"settings without end":    {endless: frame(frameSettings, 0, 0, 0, 3, 0, 0, 0, 1)},
		"pings without end":       {endless: slices.Concat(settings, frame(framePing, 0, 0, make([]byte, 8)...))},
		"header without end":      {slices.Concat(settings, frame(frameHeaders, 0, first, indexedStatus200)), frame(frameContinuation, 0, first, header[:16<<10]...)},
		"empty data without end":  {slices.Concat(settings, answered), frame(frameData, 0, first)},
		"data without end":        {slices.Concat(settings, answered), frame(frameData, 0, first, long...)},
		"silence":                 {once: settings},
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

// script is what a server sends: once, then endless until the client disconnects.
type script struct{ once, endless []byte }

func (s script) play(w io.Writer) error {
	_, err := w.Write(s.once)
	for err == nil && s.endless != nil {
		_, err = w.Write(s.endless)
	}
	return err
}

// http2Service serves TLS, agrees to HTTP/2, and then runs the script.
func http2Service(t *testing.T, s script) (address string, rt *http.Transport) {
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
				if s.play(conn) == nil {
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
