package simulator

import (
	"encoding/json"
)

// Copy returns a separate simulator in memory with the same data: tests create a state once and change it in many ways.
// Its meters and journal are empty.
func (s *Simulator) Copy(clock *Clock) (*Simulator, error) {
	var copiedData *data
	err := s.look(func(d *data) (err error) {
		copiedData, err = d.clone()
		return err
	})
	if err != nil {
		return nil, err
	}
	opts := s.opts
	opts.File = ""
	opts.Clock = clock
	out, err := New(opts)
	if err != nil {
		return nil, err
	}
	return out, out.change(func(*data) error {
		out.store.data = copiedData
		return nil
	})
}

func (d *data) clone() (*data, error) {
	raw, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	out := &data{}
	if err := json.Unmarshal(raw, out); err != nil {
		return nil, err
	}
	out.complete()
	return out, nil
}
