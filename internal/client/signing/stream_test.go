package signing

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A file is streamed from disk with a known length and never held in memory.
func TestUpload_StreamsFile(t *testing.T) { //nolint:paralleltest // it measures what the process allocates
	const size, most = 192 << 20, 4 << 20
	path := filepath.Join(t.TempDir(), "large.pdf")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.NoError(t, os.Truncate(path, size)) // sparse
	var got int64
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.GreaterOrEqual(t, r.ContentLength, int64(size), "Content-Length, Transfer-Encoding %v", r.TransferEncoding)
		assert.Empty(t, r.TransferEncoding, "Content-Length %d, Transfer-Encoding", r.ContentLength)
		n, err := io.Copy(io.Discard, r.Body)
		require.NoError(t, err, "read %d of %d", n, r.ContentLength)
		assert.Equal(t, r.ContentLength, n, "read")
		got += n
		_, _ = io.WriteString(w, `{"status":"OK","data":{"docId":"doc-1","assetId":1}}`)
	}))
	defer service.Close()
	c, _, _ := dial(t, "", func(cfg *Config) { cfg.URL, cfg.Transport = service.URL, service.Client().Transport })
	up, mint := uploadRequest(t), mintRequest(t)
	up.FilePath, mint.FilePath, mint.ImagePath = path, path, path

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := c.Upload(t.Context(), up)
	require.NoError(t, err)
	_, err = c.Mint(t.Context(), mint)
	require.NoError(t, err)
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; got < 3*size || allocated > most {
		t.Errorf("sent %d bytes and allocated %d, want at most %d", got, allocated, int64(most))
	}
}
