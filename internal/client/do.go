package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/hashicorp/go-retryablehttp"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// do makes a call and decodes `data` of its answer into out (nil to ignore it).
func (c *Client) do(ctx context.Context, op *call, out any) error {
	ctx = c.masked(ctx)
	if !op.route.needsSlug() {
		return c.send(ctx, op, "", out)
	}
	slug, err := c.Slug(ctx)
	if err != nil {
		return &notSentError{err}
	}
	err = c.send(ctx, op, slug, out)
	if !IsCode(err, CodeForbidden) {
		return err
	}
	// A remembered slug may be an old one (§2.1): look once, and go on if it moved.
	moved, lookErr := c.slugMoved(ctx, slug)
	if lookErr != nil || moved == "" {
		return err
	}
	return c.send(ctx, op, moved, out)
}

func (c *Client) send(ctx context.Context, op *call, slug string, out any) error {
	req, err := c.newRequest(ctx, op, slug)
	if err != nil {
		return &notSentError{err}
	}
	policy := &repeatPolicy{client: c, call: op, ctx: ctx}
	resp, err := policy.do(req)
	if err != nil {
		return c.redactor().Error(fmt.Errorf("%s: %w", op.op, plainly(err)))
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return c.redactor().Error(fmt.Errorf("%s: %w", op.op, err))
	}
	tflog.Debug(ctx, "reseller API call", map[string]any{"op": op.op, "method": op.route.method, "path": op.route.path, "status": resp.StatusCode})
	return decode(op.op, resp.StatusCode, resp.Header, c.withoutCredentials(op, body), c.clock.Now(), c.redactor(), out)
}

// plainly takes the address off an error that is no failure of the network.
func plainly(err error) error {
	var (
		wrapped *url.Error
		limit   *LimitError
		noToken *noTokenError
	)
	if errors.As(err, &wrapped) && (errors.As(err, &limit) || errors.As(err, &noToken)) {
		return wrapped.Err
	}
	return err
}

func (c *Client) newRequest(ctx context.Context, op *call, slug string) (*retryablehttp.Request, error) {
	path, err := op.route.fill(slug, op.ids)
	if err != nil {
		return nil, err
	}
	base := c.base
	if op.route.upload {
		base = c.upload
	}
	address := base.String() + path
	if len(op.query) > 0 {
		address += "?" + op.query.Encode()
	}
	raw, contentType, err := op.content()
	if err != nil {
		return nil, err
	}
	req, err := retryablehttp.NewRequestWithContext(withCall(ctx, op), op.route.method, address, raw)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.cfg.UserAgent)
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	return req, nil
}

// content is the body as the library takes it: what it can send again.
func (c *call) content() (raw any, contentType string, err error) {
	switch {
	case c.form != nil:
		return retryablehttp.ReaderFunc(c.form.Open), c.form.ContentType(), nil
	case c.body == nil:
		return nil, "", nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c.body); err != nil {
		return nil, "", err
	}
	return buf.Bytes(), "application/json", nil
}

// masked keeps the secrets out of what is logged with this context.
func (c *Client) masked(ctx context.Context) context.Context {
	return tflog.MaskLogStrings(ctx, c.secrets()...)
}

// secrets that must not reach a log, an error or an excerpt. Words that are too
// short to be secrets are left out, whatever the service says they are.
func (c *Client) secrets() []string {
	var out []string
	for _, s := range append([]string{c.cfg.APIKey, secretOf(c.cfg.APIKey), c.cfg.AccessToken}, c.tokens.seen()...) {
		if len(s) >= minSecret {
			out = append(out, s)
		}
	}
	return out
}

// secretOf an API key is what follows its public part (§2.9): a prefix, "live_",
// the key's ID and "_". Empty for a key of another form.
func secretOf(key string) string {
	const idLength = 32
	_, rest, ok := strings.Cut(key, "live_")
	if !ok || len(rest) <= idLength || rest[idLength] != '_' {
		return ""
	}
	return rest[idLength+1:]
}

func (c *Client) redactor() Redactor { return NewRedactor(c.secrets()...) }

// withoutCredentials takes the key and the token of the call out of an answer.
func (c *Client) withoutCredentials(op *call, body []byte) []byte {
	return WithoutCredentials(body, c.cfg.APIKey, op.token)
}

// Words of the envelope (§2.2).
const (
	statusOK   = "OK"
	statusFail = "Fail"
)

func isSuccess(status int) bool {
	return status >= http.StatusOK && status < http.StatusMultipleChoices
}

func isRedirect(status int) bool {
	return status >= http.StatusMultipleChoices && status < http.StatusBadRequest
}
