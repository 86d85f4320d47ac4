package simulator

import (
	"encoding/json"
)

// Copy returns a separate simulator in memory with the same data: tests create a state once and change it in many ways.
// Its meters and journal are empty.
func (s *Simulator) Copy(clock *Clock) (*Simulator, error) {
	var raw []byte
	err := s.look(func(d *data) (err error) {
		raw, err = json.Marshal(d)
		return err
	})
	if err != nil {
		return nil, err
	}
	copied := &data{}
	if err := json.Unmarshal(raw, copied); err != nil {
		return nil, err
	}
	copied.complete()
	opts := s.opts
	opts.File, opts.Clock = "", clock
	out, err := New(opts)
	if err != nil {
		return nil, err
	}
	return out, out.change(func(*data) error {
		out.store.data = copied
		return nil
	})
}
