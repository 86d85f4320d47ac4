package transport

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// SHA256 returns the hash of r's content in hex. It stops when ctx ends: a file may have gigabytes.
func SHA256(ctx context.Context, r io.Reader) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, &contextReader{ctx, r}); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

type contextReader struct {
	ctx  context.Context
	next io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.next.Read(p)
}
