package simulator_test

import (
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// benchmark runs calls on 5,000 private labels; the clock moves on, so that no limit is exhausted.
func benchmark(b *testing.B, file, path string) {
	b.Helper()
	sim, err := simulator.New(simulator.Options{File: file, Slug: ownSlug, Clock: simulator.NewFrozenClock(start)})
	require.NoError(b, err)
	require.NoError(b, sim.Seed(5000))
	sim.FillJournal(5000) // as full as a file's journal gets
	token, err := sim.NewToken()
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		sim.Clock().Advance(1e9)
		req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, simulator.BaseURL+path, http.NoBody)
		require.NoError(b, err)
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := sim.Transport().RoundTrip(req)
		require.NoError(b, err, res)
		require.Equal(b, http.StatusOK, res.StatusCode, res)
		_ = res.Body.Close()
	}
}

func BenchmarkListInMemory(b *testing.B) { benchmark(b, "", labelsPath) }

func BenchmarkDashboardInMemory(b *testing.B) { benchmark(b, "", "/console/dashboard") }

func BenchmarkListInFile(b *testing.B) {
	benchmark(b, filepath.Join(b.TempDir(), "data.json"), labelsPath)
}

func BenchmarkDashboardInFile(b *testing.B) {
	benchmark(b, filepath.Join(b.TempDir(), "data.json"), "/console/dashboard")
}
