//go:build race

package provider_test

// hostileShare of the operations is tried against each row, another one against
// each: the race detector makes all of them take minutes. Without it all are
// tried.
const hostileShare = 5
