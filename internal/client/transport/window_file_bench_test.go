package transport

import (
	"net/http"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport/transporttest"
)

// The cost of the shared file for each call: one lock, one read and one write.
func BenchmarkRateLimiter(b *testing.B) {
	for name, dir := range map[string]string{"shared": b.TempDir(), "headers": ""} {
		b.Run(name, func(b *testing.B) {
			c := newAPI("https://api.example", Config{AccessToken: transporttest.GivenToken, TokenCacheDir: dir})
			headers := http.Header{"Ratelimit-Limit": {"1000000"}, "Ratelimit-Remaining": {"1000000"}, "Ratelimit-Reset": {"60"}}
			limits := consoleLimits
			b.ReportAllocs()
			for b.Loop() {
				p, _, err := c.limiter.acquire(b.Context(), limits)
				if err != nil {
					b.Fatal(err)
				}
				c.limiter.release(p, http.StatusOK, headers)
			}
		})
	}
}
