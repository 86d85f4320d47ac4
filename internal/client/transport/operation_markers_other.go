//go:build !unix

package transport

// removesOpenFiles: a file must be closed, and so unlocked, before it is removed.
const removesOpenFiles = false

// syncDir does nothing: the journal of the file system covers new files.
func syncDir(string) error { return nil }
