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
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// hostileRow is one kind of response.
type hostileRow struct {
	name   string
	answer func(net.Conn, *hostileCall)
	// slow: each call takes the whole request_timeout, or megabytes. Only a few
	// operations are tried.
	slow bool
}

// Characters that control a terminal.
const acting = "\x1b[2J\x1b]0;title\x07\r\b\x00\u009b31m\u202e\u2066\u200b\ufeff\u2028"

func hostileRows() []hostileRow {
	rows := []hostileRow{
		{name: "closed at once", answer: func(net.Conn, *hostileCall) {}},
		{name: "reset", answer: func(conn net.Conn, _ *hostileCall) {
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
		}},
		{name: "silence", slow: true, answer: func(conn net.Conn, _ *hostileCall) { _, _ = io.Copy(io.Discard, conn) }},
		{name: "trickle", slow: true, answer: func(conn net.Conn, _ *hostileCall) {
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
		}},
		said("no HTTP", func(c *hostileCall) string { return c.secrets() + acting + "\r\n\r\n" }),
		said("no version", func(c *hostileCall) string { return "HTTP/" + flat(c.secrets()) + " 200 OK\r\n\r\n" }),
		said("no status", func(c *hostileCall) string { return "HTTP/1.1 " + flat(c.secrets()) + "\r\n\r\n" }),
		said("status 000", func(*hostileCall) string { return "HTTP/1.1 000 None\r\nContent-Length: 0\r\n\r\n" }),
		said("status 999", func(*hostileCall) string { return "HTTP/1.1 999 More\r\nContent-Length: 2\r\n\r\n{}" }),
		said("status 101", func(*hostileCall) string {
			return "HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"
		}),
		said("status 204", func(*hostileCall) string { return "HTTP/1.1 204 None\r\n\r\n" }),
		said("status 206", partial),
		said("status 304", func(*hostileCall) string { return "HTTP/1.1 304 Same\r\n\r\n" }),
		said("malformed header line", func(c *hostileCall) string { return "HTTP/1.1 200 OK\r\n" + flat(c.secrets()) + "\r\n\r\n" }),
		said("control characters in a header", func(c *hostileCall) string {
			return "HTTP/1.1 200 OK\r\nX-Request-Id: " + acting + flat(c.secrets()) + "\r\nContent-Length: 2\r\n\r\n{}"
		}),
		said("endless header", func(*hostileCall) string {
			return "HTTP/1.1 200 OK\r\n" + strings.Repeat("X-More: "+strings.Repeat("x", 1000)+"\r\n", 600)
		}),
		said("endless header line", func(*hostileCall) string { return "HTTP/1.1 200 OK\r\nX-More: " + strings.Repeat("x", 600<<10) }),
		said("1xx without end", func(*hostileCall) string {
			return strings.Repeat("HTTP/1.1 103 Early\r\nLink: <"+strings.Repeat("x", 100)+">\r\n\r\n", 5000)
		}),
		said("two lengths", func(c *hostileCall) string {
			return "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nContent-Length: 20\r\n\r\n" + c.secrets()
		}),
		said("length that is none", func(c *hostileCall) string {
			return "HTTP/1.1 200 OK\r\nContent-Length: " + flat(c.secrets()) + "\r\n\r\n"
		}),
		said("negative length", func(*hostileCall) string { return "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}" }),
		said("huge length", func(*hostileCall) string { return "HTTP/1.1 200 OK\r\nContent-Length: 9000000000000000000\r\n\r\n{}" }),
		said("too long a length", func(c *hostileCall) string {
			body := c.honestly().body
			return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body)+100, body)
		}),
		said("too short a length", func(c *hostileCall) string {
			body := c.honestly().body
			return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body)/2, body)
		}),
		said("bytes after the body", func(c *hostileCall) string {
			return string(c.honestly().raw()) + "HTTP/1.1 200 OK\r\n\r\n" + c.secrets() + acting
		}),
		said("truncated chunks", func(c *hostileCall) string {
			body := c.honestly().body
			return fmt.Sprintf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(body)/2, body[:len(body)/2])
		}),
		said("chunks without an end", func(c *hostileCall) string {
			body := c.honestly().body
			return fmt.Sprintf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(body), body)
		}),
		said("chunk length that is none", func(c *hostileCall) string {
			return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + flat(c.secrets()) + "\r\n"
		}),
		said("huge chunk", func(*hostileCall) string {
			return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}"
		}),
		said("unknown encoding", func(c *hostileCall) string {
			return "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + flat(c.secrets()) + "\r\n\r\n{}"
		}),
		said("no gzip", func(c *hostileCall) string {
			body := c.secrets()
			return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		}),
		{name: "gzip bomb", slow: true, answer: func(conn net.Conn, _ *hostileCall) {
			_, _ = conn.Write(rawAnswer(http.StatusOK, http.Header{"Content-Encoding": {"gzip"}}, gzipBomb()))
		}},
		{name: "body without an end", slow: true, answer: func(conn net.Conn, _ *hostileCall) {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n{\"status\":\"")
			for {
				if _, err := conn.Write(megabyte); err != nil {
					return
				}
			}
		}},
		{name: "message of megabytes", slow: true, answer: func(conn net.Conn, c *hostileCall) {
			end, _ := json.Marshal(c.secrets())
			answer := net.Buffers{[]byte(`{"status":"Err","error":{"code":"`), megabyte, []byte(`","message":"`)}
			for range hostileMegabytes {
				answer = append(answer, megabyte)
			}
			answer = append(answer, end[1:], []byte("}}"))
			length := 0
			for _, part := range answer {
				length += len(part)
			}
			_, _ = fmt.Fprintf(conn, "HTTP/1.1 400 Bad Request\r\nContent-Length: %d\r\n\r\n", length)
			_, _ = answer.WriteTo(conn)
		}},
	}
	rows = append(rows, redirectRows()...)
	rows = append(rows, rejectionRows()...)
	rows = append(rows, bodyRows()...)
	return append(rows, changedRows()...)
}

// said is a row whose response is a text.
func said(name string, text func(*hostileCall) string) hostileRow {
	return hostileRow{name: name, answer: func(conn net.Conn, c *hostileCall) { _, _ = io.WriteString(conn, text(c)) }}
}

// flat is a text on one line.
func flat(s string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(s) }

func partial(c *hostileCall) string {
	body := c.honestly().body
	return fmt.Sprintf("HTTP/1.1 206 Part\r\nContent-Range: bytes 0-1/9\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// megabyte is one of letters that an error code has.
var megabyte = bytes.Repeat([]byte("C"), 1<<20)

// gzipBomb has 20 KB that expand to 20 MB.
var gzipBomb = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	chunk := bytes.Repeat([]byte(" "), 1<<20)
	for range 20 {
		_, _ = w.Write(chunk)
	}
	_ = w.Close()
	return b.Bytes()
})

func redirectRows() []hostileRow {
	var rows []hostileRow
	for name, to := range map[string]func(*hostileCall) string{
		"to another host": func(c *hostileCall) string { return "https://evil.example/?" + url.QueryEscape(c.secrets()) },
		"to a host of a secret": func(c *hostileCall) string {
			return "http://" + url.PathEscape(c.token()) + ".example/"
		},
		"to itself": func(c *hostileCall) string { return c.RequestURI },
		"to no URL": func(c *hostileCall) string { return ":// " + flat(c.secrets()) },
		"to a file": func(*hostileCall) string { return "file:///etc/passwd" },
		"with control characters": func(c *hostileCall) string {
			return "https://evil" + strings.ReplaceAll(strings.ReplaceAll(acting, "\r", ""), "\x00", "") + flat(c.secrets())
		},
	} {
		for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect} {
			rows = append(rows, said(fmt.Sprintf("%d %s", status, name), func(c *hostileCall) string {
				return fmt.Sprintf("HTTP/1.1 %d Go\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n", status, to(c))
			}))
		}
	}
	return append(rows, said("308 to nowhere", func(*hostileCall) string { return "HTTP/1.1 308 Go\r\nContent-Length: 0\r\n\r\n" }))
}

// everySpelling of the secrets of a call.
func everySpelling(c *hostileCall) string {
	said := flat(c.secrets())
	raw, _ := json.Marshal(said)
	return strings.Join([]string{
		said, strconv.Quote(said), string(raw), html.EscapeString(said), url.QueryEscape(said), url.PathEscape(said),
		base64.StdEncoding.EncodeToString([]byte(said)), base64.URLEncoding.EncodeToString([]byte(said)), hex.EncodeToString([]byte(said)),
		strings.Join(strings.Split(said, ""), "\u200b"),
	}, "\n")
}

func rejected(status int, code, message func(*hostileCall) string, headers ...string) func(net.Conn, *hostileCall) {
	return func(conn net.Conn, c *hostileCall) {
		body, _ := json.Marshal(map[string]any{"status": "Err", "error": map[string]string{"code": code(c), "message": message(c)}})
		header := http.Header{}
		for i := 0; i+1 < len(headers); i += 2 {
			header.Add(headers[i], headers[i+1])
		}
		_, _ = conn.Write(rawAnswer(status, header, body))
	}
}

func always(text string) func(*hostileCall) string { return func(*hostileCall) string { return text } }

func rejectionRows() []hostileRow {
	var rows []hostileRow
	for _, status := range []int{400, 401, 403, 404, 409, 429, 500, 503} {
		rows = append(rows, hostileRow{name: fmt.Sprintf("%d with every secret", status), answer: rejected(status, always("INVALID_REQUEST"), everySpelling)})
	}
	for _, code := range []string{"FORBIDDEN", "INVALID_TARGET", "NOT_FOUND", "USER_NOT_FOUND", "NOT_ASSIGNED", "ALREADY_ASSIGNED", "CODE_IN_USE", "HOST_TAKEN", "CONFIRMATION_EXPIRED", "TOO_FREQUENT"} {
		rows = append(rows, hostileRow{name: "code " + code, answer: rejected(400, always(code), always("No."))})
	}
	for _, after := range []string{"31536000", "1e300", "-1", "NaN", "Fri, 01 Jan 2100 00:00:00 GMT", "\x01soon"} {
		rows = append(rows, hostileRow{name: "429 after " + after, answer: rejected(429, always("RATE"), always("Later."), "Retry-After", after)})
	}
	return append(rows,
		hostileRow{name: "control characters", answer: rejected(400, always("CODE"+acting), always("says "+acting+" this"))},
		hostileRow{name: "a secret for a code", answer: rejected(400, func(c *hostileCall) string { return c.token() }, always("m"))},
		hostileRow{name: "bare secret", answer: func(conn net.Conn, c *hostileCall) {
			body, _ := json.Marshal(map[string]string{"error": everySpelling(c)})
			_, _ = conn.Write(rawAnswer(400, nil, body))
		}},
	)
}

func bodyRows() []hostileRow {
	var rows []hostileRow
	for name, body := range map[string]string{
		"empty":                 "",
		"HTML":                  "<html>" + acting,
		"NUL":                   "\x00\x00\x00",
		"invalid UTF-8":         "{\"status\":\"OK\",\"data\":\"\xff\xfe\xc3\"}",
		"UTF-16":                "\xff\xfe{\x00}\x00",
		"byte order mark":       "\ufeff{\"status\":\"OK\",\"data\":{}}",
		"null":                  "null",
		"a number":              "1e100000000",
		"an array":              "[[[]]]",
		"no data":               `{"status":"OK"}`,
		"data null":             `{"status":"OK","data":null}`,
		"data empty":            `{"status":"OK","data":{}}`,
		"data an array of null": `{"status":"OK","data":[null]}`,
		"Fail with data":        `{"status":"Fail","data":{"tenantId":"x"}}`,
		"OK with an error":      `{"status":"OK","error":{"code":"X","message":"Y"}}`,
		"deep":                  strings.Repeat("[", 200_000),
		"deep data":             `{"status":"OK","data":` + strings.Repeat(`{"a":[`, 4000) + strings.Repeat("]}", 4000) + `}`,
		"rows of null":          `{"status":"OK","data":{"privateLabels":[null,null],"members":[null],"packages":[null],"addons":[null],"keys":[null],"rows":[null],"total":2}}`,
		"empty rows":            `{"status":"OK","data":{"rows":[` + strings.TrimSuffix(strings.Repeat("{},", 20_000), ",") + `],"total":1e9}}`,
	} {
		rows = append(rows, hostileRow{name: "body " + name, answer: func(conn net.Conn, _ *hostileCall) {
			_, _ = conn.Write(rawAnswer(http.StatusOK, http.Header{"Content-Type": {"application/json"}}, []byte(body)))
		}})
	}
	return rows
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

// changedRows are honest responses with a change.
func changedRows() []hostileRow {
	number := func(text string) func(string, any) any {
		return each(func(json.Number) any { return json.RawMessage(text) })
	}
	timesBy := func(change func(json.Number) string) func(string, any) any {
		times := each(func(n json.Number) any { return json.RawMessage(change(n)) })
		return func(name string, v any) any {
			if strings.HasSuffix(name, "At") || strings.HasSuffix(name, "TimeStamp") {
				return times(name, v)
			}
			return v
		}
	}
	var rows []hostileRow
	for name, change := range map[string]func(string, any) any{
		"times in microseconds":         timesBy(func(n json.Number) string { return n.String() + "000" }),
		"times in nanoseconds":          timesBy(func(n json.Number) string { return n.String() + "000000" }),
		"negative times":                timesBy(func(n json.Number) string { return "-" + n.String() + "000" }),
		"times with fractions":          timesBy(func(n json.Number) string { return n.String() + ".5" }),
		"times beyond all":              timesBy(func(json.Number) string { return "1e400" }),
		"times as texts":                timesBy(func(n json.Number) string { return strconv.Quote(n.String()) }),
		"numbers beyond all":            number("1e100000000"),
		"large numbers":                 number("1e300"),
		"negative numbers":              number("-1"),
		"long numbers":                  number(strings.Repeat("9", 5000)),
		"numbers as texts":              number(`"1"`),
		"numbers null":                  number("null"),
		"texts as numbers":              each(func(string) any { return json.Number("7") }),
		"texts null":                    each(func(string) any { return nil }),
		"texts empty":                   each(func(string) any { return "" }),
		"texts in upper case":           each(func(s string) any { return strings.ToUpper(s) }),
		"texts with control characters": each(func(s string) any { return s + acting }),
		"texts with control characters, nothing true": func(_ string, v any) any {
			switch v := v.(type) {
			case bool:
				return false
			case string:
				return v + acting
			default:
				return v
			}
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
	} {
		rows = append(rows, hostileRow{name: name, answer: func(conn net.Conn, c *hostileCall) {
			honest := c.honestly()
			_, _ = conn.Write(rawAnswer(honest.status, honest.header, changed(honest.body, change)))
		}})
	}
	return append(rows,
		hostileRow{name: "keys twice", answer: func(conn net.Conn, c *hostileCall) {
			honest := c.honestly()
			body := bytes.TrimSuffix(bytes.TrimSpace(honest.body), []byte("}"))
			_, _ = conn.Write(rawAnswer(honest.status, honest.header, append(body, `,"status":"OK","data":{}}`...)))
		}},
		hostileRow{name: "the token in every text", answer: func(conn net.Conn, c *hostileCall) {
			honest := c.honestly()
			body := changed(honest.body, each(func(s string) any { return s + " " + c.token() }))
			_, _ = conn.Write(rawAnswer(honest.status, honest.header, body))
		}},
		hostileRow{name: "limits that make no sense", answer: func(conn net.Conn, c *hostileCall) {
			honest := c.honestly()
			header := honest.header.Clone()
			header["Ratelimit-Limit"], header["Ratelimit-Remaining"], header["Ratelimit-Reset"] = []string{"0"}, []string{"0"}, []string{"1e15"}
			_, _ = conn.Write(rawAnswer(honest.status, header, honest.body))
		}},
	)
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
