//go:build !unix

package privatefile

import (
	"io/fs"
)

// SafeOpen: on these systems creating a link needs rights that a user does not have, and pipes are not files.
const SafeOpen = 0

// IsOwn returns true: a user's own directories are private by inheritance.
func IsOwn(fs.FileInfo) bool {
	return true
}

// SyncDir does nothing: the journal of the file system covers new files.
func SyncDir(string) error {
	return nil
}
