//go:build !unix

package client

import "io/fs"

// Windows has neither these flags nor an owner in a file's information: the
// user's own directories are private there by inheritance.
const openCarefully = 0

// removesOpenFiles: the file that holds the lock has to be closed first.
const removesOpenFiles = false

func ownedByUser(fs.FileInfo) bool { return true }

// syncDir has nothing to do: the file system's own log keeps what was created.
func syncDir(string) error { return nil }
