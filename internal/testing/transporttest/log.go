package transporttest

import (
	"bytes"
	"context"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

// Logged returns a context and the buffer of its log, which includes level TRACE.
func Logged(tb testing.TB) (context.Context, *Buffer) {
	tb.Helper()
	var out Buffer
	return tflogtest.RootLogger(tb.Context(), &out), &out
}

type Buffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
