//go:build race

package provider_test

// hostileShare is the share of the operations that is tried against each row, a different one for each: with the race
// detector, all of them take minutes. Without it, all are tried.
const hostileShare = 7
