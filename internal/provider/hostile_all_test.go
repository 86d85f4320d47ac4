//go:build !race

package provider_test

const hostileMegabytes = 12
