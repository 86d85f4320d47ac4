// Package client is a thin client of the Reseller API: one method an endpoint.
package client

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Clock tells and passes time. Sleep returns ctx.Err() when ctx ends first.
type Clock interface {
	Now() time.Time
	Sleep(ctx context.Context, d time.Duration) error
}

// Config says where the service is and how to meet it.
type Config struct {
	BaseURL        string
	UploadURL      string
	APIKey         string
	AccessToken    string
	Slug           string
	UserAgent      string
	TokenCacheDir  string        // empty: tokens stay in memory
	MaxWait        time.Duration // longest time a limit may stay closed
	MaxRetries     int           // repeats of calls that are safe to repeat
	RequestTimeout time.Duration // for one HTTP call
	Transport      http.RoundTripper
	Clock          Clock
}

// Client speaks to one reseller of one service.
type Client struct{}

var errTODO = errors.New("not built yet")

func New(cfg Config) (*Client, error) { return &Client{}, nil }

func (c *Client) Slug(ctx context.Context) (string, error)          { return "", errTODO }
func (c *Client) Dashboard(ctx context.Context) (*Dashboard, error) { return nil, errTODO }
func (c *Client) ListPrivateLabels(ctx context.Context, period string) (*PrivateLabelList, error) {
	return nil, errTODO
}
func (c *Client) GetPrivateLabel(ctx context.Context, tenantID string) (*PrivateLabel, error) {
	return nil, errTODO
}
func (c *Client) ProvisionPrivateLabel(ctx context.Context, req ProvisionRequest) (*Provisioned, error) {
	return nil, errTODO
}

// DeprovisionPrivateLabel: answerLost tells that a list proved it instead of an answer.
func (c *Client) DeprovisionPrivateLabel(ctx context.Context, tenantID string) (answerLost bool, err error) {
	return false, errTODO
}
func (c *Client) SuspendPrivateLabel(ctx context.Context, tenantID, reason string) (*SuspendResult, error) {
	return nil, errTODO
}
func (c *Client) UnsuspendPrivateLabel(ctx context.Context, tenantID string) (*SuspendResult, error) {
	return nil, errTODO
}
func (c *Client) AttachDomain(ctx context.Context, tenantID string) (*DomainSetup, error) {
	return nil, errTODO
}
func (c *Client) ListTemplates(ctx context.Context, tenantID string) ([]Template, error) {
	return nil, errTODO
}
