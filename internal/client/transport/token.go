package transport

import (
	"cmp"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"golang.org/x/sync/semaphore"

	"github.com/privatelabels/terraform-provider-reseller/internal/privatefile"
)

// renewBefore is the time before its expiry at which a token is renewed, so that it does not expire during a call.
const renewBefore = 5 * time.Minute

// Credentials is an access token with the data that is stored with it.
type Credentials struct {
	AccessToken string    `json:"access_token"`
	ExpiresAt   time.Time `json:"expires_at"`
	IssuedAt    time.Time `json:"issued_at"`
	Scope       string    `json:"scope"`
	Slug        string    `json:"slug,omitempty"`
}

// fresh reports whether the token can be used for another call. A token with a lifetime of less than ten minutes is
// used for half of it.
func (c *Credentials) fresh(now time.Time) bool {
	margin := min(renewBefore, c.ExpiresAt.Sub(c.IssuedAt)/2)
	return c.AccessToken != "" && now.Before(c.ExpiresAt.Add(-margin))
}

// tokenSource returns the token of the next call: from memory, from the cache on disk, or from a token exchange, which
// the callers of this process share.
type tokenSource struct {
	caller *Caller
	given  string // configured access token: never exchanged, never renewed
	dir    *cacheDir
	name   string // of the file with the token of this key

	lock *semaphore.Weighted // held during an exchange; the others wait for its token, in order of arrival

	mu       sync.Mutex
	current  *Credentials     // never nil
	failure  *exchangeFailure // of the latest exchange that failed; nil for none
	past     []string         // earlier tokens and confirmation keys, for redaction
	rejected bool             // a token was rejected, and none was obtained since
	unproven string           // obtained after a rejection and not yet accepted by the API
}

// exchangeFailure is the error of an exchange. All callers that waited for it get it, since exchanges are limited.
type exchangeFailure struct {
	err   error
	final bool      // another exchange would get the same response
	until time.Time // another exchange before then would, too
}

func newTokenSource(c *Caller) *tokenSource {
	return &tokenSource{
		caller:  c,
		given:   c.cfg.AccessToken,
		dir:     newCacheDir(c.cfg.TokenCacheDir, c.cfg.RequestTimeout),
		name:    privatefile.Name(c.cfg.BaseURL.String(), c.cfg.APIKey),
		lock:    semaphore.NewWeighted(1),
		current: &Credentials{},
	}
}

func (s *tokenSource) credentials(ctx context.Context) (*Credentials, error) {
	if s.given != "" {
		return &Credentials{AccessToken: s.given}, nil
	}
	if creds := s.inMemory(); creds.fresh(s.caller.clock.Now()) {
		return creds, nil
	}
	before := s.lastFailure()
	if err := s.lock.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.lock.Release(1)
	if creds := s.inMemory(); creds.fresh(s.caller.clock.Now()) {
		return creds, nil // another caller renewed it
	}
	if failed := s.lastFailure(); failed != nil && (failed.final || failed != before || s.caller.clock.Now().Before(failed.until)) {
		return nil, failed.err
	}
	return s.obtain(ctx)
}

func (s *tokenSource) lastFailure() *exchangeFailure {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failure
}

// share keeps the error of an exchange. A response that is no server error is final: the key is unknown or revoked, or
// the base URL is that of another server.
func (s *tokenSource) share(err error) {
	failed := &exchangeFailure{err: err}
	if answer, answered := errors.AsType[*Error](err); answered {
		failed.final = answer.Status < http.StatusInternalServerError
	}
	if limit, exhausted := errors.AsType[*RateLimitError](err); exhausted {
		failed.until = limit.Until
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failure = failed
}

// obtain returns a token, and waits while the limit of exchanges is exhausted, and before another exchange. It holds no
// lock of other processes during a wait, so that one that must not wait returns its error immediately.
func (s *tokenSource) obtain(ctx context.Context) (*Credentials, error) {
	var since time.Time
	for failures := 0; ; {
		creds, err := s.obtainOnce(ctx)
		if err == nil || ctx.Err() != nil {
			return creds, err
		}
		limit, isExhausted := errors.AsType[*RateLimitError](err)
		wait, again := s.caller.afterExchange(failures, err)
		if isExhausted {
			since = cmp.Or(since, s.caller.clock.Now())
			wait = limit.Wait
			again = limit.Until.Sub(since) <= limit.MaxWait
		} else {
			failures++
		}
		if !again {
			s.share(err)
			return nil, err
		}
		if isExhausted && wait > logWaitAfter {
			tflog.Info(ctx, "waiting for the token exchange rate limit", map[string]any{"seconds": logSeconds(wait)})
		}
		if err := s.caller.clock.Sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// obtainOnce reads the cache and makes a token exchange if that has no fresh token, under the lock that all processes
// share.
func (s *tokenSource) obtainOnce(ctx context.Context) (*Credentials, error) {
	unlock, err := s.dir.lock(ctx, s.name)
	if err != nil {
		return nil, err
	}
	defer unlock()
	stored := s.stored(ctx)
	if stored.fresh(s.caller.clock.Now()) {
		s.remember(stored)
		return stored, nil
	}
	creds, err := s.caller.exchange(ctx)
	if err != nil {
		return nil, err
	}
	creds.Slug = cmp.Or(s.inMemory().Slug, stored.Slug) // belongs to the key
	s.remember(creds)
	s.store(ctx, creds)
	return creds, nil
}

// evict drops a token that the API rejected, and keeps the slug. It returns false if another token would not help: then
// the rejection is final.
func (s *tokenSource) evict(ctx context.Context, rejected string) bool {
	if s.given != "" || rejected == "" || !s.drop(rejected) {
		return false
	}
	unlock, err := s.dir.lock(ctx, s.name)
	if err != nil {
		return false
	}
	defer unlock()
	if creds := s.stored(ctx); creds.AccessToken == rejected { // else another process renewed it
		s.store(ctx, &Credentials{Slug: creds.Slug})
	}
	return true
}

// drop removes a rejected token from memory. A token that was obtained after a rejection and never accepted is kept:
// exchanges are limited, and another token would be rejected, too.
func (s *tokenSource) drop(rejected string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unproven == rejected {
		return false
	}
	if s.current.AccessToken == rejected {
		s.current = &Credentials{Slug: s.current.Slug}
		s.rejected = true
	}
	return true
}

// prove records that the API accepted a token.
func (s *tokenSource) prove(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unproven == token {
		s.unproven = ""
	}
}

func (s *tokenSource) inMemory() *Credentials {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

func (s *tokenSource) remember(c *Credentials) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = c
	if s.rejected && c.AccessToken != "" {
		s.rejected = false
		s.unproven = c.AccessToken
	}
	s.addSecret(c.AccessToken)
}

func (s *tokenSource) addSecret(word string) {
	if !slices.Contains(s.past, word) {
		s.past = append(s.past, word)
	}
}

// seen returns every token and confirmation key of this process.
func (s *tokenSource) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.past)
}

// Credentials returns a fresh access token, after a token exchange if needed. Expiry and scopes of Config.AccessToken
// are unknown. The error is a *RateLimitError if the limit of exchanges stays exhausted, and an *Error with
// CodeInvalidClient for an invalid API key.
func (c *Caller) Credentials(ctx context.Context) (*Credentials, error) {
	return c.tokens.credentials(c.Masked(ctx))
}

// LockSlug lets one process at a time read the slug, and returns the one that another process stored in between. A
// configured access token is not cached, so that its slug is not shared.
func (c *Caller) LockSlug(ctx context.Context) (unlock func(), stored string, err error) {
	s := c.tokens
	if s.given != "" {
		return func() {}, "", nil
	}
	ctx = c.Masked(ctx)
	// Taken before the lock of the token, never while that is held.
	if unlock, err = s.dir.lock(ctx, s.name+"-slug"); err != nil {
		return nil, "", err
	}
	// Windows does not replace a file while another process reads it.
	if unlockToken, err := s.dir.lock(ctx, s.name); err == nil {
		defer unlockToken()
		stored = s.stored(ctx).Slug
	}
	return unlock, stored, nil
}

// RememberSlug stores the reseller's slug with the token.
func (c *Caller) RememberSlug(ctx context.Context, slug string) {
	s := c.tokens
	next := *s.inMemory()
	if s.given != "" || next.Slug == slug {
		return
	}
	next.Slug = slug
	s.remember(&next)
	ctx = c.Masked(ctx)
	unlock, err := s.dir.lock(ctx, s.name)
	if err != nil {
		return
	}
	defer unlock()
	if s.stored(ctx).AccessToken == next.AccessToken {
		s.store(ctx, &next)
	}
}

const tokenSuffix = ".token"

// stored returns the token of the cache, an empty one if there is none or it cannot be read. The token is encrypted with
// the API key: without the key the file is useless.
func (s *tokenSource) stored(ctx context.Context) *Credentials {
	var creds Credentials
	raw := s.dir.read(ctx, s.name+tokenSuffix)
	if len(raw) == 0 {
		return &creds
	}
	plain, err := open(s.caller.cfg.APIKey, raw)
	if err == nil {
		err = json.Unmarshal(plain, &creds)
	}
	if err != nil {
		tflog.Warn(ctx, "the cached token cannot be read; the API key is exchanged again", map[string]any{"error": err.Error()})
		return &Credentials{}
	}
	return &creds
}

func (s *tokenSource) store(ctx context.Context, creds *Credentials) {
	plain, err := json.Marshal(creds)
	if err == nil {
		plain, err = seal(s.caller.cfg.APIKey, plain)
	}
	if err != nil {
		s.dir.giveUp(ctx, err)
		return
	}
	s.dir.write(ctx, s.name+tokenSuffix, plain)
}

// seal encrypts with AES-256-GCM, with a key derived from the secret by HKDF.
func seal(secret string, plain []byte) ([]byte, error) {
	aead, err := cipherFor(secret)
	if err != nil {
		return nil, err
	}
	return aead.Seal(nil, nil, plain, nil), nil //nolint:gosec // the cipher makes a random nonce for each call
}

func open(secret string, sealed []byte) ([]byte, error) {
	aead, err := cipherFor(secret)
	if err != nil {
		return nil, err
	}
	return aead.Open(nil, nil, sealed, nil)
}

// cipherFor returns a cipher that puts a random nonce before each text.
func cipherFor(secret string) (cipher.AEAD, error) {
	const keySize = 32
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "reseller-token-2", keySize)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
