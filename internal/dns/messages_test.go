package dns

import (
	"errors"
	"net/netip"
	"testing"
)

// What a name server sends never ends the process, and every answer has records or a fault.
func FuzzMessages(f *testing.F) {
	f.Add([]byte("\x00\x01\x81\x80\x00\x01\x00\x01\x00\x00\x00\x00\x04sign\x04acme\x00\x00\x01\x00\x01\xc0\x0c\x00\x05\x00\x01\x00\x00\x00\x3c\x00\x02\xc0\x0c"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := &messages{}
		m.add(raw)
		m.add(raw)
		got := m.answer("sign.acme", []netip.Addr{}, errors.New("failed"))
		if (len(got.Records) == 0) != (got.Fault == NoAnswer) {
			t.Errorf("answer %+v", got)
		}
		if len(got.Records) > len(m.records) {
			t.Errorf("%d records of %d", len(got.Records), len(m.records))
		}
	})
}
