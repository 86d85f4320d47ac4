package simulator

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// handle processes one request: limits, token, scope, slug, effect, fault, journal. The caller holds the store's lock.
func (s *Simulator) handle(r *request, f *Fault) (a *response, e effect) {
	e = effectLive
	s.faults.begin(r.routeName(), s.store.data)
	if f != nil && f.before != nil {
		now := s.store.data
		s.store.data = f.before
		defer func() { s.store.data = now }()
	}
	if f.distorts() && !f.After {
		a = s.signingFault(r, f)
	} else {
		a = s.answer(r)
		if r.isDurable(a) {
			e = effectLasting
		}
	}
	if f.distorts() && f.After {
		if distorted := s.signingFault(r, f); distorted != nil {
			a = distorted
		}
	}
	if f != nil && f.Kind == FaultTruncated && len(a.body) == 0 {
		a.body = []byte(`{"status":"OK","data":{}}`)
	}
	s.note(r, a, f)
	return a, e
}

// isDurable reports whether the request may have changed lasting data. A read or a rejected call changes meters, the
// journal, the last use of a key and the last DNS check, which a file may lose. A search reads with a POST.
func (r *request) isDurable(a *response) bool {
	reads := r.method == http.MethodGet || r.route != nil && (r.route.scope == scopeRead || r.route.reads)
	return !reads && (a.status < http.StatusBadRequest || a.status >= http.StatusInternalServerError)
}

// routeName is the name of the request's endpoint in the journal and in faults.
func (r *request) routeName() string {
	if r.route == nil {
		return unknownRoute
	}
	return r.route.name()
}

func (s *Simulator) answer(r *request) *response {
	if isSigning(r.path) {
		return s.answerSigning(r)
	}
	if r.route == nil {
		header, limited := s.count(r.now, []rule{{"total/" + r.addr, totalCeiling, s.window(minuteWindow)}})
		if limited {
			return withHeader(tooMany(header), header)
		}
		return withHeader(s.noEndpoint(r), header)
	}
	header, limited := s.count(r.now, s.rules(r))
	if limited {
		return withHeader(tooMany(header), header)
	}
	if r.route.raw != nil {
		return withHeader(r.route.raw(s, r), header)
	}
	if rejection := s.authorize(r); rejection != nil {
		return withHeader(rejected(rejection), header)
	}
	if r.route.allocates != nil && r.route.allocates(r) {
		narrow, limited := s.count(r.now, []rule{{"allocation/" + r.reseller.ID, allocationCeiling, s.window(minuteWindow)}})
		if limited {
			return withHeader(tooMany(narrow), narrow)
		}
		header = narrow
	}
	if r.unreadable() {
		return withHeader(rejected(badRequest("The body must be sent as application/json and must not be too long.")), header)
	}
	data, rejection := s.serveRoute(r)
	if rejection != nil {
		if r.retryAfter != "" {
			header = header.Clone()
			header.Set("Retry-After", r.retryAfter)
		}
		return withHeader(rejected(rejection), header)
	}
	if r.route.removes && s.forms.isForm("removed", "empty") {
		return withHeader(&response{status: http.StatusNoContent, header: http.Header{}}, header)
	}
	return withHeader(s.ok(s.forms.shaped(r.route, data)), header)
}

func withHeader(a *response, header http.Header) *response {
	maps.Copy(a.header, header)
	return a
}

// authorize implements §5: token, scope, and the permission of the key's reseller.
func (s *Simulator) authorize(r *request) *apiError {
	scheme, tokenText, _ := strings.Cut(r.header.Get("Authorization"), " ")
	wellFormed := strings.EqualFold(scheme, "Bearer") && len(strings.Split(tokenText, ".")) == tokenParts
	if !wellFormed {
		if r.route.flat {
			return errToken
		}
		return errUnauthorized
	}
	t := s.store.data.Tokens[tokenText]
	if t == nil || t.ExpiresAt <= millis(r.now) {
		return errUnauthorized
	}
	key := s.store.data.key(t.KeyID)
	if key == nil || key.RevokedAt != 0 {
		return errUnauthorized
	}
	key.LastUsedAt = millis(r.now)
	r.key = key
	r.reseller = s.store.data.reseller(key.ResellerID)
	if r.route.scope != "" && !slices.Contains(key.Scopes, r.route.scope) {
		return errScope
	}
	if r.reseller == nil || r.reseller.Deleted {
		return errForbidden
	}
	if slug, ok := r.params["slug"]; ok && !strings.EqualFold(slug, r.reseller.Slug) {
		return errForbidden
	}
	return nil
}

// target is the private label of a path: INVALID_TARGET for an ID without a live private label, FORBIDDEN for one
// outside of the reseller's subtree, including a deprovisioned one (§4).
func (s *Simulator) target(r *request) (*label, *apiError) {
	l := s.store.data.byID[r.params["tenantId"]]
	switch {
	case l == nil:
		return nil, errTarget
	case l.Gone && s.forms.isForm("gone-label", "invalid-target"):
		return nil, errTarget
	case l.Gone, l.ResellerID != r.reseller.ID:
		return nil, errForbidden
	default:
		return l, nil
	}
}

// forLabel is a handler that finds the private label of the path first.
func forLabel(handle func(*Simulator, *request, *label) (any, *apiError)) func(*Simulator, *request) (any, *apiError) {
	return func(s *Simulator, r *request) (any, *apiError) {
		l, rejection := s.target(r)
		if rejection != nil {
			return nil, rejection
		}
		return handle(s, r, l)
	}
}

// withoutBody is forLabel for endpoints without a body.
func withoutBody(handle func(*Simulator, *request, *label) (any, *apiError)) func(*Simulator, *request) (any, *apiError) {
	return forLabel(func(s *Simulator, r *request, l *label) (any, *apiError) {
		if rejection := decodeNothing(r.body); rejection != nil {
			return nil, rejection
		}
		return handle(s, r, l)
	})
}
