package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// envelope of nearly every answer (§2.2). Bare answers (§7.3) have `error` as
// text.
type envelope struct {
	Status string          `json:"status"`
	Data   json.RawMessage `json:"data"`
	Error  json.RawMessage `json:"error"`
}

// decode classifies an answer and reads its data. Of a body that is no JSON an
// excerpt without the secrets becomes the message.
func decode(op string, status int, header http.Header, body []byte, now time.Time, secrets []string, out any) error {
	var env envelope
	jsonErr := json.Unmarshal(body, &env)
	if jsonErr == nil && isSuccess(status) && (env.Status == statusOK || env.Status == "" && env.Data != nil) {
		if out == nil {
			return nil
		}
		if err := json.Unmarshal(env.Data, out); err != nil {
			return &Error{Status: status, Op: op, Message: "the answer's data cannot be read: " + err.Error(), unreadable: true}
		}
		if l, ok := out.(lacking); ok && l.lacks() != "" {
			return &Error{Status: status, Op: op, Message: "the answer has no " + l.lacks() + " that this version can find", unreadable: true}
		}
		return nil
	}
	e := &Error{Status: status, Op: op, RetryAfter: retryAfter(header, now)}
	if isRedirect(status) {
		e.Message = "the answer is a redirect" + toHost(header) + ", which is not followed: the token would go along"
		e.unreadable = true
		return e
	}
	if jsonErr != nil {
		e.Message = excerpt(body, secrets)
		e.unreadable = true
		return e
	}
	e.Code, e.Message = errorOf(env)
	e.unreadable = isSuccess(status) && (e.Code == "" || env.Status == statusFail)
	return e
}

// toHost names the host of a redirect alone: the rest may carry anything.
func toHost(header http.Header) string {
	if to, err := url.Parse(header.Get("Location")); err == nil && to.Host != "" {
		return " to " + to.Host
	}
	return ""
}

// errorOf reads the enveloped error, and the bare one of §7.3.
func errorOf(env envelope) (code, message string) {
	var full struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	if json.Unmarshal(env.Error, &full) == nil && full.Code+full.Message != "" {
		return full.Code, full.Message
	}
	var bare string
	if json.Unmarshal(env.Error, &bare) == nil && bare != "" {
		if strings.ContainsAny(bare, " .") {
			return "", bare // a sentence, as rate limits send
		}
		return bare, ""
	}
	return "", fmt.Sprintf("the answer has status %q and no error", env.Status)
}

const maxExcerpt = 200

// excerpt is the beginning of a body that is no JSON, on one line. Secrets go
// before the cut, which could leave half of one.
func excerpt(body []byte, secrets []string) string {
	text := redact(string(body), secrets)
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, text[:min(len(text), 4*maxExcerpt)])
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxExcerpt {
		text = string(runes[:maxExcerpt]) + "…"
	}
	if text == "" {
		return "the answer is empty"
	}
	return "the answer is no JSON: " + text
}

// minSecret keeps redact from blanking ordinary words.
const minSecret = 8

func redact(text string, secrets []string) string {
	for _, s := range secrets {
		if len(s) >= minSecret {
			text = strings.ReplaceAll(text, s, "(secret)")
		}
	}
	return text
}

// retryAfter reads seconds or an HTTP date; 0 when there is none.
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

// longestTold bounds what a header may tell: nonsense must not close a limit for
// years.
const longestTold = 24 * time.Hour

// boundedSeconds keeps nonsense in a header from overflowing a duration.
func boundedSeconds(seconds float64) time.Duration {
	if !(seconds > 0) { // NaN, too
		return 0
	}
	return time.Duration(min(seconds, longestTold.Seconds()) * float64(time.Second))
}
