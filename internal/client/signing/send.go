package signing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// call is one use of an endpoint.
type call struct {
	op       string // "upload the document"
	endpoint endpoint
	query    url.Values
	body     any   // sent as JSON
	form     *form // or as a form with files
	secrets  []string

	writes     bool // goes on although the run is cancelled
	repeatable bool // asking again changes nothing

	attempted time.Time  // when the last attempt began
	operation *operation // whose marker says when that was; nil for a call that is not looked for by its time
}

// attempt notes when an attempt begins. A marker that cannot be rewritten has an
// earlier time, which makes a later run look at more documents.
func (op *call) attempt(now time.Time) {
	op.attempted = now
	if op.operation != nil {
		_ = op.operation.start(op.op, now)
	}
}

// do makes a call and returns `data` of its answer, nil where there is none.
func (c *Client) do(ctx context.Context, op *call) (json.RawMessage, error) {
	secrets := append([]string{c.cfg.UserAPIKey}, nonEmpty(op.secrets)...)
	ctx = tflog.MaskLogStrings(ctx, secrets...)
	clean := newRedactor(secrets)
	data, err := c.send(ctx, op, clean)
	if err != nil {
		return nil, clean.error(err)
	}
	return data, nil
}

func (c *Client) send(ctx context.Context, op *call, clean redactor) (json.RawMessage, error) {
	req, err := c.newRequest(client.CallContext(ctx, op.writes), op)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op.op, client.NotSent(err))
	}
	policy := &repeatPolicy{client: c, call: op, ctx: ctx, clean: clean}
	resp, err := policy.do(req)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op.op, op.form.orReadError(err))
	}
	defer func() { _ = resp.Body.Close() }()
	tflog.Debug(ctx, "Signing API call", map[string]any{"op": op.op, "method": op.endpoint.method, "path": op.endpoint.path, "status": resp.StatusCode})
	if err := c.classify(op, resp, clean); err != nil {
		return nil, err
	}
	var envelope struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(client.WithoutCredentials(client.Peek(resp), c.cfg.UserAPIKey), &envelope); err != nil {
		return nil, client.Unreadable(op.op, resp.StatusCode, "the answer cannot be read: "+err.Error())
	}
	return envelope.Data, nil
}

// classify is nil for a success.
func (c *Client) classify(op *call, resp *http.Response, clean redactor) error {
	return client.Decode(op.op, resp, c.clock.Now(), clean.Redactor, nil)
}

func (c *Client) newRequest(ctx context.Context, op *call) (*retryablehttp.Request, error) {
	address := c.addressOf(op.endpoint)
	if len(op.query) > 0 {
		address += "?" + op.query.Encode()
	}
	raw, kind, err := op.content()
	if err != nil {
		return nil, err
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, op.endpoint.method, address, raw)
	if err != nil {
		return nil, err
	}
	if op.form != nil {
		req.ContentLength = op.form.size
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Authorization", "Bearer "+c.cfg.UserAPIKey)
	req.Header.Set("User-Agent", c.cfg.UserAgent)
	return req, nil
}

// content is the body as the library takes it, and its type.
func (op *call) content() (raw any, kind string, err error) {
	switch {
	case op.form != nil:
		return op.form.reader, op.form.contentType, nil
	case op.body != nil:
		encoded, err := encode(op.body)
		return encoded, "application/json", err
	default:
		return nil, "", nil
	}
}

// encode makes JSON that leaves <, > and & as they are.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}

func nonEmpty(texts []string) []string {
	var out []string
	for _, s := range texts {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

const unbounded = 1 << 30 // the policy counts; the library must not

// repeatPolicy decides for one call whether the last attempt may be repeated:
// always where nothing happened, and what only reads after failures, too.
type repeatPolicy struct {
	client *Client
	call   *call
	ctx    context.Context
	clean  redactor

	failures int           // server failures and lost answers so far
	turnings int           // 429s so far
	shut     time.Time     // the first of them
	pause    time.Duration // before the next attempt
}

func (p *repeatPolicy) do(req *retryablehttp.Request) (*http.Response, error) {
	loop := retryablehttp.Client{
		HTTPClient: p.client.http, RetryMax: unbounded, CheckRetry: p.check, Backoff: p.wait,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	p.call.attempt(p.client.clock.Now())
	resp, err := loop.Do(req)
	if err != nil && err == p.ctx.Err() { //nolint:errorlint // the bare error: the run ended between two attempts
		return nil, client.NotSent(err)
	}
	return resp, err
}

// wait passes the pause on our clock and leaves none to the library. An ended
// context is seen by the library right after.
func (p *repeatPolicy) wait(_, _ time.Duration, _ int, _ *http.Response) time.Duration {
	_ = p.client.clock.Sleep(p.ctx, p.pause)
	p.call.attempt(p.client.clock.Now())
	return 0
}

func (p *repeatPolicy) check(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if err != nil {
		repeats := !client.BadCertificate(err) && (p.call.repeatable || client.NeverSent(err))
		return repeats && p.again(ctx), err
	}
	answer, refused := errors.AsType[*client.Error](p.client.classify(p.call, resp, p.clean))
	if !refused {
		return false, nil
	}
	switch {
	case isDocumented(answer), notServed(answer):
		return false, nil
	case answer.Status == http.StatusTooManyRequests:
		return p.queue(ctx, answer)
	default:
		return p.call.repeatable && answer.Status >= http.StatusInternalServerError && p.again(ctx), nil
	}
}

// again counts a failure and sets the pause before the next attempt.
func (p *repeatPolicy) again(ctx context.Context) bool {
	if p.failures >= p.client.cfg.MaxRetries || ctx.Err() != nil {
		return false
	}
	p.pause = client.RepeatPause(p.failures)
	p.failures++
	return true
}

// queue waits after a 429, though no limit is documented (§8): nothing
// happened, so that every call may be repeated, as long as MaxWait allows.
func (p *repeatPolicy) queue(ctx context.Context, answer *client.Error) (bool, error) {
	now := p.client.clock.Now()
	if p.turnings == 0 {
		p.shut = now
	}
	const shortest = time.Second // or a 429 without Retry-After would be met at full speed
	p.pause = max(answer.RetryAfter, client.RepeatPause(p.turnings), shortest)
	p.turnings++
	opens := now.Add(p.pause)
	if opens.Sub(p.shut) > p.client.cfg.MaxWait {
		return false, &client.LimitError{Limit: "signing", Until: opens, Wait: p.pause, MaxWait: p.client.cfg.MaxWait}
	}
	tflog.Info(ctx, "waiting as the Signing API asked for", map[string]any{"op": p.call.op, "seconds": client.LogSeconds(p.pause)})
	return true, nil
}
