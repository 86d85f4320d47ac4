package transport

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"golang.org/x/oauth2"
	"golang.org/x/sync/semaphore"
)

// renewBefore: a token is renewed this long before its end, so that it does
// not end under a call.
const renewBefore = 5 * time.Minute

// Credentials is a token with what is remembered beside it.
type Credentials struct {
	AccessToken string    `json:"access_token"`
	ExpiresAt   time.Time `json:"expires_at"`
	IssuedAt    time.Time `json:"issued_at"`
	Scope       string    `json:"scope"`
	Slug        string    `json:"slug,omitempty"`
}

// fresh reports whether the token will do for another call. A token that lives
// shorter than ten minutes is used for half its life.
func (c *Credentials) fresh(now time.Time) bool {
	if c == nil || c.AccessToken == "" {
		return false
	}
	margin := min(renewBefore, c.ExpiresAt.Sub(c.IssuedAt)/2)
	return now.Before(c.ExpiresAt.Add(-margin))
}

// tokenSource gives the token of the next call: from memory, from the disk
// cache, or from an exchange, which the callers of this process share.
type tokenSource struct {
	caller    *Caller
	given     string // an access token from outside: never exchanged, never renewed
	cache     *tokenCache
	exchanger *exchanger

	lock *semaphore.Weighted // held during an exchange; the others wait for its token, in order of arrival

	mu       sync.Mutex
	current  *Credentials
	past     []string // tokens and confirmation keys seen, for redaction
	refused  bool     // a token was rejected, and none was obtained since
	unproven string   // obtained after a rejection and not yet used with success
}

// token returns a token that is fresh.
func (s *tokenSource) token(ctx context.Context) (*oauth2.Token, error) {
	creds, err := s.credentials(ctx)
	if err != nil {
		return nil, err
	}
	return &oauth2.Token{AccessToken: creds.AccessToken, TokenType: "Bearer", Expiry: creds.ExpiresAt}, nil
}

func (s *tokenSource) credentials(ctx context.Context) (*Credentials, error) {
	if s.given != "" {
		return &Credentials{AccessToken: s.given}, nil
	}
	if creds := s.memory(); creds.fresh(s.caller.clock.Now()) {
		return creds, nil
	}
	if err := s.lock.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.lock.Release(1)
	if creds := s.memory(); creds.fresh(s.caller.clock.Now()) {
		return creds, nil // the caller before this one did it
	}
	return s.obtain(ctx)
}

// obtain gets a token, and waits while the limit of exchanges is closed. No lock
// is held meanwhile, so that a process that may not wait learns so at once.
func (s *tokenSource) obtain(ctx context.Context) (*Credentials, error) {
	clock, maxWait := s.caller.clock, s.caller.cfg.MaxWait
	var since time.Time
	for {
		creds, err := s.obtainOnce(ctx)
		var closed *exchangeLimitError
		if err == nil || !errors.As(err, &closed) {
			return creds, err
		}
		now := clock.Now()
		if since.IsZero() {
			since = now
		}
		wait := max(closed.opens.Sub(now), 0)
		if closed.opens.Sub(since) > maxWait {
			return nil, &RateLimitError{Limit: limitExchange, Until: closed.opens, Wait: wait, MaxWait: maxWait, File: s.exchanger.log.file(ctx)}
		}
		if wait > logWaitAfter {
			tflog.Info(ctx, "waiting for the token exchange rate limit", map[string]any{"seconds": logSeconds(wait)})
		}
		if err := clock.Sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// obtainOnce reads the cache and exchanges the key where that does not do,
// under the lock that all processes share.
func (s *tokenSource) obtainOnce(ctx context.Context) (*Credentials, error) {
	unlock, err := s.cache.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	stored := s.cache.read(ctx)
	if stored.fresh(s.caller.clock.Now()) {
		s.remember(stored)
		return stored, nil
	}
	creds, err := s.exchanger.exchange(ctx)
	if err != nil {
		return nil, err
	}
	// The slug is the key's, whatever became of the token.
	for _, old := range []*Credentials{s.memory(), stored} {
		if old != nil && creds.Slug == "" {
			creds.Slug = old.Slug
		}
	}
	s.remember(creds)
	s.cache.write(ctx, creds)
	return creds, nil
}

// evict drops a token that the API rejected, and keeps the slug. It returns
// false when another one would not help: then the rejection is final.
func (s *tokenSource) evict(ctx context.Context, refused string) bool {
	if s.given != "" || refused == "" || !s.drop(refused) {
		return false
	}
	unlock, err := s.cache.lock(ctx)
	if err != nil {
		return false
	}
	defer unlock()
	// Another process may have renewed it already.
	if creds := s.cache.read(ctx); creds != nil && creds.AccessToken == refused {
		s.cache.write(ctx, &Credentials{Slug: creds.Slug})
	}
	return true
}

// drop removes a rejected token from memory. One that was itself obtained after a
// rejection and was never accepted is kept: exchanges are few, and another token
// would be rejected, too.
func (s *tokenSource) drop(refused string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unproven == refused {
		return false
	}
	if s.current != nil && s.current.AccessToken == refused {
		s.current = &Credentials{Slug: s.current.Slug}
		s.refused = true
	}
	return true
}

// prove remembers that the API took a token.
func (s *tokenSource) prove(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unproven == token {
		s.unproven = ""
	}
}

// storedSlug returns the slug that another process stored meanwhile. It locks the
// cache: Windows does not replace a file while another process reads it.
func (s *tokenSource) storedSlug(ctx context.Context) string {
	unlock, err := s.cache.lock(ctx)
	if err != nil {
		return ""
	}
	defer unlock()
	if stored := s.cache.read(ctx); stored != nil {
		return stored.Slug
	}
	return ""
}

// rememberSlug keeps the reseller's slug beside the token.
func (s *tokenSource) rememberSlug(ctx context.Context, slug string) {
	creds := s.memory()
	if creds == nil || creds.Slug == slug {
		return
	}
	next := *creds
	next.Slug = slug
	s.remember(&next)
	unlock, err := s.cache.lock(ctx)
	if err != nil {
		return
	}
	defer unlock()
	if stored := s.cache.read(ctx); stored != nil && stored.AccessToken == next.AccessToken {
		s.cache.write(ctx, &next)
	}
}

func (s *tokenSource) memory() *Credentials {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

func (s *tokenSource) remember(c *Credentials) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = c
	if s.refused && c.AccessToken != "" {
		s.refused, s.unproven = false, c.AccessToken
	}
	s.addSecret(c.AccessToken)
}

// keepSecret has a word of the API redacted like a token.
func (s *tokenSource) keepSecret(word string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addSecret(word)
}

func (s *tokenSource) addSecret(word string) {
	if !slices.Contains(s.past, word) {
		s.past = append(s.past, word)
	}
}

// seen lists every token and confirmation key of this process.
func (s *tokenSource) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.past)
}

// Credentials returns an access token that is fresh, exchanging the key where
// that is needed. Of Config.AccessToken the end and scopes are not known.
// Errors are *RateLimitError when the limit of exchanges stays closed, and *Error with
// CodeInvalidClient for a bad key.
func (c *Caller) Credentials(ctx context.Context) (*Credentials, error) {
	return c.tokens.credentials(c.Masked(ctx))
}

// LockSlug lets one process at a time look for the slug, and returns the one that
// another process stored meanwhile. A token that was given is not cached, so that
// nothing is shared with it.
func (c *Caller) LockSlug(ctx context.Context) (unlock func(), stored string, err error) {
	if c.tokens.given != "" {
		return func() {}, "", nil
	}
	ctx = c.Masked(ctx)
	if unlock, err = c.tokens.cache.lockSlug(ctx); err != nil {
		return nil, "", err
	}
	return unlock, c.tokens.storedSlug(ctx), nil
}

// RememberSlug stores the reseller's slug beside the token.
func (c *Caller) RememberSlug(ctx context.Context, slug string) {
	c.tokens.rememberSlug(c.Masked(ctx), slug)
}
