package client

import (
	"testing"
)

func TestWarning_Numbers(t *testing.T) {
	t.Parallel()
	w := Warning{ItemCode: "documents", Requested: 1e6, Remaining: 0.5, Excess: 2500000}
	if got, want := w.String(), "documents: requested 1000000, remaining 0.5, excess 2500000"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
