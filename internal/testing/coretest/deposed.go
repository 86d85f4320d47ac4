package coretest

import (
	"fmt"
	"strings"
)

// A deposed object is in state under its address and a number. Nothing refers to it, and each plan destroys it.
const deposedMark = " (deposed "

func isDeposed(address string) bool { return strings.Contains(address, deposedMark) }

// addressWithout is the address of an object that may be deposed.
func addressWithout(address string) string {
	address, _, _ = strings.Cut(address, deposedMark)
	return address
}

// depose makes room for the object that is created before this one is destroyed.
func (r *coreRun) depose(address string) {
	current := r.state[address]
	if current == nil {
		return
	}
	for n := 1; r.deposes[address] == ""; n++ {
		if to := fmt.Sprintf("%s%s%d)", address, deposedMark, n); r.state[to] == nil {
			r.deposes[address] = to
		}
	}
	r.deposed++
	r.state[r.deposes[address]] = current
	delete(r.state, address)
}

// restore makes a deposed object current again if no other one was stored in its place.
func (r *coreRun) restore(address string) {
	from := r.deposes[address]
	if r.state[address] != nil || from == "" {
		return
	}
	r.state[address] = r.state[from]
	delete(r.state, from)
	delete(r.deposes, address)
}

// createdFirst are the addresses that are created before they are destroyed: those of blocks with create_before_destroy,
// and of everything that these depend on.
func (t *target) createdFirst() map[string]bool {
	out := map[string]bool{}
	var mark func(*block)
	mark = func(b *block) {
		if b == nil || out[b.address()] {
			return
		}
		out[b.address()] = true
		for _, on := range b.references() {
			mark(t.block(on))
		}
	}
	for _, b := range t.blocks {
		if b.before {
			mark(b)
		}
	}
	return out
}

// movedTo is the new address of an object that may be deposed.
func movedTo(t *target, address string) string {
	base := addressWithout(address)
	return t.movedTo(base) + strings.TrimPrefix(address, base)
}
