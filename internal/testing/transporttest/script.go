package transporttest

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// exchange is a call and its response.
type exchange struct {
	call   string
	answer Answer
}

// Answers are responses that a test defines, by the name that its script uses.
type Answers map[string]Answer

// readScript returns the exchanges of a script in order. A script has one exchange on each line, or several with "; " between
// them:
//
//	POST {packages}/search -> 200 {"packages":[],"total":0}
//	GET {label} -> 404 NOT_FOUND
//	lost: POST {labels} -> reset
//	lost x2; POST {labels} -> 429 TOO_FREQUENT + Retry-After: 240
//
// A {name} is one of Names, and " # " begins a comment. "lost: " defines an exchange, which takes place where the script says its name, or "lost x2" for two. Responses:
//
//	200 {"seats":5}         OK with this data
//	404 NOT_FOUND           Reject
//	204                     Reply without a body
//	401 body {"error":"x"}  Reply with this body
//	502 page                HTML
//	grant token-0001 60     Grant, here of a token for 60 seconds
//	limited                 Limited
//	reset                   none; the other words for that are in noResponse
//	slow                    an answer of the test
//
// Each may end with headers: " + Retry-After: 240".
func readScript(tb testing.TB, script string, own []Answers) []exchange {
	tb.Helper()
	var out []exchange
	defined := map[string]exchange{}
	for line := range strings.Lines(script) {
		line, _, _ = strings.Cut(line, " # ")
		for text := range strings.SplitSeq(strings.TrimSpace(line), "; ") {
			name, defines := "", definition.FindStringSubmatch(text)
			if defines != nil {
				name, text = defines[1], defines[2]
			}
			times := 1
			if repeated := repetition.FindStringSubmatch(text); repeated != nil {
				text = repeated[1]
				times, _ = strconv.Atoi(repeated[2])
			}
			step, known := defined[text]
			if call, answer, found := strings.Cut(text, " -> "); found {
				step, known = exchange{Named(tb, call), readAnswer(tb, Named(tb, answer), own)}, true
			}
			switch {
			case text == "":
			case !known:
				require.FailNow(tb, "the script has an exchange that is neither written as \"GET /path -> 200 {}\" nor defined", "%q", text)
			case name != "":
				defined[name] = step
			default:
				out = append(out, slices.Repeat([]exchange{step}, times)...)
			}
		}
	}
	return out
}

// noResponse are the ways in which there is none.
var noResponse = Answers{
	"reset":            Reset,
	"truncated":        Truncated,
	"silent":           Silent,
	"connection reset": Fail(syscall.ECONNRESET),
	"unexpected EOF":   Fail(io.ErrUnexpectedEOF),
	"timeout":          Fail(context.DeadlineExceeded),
	"refused":          Fail(syscall.ECONNREFUSED),
}

var (
	definition = regexp.MustCompile(`^([a-z][a-z ]*): (.*)$`)
	repetition = regexp.MustCompile(`^([a-z ]+) x(\d+)$`)
	nameIn     = regexp.MustCompile(`\{[a-z][a-z ]*\}`)
	codeWord   = regexp.MustCompile(`^[A-Z][A-Z_]+$`)
)

// Named returns a text with the values of its {names}.
func Named(tb testing.TB, text string) string {
	tb.Helper()
	return nameIn.ReplaceAllStringFunc(text, func(name string) string {
		value, known := Names[strings.Trim(name, "{}")]
		require.True(tb, known, "unknown name %s: %s", name, text)
		return value
	})
}

func readAnswer(tb testing.TB, text string, own []Answers) Answer {
	tb.Helper()
	text, headers := cutHeaders(text)
	for _, answers := range own {
		if answer, found := answers[text]; found {
			return answer
		}
	}
	kind, rest, _ := strings.Cut(text, " ")
	switch kind {
	case "limited":
		return Limited(headers...)
	case "grant":
		return readGrant(tb, rest)
	}
	if answer, found := noResponse[text]; found {
		return answer
	}
	status, err := strconv.Atoi(kind)
	require.NoError(tb, err, "the script has the unknown response %q", text)
	body, isBody := strings.CutPrefix(rest, "body ")
	switch {
	case rest == "" || rest == "body":
		return Reply(status, "", headers...)
	case isBody:
		return Reply(status, body, headers...)
	case rest == "page":
		return HTML(status, headers...)
	case codeWord.MatchString(rest):
		return Reject(status, rest, headers...)
	default:
		require.Equal(tb, http.StatusOK, status, "only 200 has data: %q", text)
		return OK(rest, headers...)
	}
}

func readGrant(tb testing.TB, text string) Answer {
	tb.Helper()
	token, seconds, limited := strings.Cut(text, " ")
	if !limited {
		return Grant(token)
	}
	n, err := strconv.Atoi(seconds)
	require.NoError(tb, err, "grant %s", text)
	return GrantFor(token, n)
}

func cutHeaders(text string) (answer string, headers []string) {
	parts := strings.Split(text, " + ")
	for _, header := range parts[1:] {
		name, value, _ := strings.Cut(header, ": ")
		headers = append(headers, name, value)
	}
	return parts[0], headers
}
