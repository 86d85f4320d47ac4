package signing

import (
	"context"
	"sync"
)

// uploadTracker is what this client knows of its own uploads, so that one that is lost
// is not taken for another.
type uploadTracker struct {
	mu      *sync.Mutex
	known   map[string]bool          // ids of documents that were answered or taken over
	unknown map[string]bool          // titles with an upload that may show up late
	turns   map[string]chan struct{} // one upload of a title at a time
}

func newUploadTracker() uploadTracker {
	return uploadTracker{mu: &sync.Mutex{}, known: map[string]bool{}, unknown: map[string]bool{}, turns: map[string]chan struct{}{}}
}

// lockTitle waits until no other upload of this title is under way.
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
