//go:build !unix

package transport

import "errors"

// faultyChild returns an error: only Unix systems can produce these faults.
func faultyChild(string) error { return errors.New("no such fault on this system") }
