//go:build !unix

package transport

import "errors"

// faultyChild: these faults are made with what only Unix systems have.
func faultyChild(string) error { return errors.New("no such fault on this system") }
