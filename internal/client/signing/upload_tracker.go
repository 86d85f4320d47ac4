package signing

import (
	"context"
	"sync"
)

// uploadTracker records this client's uploads, so that a lost one does not adopt the document of another.
type uploadTracker struct {
	mu      *sync.Mutex
	known   map[string]bool          // IDs of documents that were returned or adopted
	unknown map[string]bool          // titles with an upload that may appear late
	turns   map[string]chan struct{} // serialize the uploads of a title
}

func newUploadTracker() uploadTracker {
	return uploadTracker{mu: &sync.Mutex{}, known: map[string]bool{}, unknown: map[string]bool{}, turns: map[string]chan struct{}{}}
}

// lockTitle waits until no other upload of this title is in flight.
func (l uploadTracker) lockTitle(ctx context.Context, title string) (give func(), err error) {
	l.mu.Lock()
	turn, ok := l.turns[title]
	if !ok {
		turn = make(chan struct{}, 1)
		l.turns[title] = turn
	}
	l.mu.Unlock()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	}
}

func (l uploadTracker) add(docID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known[docID] = true
}

func (l uploadTracker) knows(docID string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known[docID]
}

func (l uploadTracker) markUnknown(title string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unknown[title] = true
}

func (l uploadTracker) isUnknown(title string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.unknown[title]
}
