package existing

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

type answered struct{ header http.Header }

func (a answered) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: a.header, Body: http.NoBody}, nil
}

// Calls at the same time find the lowest limit and the longest window.
func TestPace_Concurrent(t *testing.T) {
	t.Parallel()
	p := &Pace{Transport: answered{http.Header{"Ratelimit-Limit": {"40"}, "Ratelimit-Reset": {"90"}}}}
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			_, err := p.RoundTrip(httptest.NewRequest(http.MethodGet, "/console/dashboard", http.NoBody)) //nolint:bodyclose // there is none
			assert.NoError(t, err)
			p.limit()
		})
	}
	calls.Wait()
	n, window, known := p.limit()
	assert.Equal(t, 40, n)
	assert.Equal(t, 90*time.Second, window)
	assert.True(t, known)
}
