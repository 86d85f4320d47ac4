package simulator

import (
	"encoding/json"
	"slices"
)

// FillJournal adds n calls to the journal without making them.
func (s *Simulator) FillJournal(n int) {
	_ = s.locked(func() (effect, error) {
		for range n {
			s.store.live.Journal = append(s.store.live.Journal, Call{Time: s.clock.Now(), Method: "GET", Path: "/old"})
		}
		return effectLive, nil
	})
}

// NoteCalls adds n calls with a body to the journal as if they had been made.
func (s *Simulator) NoteCalls(n int, body json.RawMessage) {
	_ = s.locked(func() (effect, error) {
		for range n {
			s.store.live.note(Call{Time: s.clock.Now(), Method: "POST", Path: "/nowhere", Body: body})
		}
		return effectLive, nil
	})
}

// ReverseMembers reverses the order of the members of each private label.
func (s *Simulator) ReverseMembers() {
	_ = s.change(func(d *data) error {
		for _, l := range d.Labels {
			slices.Reverse(l.Members)
		}
		return nil
	})
}

// NewToken is a token that outlives a benchmark.
func (s *Simulator) NewToken() (string, error) {
	const text = "bench.mark.token"
	return text, s.change(func(d *data) error {
		d.Tokens[text] = &token{KeyID: d.Keys[0].ID, ExpiresAt: millis(s.clock.Now().AddDate(100, 0, 0))}
		return nil
	})
}

// PanicHalfway panics during a change, as a bug of the simulator would.
func (s *Simulator) PanicHalfway() {
	defer func() { _ = recover() }()
	_ = s.change(func(d *data) error {
		d.Labels = nil
		panic("halfway")
	})
}

// RouteBuckets is the limit that counts each route, by its name in the journal.
func (s *Simulator) RouteBuckets() map[string]string {
	names, out := []string{"none", "exchange", "console", "billing"}, map[string]string{}
	for _, r := range s.routes {
		out[r.name()] = names[r.bucket]
	}
	return out
}

// Lasting is the data that a data file keeps, without what each call changes: the last use of a key and the count of IDs.
func (s *Simulator) Lasting() string {
	return read(s, func(d *data) string {
		kept := *d
		kept.Keys, kept.Counter = nil, 0
		for _, k := range d.Keys {
			unused := *k
			unused.LastUsedAt = 0
			kept.Keys = append(kept.Keys, &unused)
		}
		text, _ := json.Marshal(kept)
		return string(text)
	})
}
