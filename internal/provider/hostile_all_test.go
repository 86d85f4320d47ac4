//go:build !race

package provider_test

const (
	hostileShare     = 1
	hostileMegabytes = 12
)
