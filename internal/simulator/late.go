package simulator

import (
	"encoding/json"
	"time"
)

// readKind is a kind of read that may show writes late.
type readKind string

const (
	readList    readKind = "list"
	readDetail  readKind = "detail"
	readMembers readKind = "members"
	readPackage readKind = "package"
	readSearch  readKind = "search"
	readItem    readKind = "item"
)

// lateness is the time until a read shows a write, by form.
var lateness = map[string]time.Duration{"6s": 6 * time.Second, "20s": 20 * time.Second, "2m": 2 * time.Minute}

// lag is the age of the data that a route reads.
func (f Forms) lag(r *route) time.Duration {
	late := f.formOf("late-reads")
	if r.read == "" || late != "all" && late != string(r.read) {
		return 0
	}
	return lateness[f.formOf("late")]
}

// version is the data as it was from a time on.
type version struct {
	At   int64           `json:"at"`
	Data json.RawMessage `json:"data"`
}

// remember adds a version of the data after a change, and drops those that no late read can need.
func (s *Simulator) remember() error {
	lag := lateness[s.forms.formOf("late")]
	if lag == 0 {
		return nil
	}
	d := s.store.data
	now := s.clock.Now()
	kept := d.Versions
	d.Versions = nil
	raw, err := json.Marshal(d)
	if err != nil {
		return err
	}
	kept = append(kept, version{millis(now), raw})
	for len(kept) > 1 && kept[1].At <= millis(now.Add(-lag)) {
		kept = kept[1:]
	}
	d.Versions = kept
	return nil
}

// past is the data that a late read shows; nil for the present data.
func (s *Simulator) past(r *request) *data {
	lag := s.forms.lag(r.route)
	versions := s.store.data.Versions
	if lag == 0 || len(versions) == 0 {
		return nil
	}
	shown := versions[0]
	for _, v := range versions[1:] {
		if v.At <= millis(r.now.Add(-lag)) {
			shown = v
		}
	}
	out := &data{}
	if json.Unmarshal(shown.Data, out) != nil {
		return nil
	}
	out.complete()
	if out.reseller(r.reseller.ID) == nil {
		return nil
	}
	return out
}

// serveRoute handles a request with the data that its route shows.
func (s *Simulator) serveRoute(r *request) (any, *apiError) {
	past := s.past(r)
	if past == nil {
		return r.route.serve(s, r)
	}
	present, reseller := s.store.data, r.reseller
	s.store.data = past
	r.reseller = past.reseller(reseller.ID)
	defer func() {
		s.store.data = present
		r.reseller = reseller
	}()
	return r.route.serve(s, r)
}
