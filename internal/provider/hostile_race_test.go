//go:build race

package provider_test

// With the race detector, a megabyte of JSON takes half a second.
const hostileMegabytes = 3
