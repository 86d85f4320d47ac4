//go:build race

package provider_test

// With the race detector, all operations take minutes, and a megabyte of JSON half a second.
const (
	hostileShare     = 7 // one operation of seven is tried against each row, another one each time
	hostileMegabytes = 3
)
