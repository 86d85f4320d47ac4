package transport

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/secrets"
)

// Words of the envelope (§2.2).
const (
	statusOK   = "OK"
	statusFail = "Fail"
)

// isSuccess reports whether a status is a whole response of an endpoint.
func isSuccess(status int) bool {
	return status >= http.StatusOK && status < http.StatusMultipleChoices && status != http.StatusPartialContent
}

// isRejection reports whether a status says that the request was not processed. The API may have sent it, or a gateway in
// front of the API.
func isRejection(status int) bool {
	return status >= http.StatusBadRequest && status < http.StatusInternalServerError
}

// Limits of the API's texts in an error, in characters.
const (
	maxMessage = 1000
	maxCode    = 100
	maxExcerpt = 200
	maxServer  = 40

	maxSearched = 32 << 10 // bytes of a body in which secrets are searched for an excerpt
)

// decode classifies a response and returns its data. If the body is not JSON, the message is an excerpt of it. Texts in
// an error are cut and contain no secret.
func decode(op string, status int, header http.Header, body []byte, now time.Time, clean secrets.Redactor) (json.RawMessage, *Error) {
	var envelope struct { // of nearly every response (§2.2); in bare ones (§7.3) `error` is a string
		Status string          `json:"status"`
		Error  json.RawMessage `json:"error"`
		Data   json.RawMessage `json:"data"`
	}
	err := json.Unmarshal(body, &envelope)
	if err == nil && isSuccess(status) && (envelope.Status == statusOK || envelope.Status == "" && envelope.Data != nil) {
		return envelope.Data, nil
	}
	e := &Error{Status: status, Op: op, RetryAfter: retryAfter(header, now), unreadable: !isRejection(status)}
	switch {
	case status == http.StatusPartialContent:
		e.Message = "the response is only a part of what was requested"
	case status >= http.StatusMultipleChoices && status < http.StatusBadRequest:
		e.Message = "the response is a redirect" + toHost(header) + ", which is not followed because it would send the access token there"
	case err != nil:
		e.notJSON = !json.Valid(body)
		e.Message = excerpt(body, clean) + fromServer(header)
	default:
		e.Code, e.Message = errorOf(envelope.Error, envelope.Status)
		e.unreadable = isSuccess(status) && (e.Code == "" || envelope.Status == statusFail)
	}
	e.Message = printable.Cut(printable.OneLine(clean.Text(e.Message)), maxMessage)
	e.Code = printable.Cut(printable.OneLine(clean.Long().Text(e.Code)), maxCode) // a short secret may be part of any code
	return nil, e
}

// toHost returns the host of a redirect. The rest of the URL is omitted, since it may contain secrets.
func toHost(header http.Header) string {
	if to, err := url.Parse(header.Get("Location")); err == nil && to.Host != "" {
		return " to " + to.Host
	}
	return ""
}

// errorOf returns code and message of an enveloped error, or of a bare one (§7.3).
func errorOf(raw json.RawMessage, status string) (code, message string) {
	var full struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &full) == nil && full.Code+full.Message != "" {
		return full.Code, full.Message
	}
	var bare string
	if json.Unmarshal(raw, &bare) == nil && bare != "" {
		if strings.ContainsAny(bare, " .") {
			return "", bare // a sentence, as rate limits return
		}
		return bare, ""
	}
	return "", fmt.Sprintf("the response has status %q and no error", status)
}

// longRun may be a secret in any encoding.
var longRun = regexp.MustCompile(`[^\s<>]{25,}`)

// excerpt returns the beginning of a body that is not an envelope, on one line, without what may be a secret.
func excerpt(body []byte, clean secrets.Redactor) string {
	text := clean.Text(string(body[:min(len(body), maxSearched)]))
	if len(text) > 4*maxExcerpt { // what stands after the last space may be half a secret
		text = text[:max(0, strings.LastIndexAny(text[:4*maxExcerpt], " <>\n"))] + "…"
	}
	text = strings.Map(func(r rune) rune {
		if printable.ActsOnTerminal(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, longRun.ReplaceAllString(text, "…"))
	text = printable.OneLine(text)
	if first := []rune(text); len(first) > maxExcerpt {
		text = string(first[:maxExcerpt]) + "…"
	}
	switch {
	case text == "":
		return "the response is empty"
	case json.Valid(body):
		return "the response has another form than those of the API: " + text
	default:
		return "the response is not JSON: " + text
	}
}

// fromServer names the server that sent a response, which may be a gateway.
func fromServer(header http.Header) string {
	server := header.Get("Server")
	if server == "" {
		return ""
	}
	return " (sent by " + printable.Cut(printable.Text(server), maxServer) + ")"
}

// retryAfter reads seconds or an HTTP date; 0 if there is none.
func retryAfter(header http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return boundedSeconds(seconds)
	}
	if at, err := http.ParseTime(text); err == nil {
		return boundedSeconds(at.Sub(now).Seconds())
	}
	return 0
}

// longestTold is the maximum time in a header. The longest documented window has 15 minutes (§8): a header that blocks
// a limit for more than an hour is a mistake or malicious.
const longestTold = time.Hour

// boundedSeconds returns seconds of a header as a duration, at most longestTold.
func boundedSeconds(seconds float64) time.Duration {
	return secondsUpTo(longestTold, seconds)
}

// secondsUpTo returns seconds as a duration between 0 and longest, without overflow.
func secondsUpTo(longest time.Duration, seconds float64) time.Duration {
	if !(seconds > 0) { // also false for NaN
		return 0
	}
	return time.Duration(min(seconds, longest.Seconds()) * float64(time.Second))
}
