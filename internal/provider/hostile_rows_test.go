package provider_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
)

// hostileService is a server with arbitrary responses. The honest responses come from the simulator.
type hostileService struct {
	t       *testing.T
	sim     *simulator.Simulator
	answer  func(net.Conn, *hostileCall)
	url     string
	strikes atomic.Value // of func(*hostileCall) bool
	struck  atomic.Int64
}

// hostileCall is one request, and its honest response.
type hostileCall struct {
	*http.Request
	body     []byte
	honestly func() *httptest.ResponseRecorder
}

func newHostileService(t *testing.T, sim *simulator.Simulator, answer func(net.Conn, *hostileCall)) *hostileService {
	t.Helper()
	s := &hostileService{t: t, sim: sim, answer: answer}
	s.strike(func(*hostileCall) bool { return false })
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// strike sets which calls get the row's response.
func (s *hostileService) strike(at func(*hostileCall) bool) { s.strikes.Store(at) }

// ServeHTTP closes the connection after a hostile response, because the following data would be ambiguous.
func (s *hostileService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	call := &hostileCall{Request: r, body: body, honestly: sync.OnceValue(func() *httptest.ResponseRecorder {
		honest := httptest.NewRecorder()
		s.sim.ServeHTTP(honest, r)
		return honest
	})}
	if strikes, _ := s.strikes.Load().(func(*hostileCall) bool); !strikes(call) {
		s.sim.ServeHTTP(w, r)
		return
	}
	s.struck.Add(1)
	conn, _, err := http.NewResponseController(w).Hijack()
	if !assert.NoError(s.t, err) {
		return
	}
	defer func() { _ = conn.Close() }()
	s.answer(conn, call)
}

// rawAnswer has exactly one length header.
func rawAnswer(status int, header http.Header, body []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	_ = header.WriteSubset(&b, map[string]bool{"Content-Length": true})
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return b.Bytes()
}

// writes reports whether the call changes something; searches and views read with a POST, and so do the lists of what was
// sent and signed.
func (c *hostileCall) writes() bool {
	for _, reads := range []string{"/search", "/get", "/documents/view", "/view/sent-documents", "/auth/token"} {
		if strings.Contains(c.RequestURI, reads) {
			return false
		}
	}
	return c.Method != http.MethodGet
}

func (c *hostileCall) token() string { return c.Header.Get("Authorization") }

// secrets are the secrets of the call, which an echo repeats.
func (c *hostileCall) secrets() string { return c.token() + " " + string(c.body) }

// hostileRow is one kind of response.
type hostileRow struct {
	answer func(net.Conn, *hostileCall)
	isSlow bool // each call takes the whole request_timeout, or megabytes. Only a few operations are tried.
}

// Characters that control a terminal.
const acting = "\x1b[2J\x1b]0;title\x07\r\b\x00\u009b31m\u202e\u2066\u200b\ufeff\u2028"

// long are the responses of testdata/hostile.txt that are long.
var long = map[string]string{
	"endless header":      "HTTP/1.1 200 OK\r\n" + strings.Repeat("X-More: "+strings.Repeat("x", 1000)+"\r\n", 600),
	"endless header line": "HTTP/1.1 200 OK\r\nX-More: " + strings.Repeat("x", 600<<10),
	"1xx without end":     strings.Repeat("HTTP/1.1 103 Early\r\nLink: <"+strings.Repeat("x", 100)+">\r\n\r\n", 5000),
	"body deep":           strings.Repeat("[", 200_000),
	"body deep data":      `{"status":"OK","data":` + strings.Repeat(`{"a":[`, 4000) + strings.Repeat("]}", 4000) + `}`,
	"body empty rows":     `{"status":"OK","data":{"rows":[` + strings.TrimSuffix(strings.Repeat("{},", 20_000), ",") + `],"total":1e9}}`,
}

// spoken are the responses of testdata/hostile.txt by their names; those of a body begin with "body ".
func spoken(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/hostile.txt")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(text), "\n\n")
	all := maps.Clone(long)
	for _, row := range texttable.Rows(table) {
		all[row[0]], err = strconv.Unquote(`"` + strings.ReplaceAll(row[1], `"`, `\"`) + `"`)
		require.NoError(t, err, row)
	}
	for name, text := range maps.Clone(all) {
		if to, isRedirect := strings.CutPrefix(name, "302 "); isRedirect {
			all["307 "+to] = strings.Replace(text, "302", "307", 1)
		}
	}
	return all
}

// numbers are what honest numbers become, and texts what honest texts become; %s is the honest value, which quotes enclose
// in a text.
var (
	times = map[string]string{
		"in microseconds": "%s000", "in nanoseconds": "%s000000", "negative": "-%s000", "with fractions": "%s.5", "beyond all": "1e400", "as texts": `"%s"`,
	}
	numbers = map[string]string{
		"beyond all": "1e100000000", "large": "1e300", "negative": "-1", "long": strings.Repeat("9", 5000), "as texts": `"1"`, "null": "null",
	}
)

func hostileRows(t *testing.T) map[string]hostileRow {
	t.Helper()
	rows := slowHostileRows()
	add := func(name string, answer func(net.Conn, *hostileCall)) { rows[name] = hostileRow{answer: answer} }
	add("reset", func(conn net.Conn, _ *hostileCall) {
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
	})
	for name, text := range spoken(t) {
		if strings.HasPrefix(name, "body ") {
			text = string(rawAnswer(http.StatusOK, http.Header{"Content-Type": {"application/json"}}, []byte(strings.ReplaceAll(text, "ACTING", acting))))
		}
		add(name, func(conn net.Conn, c *hostileCall) { _, _ = io.WriteString(conn, c.in(text)) })
	}
	addRejections(add)
	addChanges(add)
	return rows
}

// in is a text with what a call has to repeat.
func (c *hostileCall) in(text string) string {
	flat := strings.NewReplacer("\r", " ", "\n", " ").Replace(c.secrets())
	pairs := []string{"ACTING", acting, "SECRETS", c.secrets(), "FLAT", flat, "URL", url.QueryEscape(flat), "PATH", c.RequestURI}
	if strings.Contains(text, "BODY") || strings.Contains(text, "OPEN") {
		body := c.honestly().Body.String()
		pairs = append(pairs, "BODY", body, "LENGTH", strconv.Itoa(len(body)), "HEX", strconv.FormatInt(int64(len(body)), 16), "OPEN", strings.TrimSuffix(strings.TrimSpace(body), "}"))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func slowHostileRows() map[string]hostileRow {
	megabyte := bytes.Repeat([]byte("C"), 1<<20) // of letters that an error code has
	all := map[string]func(net.Conn, *hostileCall){
		"silence": func(conn net.Conn, _ *hostileCall) { _, _ = io.Copy(io.Discard, conn) },
		"trickle": func(conn net.Conn, _ *hostileCall) {
			text := rawAnswer(http.StatusOK, nil, bytes.Repeat([]byte(" "), 1<<20))
			for i := range text {
				if _, err := conn.Write(text[i : i+1]); err != nil {
					return
				}
				if i%64 == 0 {
					_ = conn.SetReadDeadline(time.Now().Add(time.Millisecond))
					_, _ = conn.Read(make([]byte, 1))
				}
			}
		},
		"gzip bomb": func(conn net.Conn, _ *hostileCall) { // 20 KB that expand to 20 MB
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			_, _ = w.Write(bytes.Repeat([]byte(" "), 20<<20))
			_ = w.Close()
			_, _ = conn.Write(rawAnswer(http.StatusOK, http.Header{"Content-Encoding": {"gzip"}}, b.Bytes()))
		},
		"body without an end": func(conn net.Conn, _ *hostileCall) {
			_, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n{\"status\":\"")
			for err == nil {
				_, err = conn.Write(megabyte)
			}
		},
		"message of megabytes": func(conn net.Conn, c *hostileCall) {
			end, _ := json.Marshal(c.secrets())
			long := bytes.Repeat(megabyte, 12)
			_, _ = conn.Write(rawAnswer(http.StatusBadRequest, nil, fmt.Appendf(nil, `{"status":"Err","error":{"code":"%s","message":"%s%s}}`, megabyte, long, end[1:])))
		},
	}
	rows := map[string]hostileRow{}
	for name, answer := range all {
		rows[name] = hostileRow{answer, true}
	}
	return rows
}

// everySpelling of the secrets of a call.
func everySpelling(c *hostileCall) string {
	said := c.in("FLAT")
	raw, _ := json.Marshal(said)
	return strings.Join([]string{
		said, strconv.Quote(said), string(raw), html.EscapeString(said), url.QueryEscape(said), url.PathEscape(said),
		base64.StdEncoding.EncodeToString([]byte(said)), base64.URLEncoding.EncodeToString([]byte(said)), hex.EncodeToString([]byte(said)),
		strings.Join(strings.Split(said, ""), "\u200b"),
	}, "\n")
}

func addRejections(add func(string, func(net.Conn, *hostileCall))) {
	reject := func(name string, status int, retryAfter string, failure func(c *hostileCall) any) {
		add(name, func(conn net.Conn, c *hostileCall) {
			body, _ := json.Marshal(map[string]any{"status": "Err", "error": failure(c)})
			_, _ = conn.Write(rawAnswer(status, http.Header{"Retry-After": {retryAfter}}, body))
		})
	}
	said := func(code, message string) any { return map[string]string{"code": code, "message": message} }
	for _, status := range []int{400, 401, 403, 404, 409, 429, 500, 503} {
		reject(fmt.Sprintf("%d with every secret", status), status, "", func(c *hostileCall) any { return said("INVALID_REQUEST", everySpelling(c)) })
	}
	for _, code := range []string{"FORBIDDEN", "INVALID_TARGET", "NOT_FOUND", "USER_NOT_FOUND", "NOT_ASSIGNED", "ALREADY_ASSIGNED", "CODE_IN_USE", "HOST_TAKEN", "CONFIRMATION_EXPIRED", "TOO_FREQUENT"} {
		reject("code "+code, 400, "", func(*hostileCall) any { return said(code, "No.") })
	}
	for _, after := range []string{"31536000", "1e300", "-1", "NaN", "Fri, 01 Jan 2100 00:00:00 GMT", "\x01soon"} {
		reject("429 after "+after, 429, after, func(*hostileCall) any { return said("RATE", "Later.") })
	}
	reject("control characters", 400, "", func(*hostileCall) any { return said("CODE"+acting, "says "+acting+" this") })
	reject("a secret for a code", 400, "", func(c *hostileCall) any { return said(c.token(), "m") })
	reject("bare secret", 400, "", func(c *hostileCall) any { return everySpelling(c) })
}

// each changes the values of one type.
func each[T any](change func(T) any) func(string, any) any {
	return func(_ string, v any) any {
		if v, ok := v.(T); ok {
			return change(v)
		}
		return v
	}
}

// number writes a number in another way.
func number(format string) func(string, any) any {
	return each(func(n json.Number) any { return json.RawMessage(strings.ReplaceAll(format, "%s", n.String())) })
}

// timed writes a time in another way.
func timed(format string) func(string, any) any {
	return func(name string, v any) any {
		if strings.HasSuffix(name, "At") || strings.HasSuffix(name, "TimeStamp") {
			return number(format)(name, v)
		}
		return v
	}
}

// addChanges adds honest responses with a change.
func addChanges(add func(string, func(net.Conn, *hostileCall))) {
	changes := map[string]func(string, any) any{
		"texts as numbers":              each(func(string) any { return json.Number("7") }),
		"texts null":                    each(func(string) any { return nil }),
		"texts empty":                   each(func(string) any { return "" }),
		"texts in upper case":           each(func(s string) any { return strings.ToUpper(s) }),
		"texts with control characters": each(func(s string) any { return s + acting }),
		"texts with control characters, nothing true": func(name string, v any) any {
			if _, ok := v.(bool); ok {
				return false
			}
			return each(func(s string) any { return s + acting })(name, v)
		},
		"texts out of the path": each(func(string) any { return "../../x?y#z%2e" }),
		"long texts":            each(func(s string) any { return s + strings.Repeat("x", 10_000) }),
		"booleans as texts":     each(func(b bool) any { return strconv.FormatBool(b) }),
		"lists as objects":      each(func(list []any) any { return map[string]any{"list": list} }),
		"lists null":            each(func([]any) any { return nil }),
		"lists with null":       each(func(list []any) any { return append([]any{nil}, list...) }),
		"lists doubled":         each(func(list []any) any { return append(append([]any{}, list...), list...) }),
		"objects in objects": func(name string, v any) any {
			if object, ok := v.(map[string]any); ok && name != "" && name != "data" {
				return map[string]any{"inner": object}
			}
			return v
		},
	}
	for name, format := range times {
		changes["times "+name] = timed(format)
	}
	for name, format := range numbers {
		changes["numbers "+name] = number(format)
	}
	answer := func(change func(*hostileCall) func(string, any) any) func(net.Conn, *hostileCall) {
		return func(conn net.Conn, c *hostileCall) {
			honest := c.honestly()
			_, _ = conn.Write(rawAnswer(honest.Code, honest.Header(), changed(honest.Body.Bytes(), change(c))))
		}
	}
	for name, change := range changes {
		add(name, answer(func(*hostileCall) func(string, any) any { return change }))
	}
	add("the token in every text", answer(func(c *hostileCall) func(string, any) any {
		return each(func(s string) any { return s + " " + c.token() })
	}))
}

// changed walks JSON and replaces each value; the envelope's status stays.
func changed(body []byte, change func(name string, v any) any) []byte {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var plain any
	if decoder.Decode(&plain) != nil {
		return body
	}
	var walk func(name string, v any) any
	walk = func(name string, v any) any {
		switch v := v.(type) {
		case map[string]any:
			for field, inner := range v {
				if name != "" || field != "status" {
					v[field] = walk(field, inner)
				}
			}
		case []any:
			for i, inner := range v {
				v[i] = walk("[]", inner)
			}
		}
		return change(name, v)
	}
	raw, err := json.Marshal(walk("", plain))
	if err != nil {
		return body
	}
	return raw
}
