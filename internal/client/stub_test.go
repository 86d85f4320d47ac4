package client

import (
	"testing"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport/transporttest"
)

// stubbed makes a client with a token and a slug of its own.
func stubbed(t *testing.T, replies map[string][]transporttest.StubReply, change ...func(*Config)) (*Client, *transporttest.Stub, *transporttest.Clock) {
	t.Helper()
	s, clock := &transporttest.Stub{T: t, Replies: replies}, transporttest.NewClock()
	cfg := Config{
		BaseURL: "https://api.stub.example", AccessToken: "a-token-from-outside", Slug: transporttest.StubSlug,
		MaxWait: 15 * time.Minute, MaxRetries: 2, Transport: s, Clock: clock,
	}
	for _, f := range change {
		f(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c, s, clock
}

func stubWithKey(dir string) func(*Config) {
	return func(cfg *Config) { cfg.APIKey, cfg.AccessToken, cfg.TokenCacheDir = transporttest.StubKey, "", dir }
}

func stubRequest() ProvisionRequest {
	return ProvisionRequest{Domain: transporttest.StubHost, AppName: "Stub", Owner: ProvisionOwner{Email: transporttest.StubOwner, FirstName: "Ada", LastName: "L"}}
}
