package provider_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// net/http prints what a server sends after a response unchanged, to the output that the CLI reads as the provider's
// log.
func TestStrayBytes_StayOutOfTheLog(t *testing.T) {
	t.Parallel()
	const key = "rsl_live_0123456789abcdef0123456789abcdef_secretsecret"
	address, strays := strayService(t)
	c := providertest.InstalledCLI(t, "RESELLER_BASE_URL="+address, "RESELLER_API_KEY="+key, "RESELLER_TOKEN_CACHE=memory", "RESELLER_SLUG=partner.example", "TF_LOG=TRACE", "GODEBUG=http2debug=2")
	c.Config("data \"reseller_private_labels\" \"all\" {}\n")
	r := c.Plan()
	if r.Code != 0 && r.Code != 2 {
		t.Fatalf("exit code %d: %s", r.Code, r.Out)
	}
	for _, secret := range []string{"secretsecret", "stray-token-0001"} {
		assert.NotContains(t, r.Out, secret, "the log shows")
	}
	select {
	case <-strays:
	default:
		t.Error("nothing was sent after an answer")
	}
}

// strayService responds and then repeats the request on the same connection. The channel receives a value each time
// that worked.
func strayService(t *testing.T) (address string, strays chan struct{}) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	strays = make(chan struct{}, 100)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go strayAnswers(conn, strays)
		}
	}()
	return "http://" + listener.Addr().String(), strays
}

func strayAnswers(conn net.Conn, strays chan<- struct{}) {
	defer func() { _ = conn.Close() }()
	request := make([]byte, 64<<10)
	n, err := bufio.NewReader(conn).Read(request)
	if err != nil {
		return
	}
	body := `{"status":"OK","data":{"privateLabels":[],"provisionedCount":0,"period":"2026-03"}}`
	if strings.Contains(string(request[:n]), "/auth/token") {
		body = `{"access_token":"stray-token-0001","token_type":"Bearer","expires_in":3600,"scope":"reseller:read"}`
	}
	if _, err := fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s%s", len(body), body, request[:n]); err == nil {
		strays <- struct{}{}
	}
	_, _ = io.Copy(io.Discard, conn)
}
