package check

import (
	"encoding/json"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// A base URL in capitals has its path removed, so that the transcript has no host and can be replayed.
func TestTranscript_BaseURLInCapitals(t *testing.T) {
	t.Parallel()
	r := &recorder{clock: transport.RealClock{}}
	w := &wire{recorder: r, api: apiReseller, bases: []string{"HTTPS://API.Lovelace.EXAMPLE/v2/"}, next: roundTripper(func(req *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("{}")), Request: req}, nil
	})}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://api.lovelace.example/v2/console/dashboard?x=1", http.NoBody)
	require.NoError(t, err)
	resp, err := w.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, "/console/dashboard", r.exchanges[0].Request.Path)
}

// A replay ends: a transcript has the times of a check, and is a regular file.
func TestReplay_Ends(t *testing.T) {
	t.Parallel()
	whole := Transcript{Format: transcriptFormat, Exchanges: []Exchange{{API: apiReseller}}}
	file := func(change func(*Transcript)) string {
		changed := whole
		changed.Exchanges = slices.Clone(whole.Exchanges)
		change(&changed)
		text, err := json.Marshal(changed)
		require.NoError(t, err)
		name := filepath.Join(t.TempDir(), "t.json")
		require.NoError(t, os.WriteFile(name, text, 0o600))
		return name
	}
	_, err := readTranscript(file(func(*Transcript) {}))
	require.NoError(t, err)
	for name, change := range map[string]func(*Transcript){
		"started far in the future": func(t *Transcript) { t.Started = math.MaxInt64 },
		"started before 1970":       func(t *Transcript) { t.Started = -1 },
		"an exchange at no time":    func(t *Transcript) { t.Exchanges[0].At = math.MaxInt64 },
		"an endless exchange":       func(t *Transcript) { t.Exchanges[0].Took = math.MaxInt64 },
	} {
		_, err := readTranscript(file(change))
		assert.ErrorContains(t, err, "its times are not those of one", name)
	}
	for _, device := range []string{"/dev/zero", t.TempDir()} {
		_, err := readTranscript(device)
		assert.Error(t, err, device)
	}
}
