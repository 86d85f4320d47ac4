// Package simulatordata decides where the simulator keeps its data: in a file of the workspace, or in a directory that
// belongs to one CLI command.
package simulatordata

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

const (
	directory        = ".reseller-simulator" // in the working directory
	fileSuffix       = ".json"
	defaultWorkspace = "default"

	// terraformDir is the data directory of the CLI, unless TF_DATA_DIR names another.
	terraformDir = ".terraform"
	// workspaceFile is where the CLI keeps the name of the selected workspace, in its data directory.
	workspaceFile = "environment"
)

// OfWorkspace returns the default data file: one for each workspace, in a directory of the working directory. It creates
// the directory, with a .gitignore, so that nothing in it is committed.
func OfWorkspace(getenv func(string) string) (string, error) {
	if err := makeIgnored(directory); err != nil {
		return "", fmt.Errorf("the simulator's data cannot be stored in the working directory: %w. Set path in simulator to a file elsewhere", err)
	}
	return filepath.Join(directory, nameFor(workspace(getenv), runtime.GOOS)), nil
}

// makeIgnored creates a directory that git ignores. It does not change a .gitignore that exists.
func makeIgnored(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("*\n")
	return errors.Join(err, f.Close())
}

// workspace is the selected workspace, read as the CLI reads it. A file that cannot be read or is empty means the
// default workspace for both, so that state and data file always belong to the same workspace.
func workspace(getenv func(string) string) string {
	selected, _ := os.ReadFile(filepath.Join(cmp.Or(getenv("TF_DATA_DIR"), terraformDir), workspaceFile))
	return cmp.Or(getenv("TF_WORKSPACE"), string(bytes.TrimSpace(selected)), defaultWorkspace)
}

// plainName is a workspace whose name can be part of a file name on every system. It has no "~", which marks all others.
var plainName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)

// deviceName is a file name that means a device on Windows, with any suffix.
var deviceName = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)

// nameFor returns a different file name for each workspace. A name that is not plain, that means a device, or that differs
// from another one only in case on a file system without case, is a hash.
func nameFor(workspace, goos string) string {
	foldsCase := goos == "darwin" || goos == "windows"
	isOdd := !plainName.MatchString(workspace) ||
		foldsCase && workspace != strings.ToLower(workspace) ||
		goos == "windows" && deviceName.MatchString(workspace)
	if !isOdd {
		return workspace + fileSuffix
	}
	sum := sha256.Sum256([]byte(workspace))
	return "~" + hex.EncodeToString(sum[:8]) + fileSuffix
}
