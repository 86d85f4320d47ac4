package signing

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A file is streamed from disk with a known length and never held in memory.
func TestUpload_StreamsFile(t *testing.T) { //nolint:paralleltest // it measures what the process allocates
	const size, most = 192 << 20, 4 << 20
	path := filepath.Join(t.TempDir(), "large.pdf")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, size); err != nil { // sparse
		t.Fatal(err)
	}
	var got int64
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength < size || len(r.TransferEncoding) != 0 {
			t.Errorf("Content-Length %d, Transfer-Encoding %v", r.ContentLength, r.TransferEncoding)
		}
		n, err := io.Copy(io.Discard, r.Body)
		if err != nil || n != r.ContentLength {
			t.Errorf("read %d of %d: %v", n, r.ContentLength, err)
		}
		got += n
		_, _ = io.WriteString(w, `{"status":"OK","data":{"docId":"doc-1","assetId":1}}`)
	}))
	defer service.Close()
	c, _, _ := dial(t, nil, func(cfg *Config) { cfg.URL, cfg.Transport = service.URL, service.Client().Transport })
	up, mint := uploadRequest(t), mintRequest(t)
	up.FilePath, mint.FilePath, mint.ImagePath = path, path, path

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := c.Upload(t.Context(), up); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Mint(t.Context(), mint); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; got < 3*size || allocated > most {
		t.Errorf("sent %d bytes and allocated %d, want at most %d", got, allocated, int64(most))
	}
}
