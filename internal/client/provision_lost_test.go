package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport/transporttest"
)

// A limit that closes while a doubtful write is settled is waited for, though
// that takes longer than a canceled run is given.
func TestSettlingWaitsForALimit(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		canceled bool
		took     time.Duration
	}{
		"a run that goes on":    {false, 90 * time.Second},
		"a run that is stopped": {true, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				answers := []transporttest.Answer{transporttest.Limited("Retry-After", "90"), transporttest.OK(transporttest.OneLabel), transporttest.OK(transporttest.Detail)}
				c, err := New(Config{
					BaseURL: "https://api.example", AccessToken: transporttest.GivenToken, Slug: transporttest.Slug, MaxWait: 2 * time.Minute, MaxRetries: 3,
					Transport: transporttest.RoundTrip(func(r *http.Request) (*http.Response, error) {
						if r.Method == http.MethodPost {
							if tc.canceled {
								cancel()
							}
							return nil, io.ErrUnexpectedEOF
						}
						next := answers[0]
						answers = answers[1:]
						return transporttest.InMemory(http.HandlerFunc(next))(r)
					}),
				})
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				made, err := c.ProvisionPrivateLabel(ctx, provisionRequest())
				if took := time.Since(start); took != tc.took {
					t.Errorf("it took %s", took)
				}
				var doubt *transport.UnknownOutcomeError
				switch {
				case tc.canceled && !errors.As(err, &doubt):
					t.Errorf("got %v", err)
				case !tc.canceled && (err != nil || !made.ResponseLost):
					t.Errorf("got %+v, %v", made, err)
				}
			})
		})
	}
}
