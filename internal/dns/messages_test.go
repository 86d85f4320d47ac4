package dns

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What a name server sends never ends the process, and every answer has records or a fault.
func FuzzMessages(f *testing.F) {
	f.Add([]byte("\x00\x01\x81\x80\x00\x01\x00\x01\x00\x00\x00\x00\x04sign\x04acme\x00\x00\x01\x00\x01\xc0\x0c\x00\x05\x00\x01\x00\x00\x00\x3c\x00\x02\xc0\x0c"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := &messages{}
		m.add(raw)
		m.add(raw)
		got := m.answer("sign.acme", []netip.Addr{}, errors.New("failed"))
		assert.Equal(t, got.Fault == NoAnswer, len(got.Records) == 0, "answer %+v", got)
		assert.LessOrEqual(t, len(got.Records), len(m.records))
	})
}
