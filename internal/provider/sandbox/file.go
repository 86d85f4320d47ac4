// Package sandbox decides where a sandbox keeps its data: in a file of the workspace, or in a directory that belongs to
// one CLI command.
package sandbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

const (
	dataDir          = ".terraform" // unless TF_DATA_DIR names another
	fileName         = "reseller-sandbox"
	fileSuffix       = ".json"
	defaultWorkspace = "default"

	// workspaceFile is where the CLI keeps the name of the selected workspace, in its data directory.
	workspaceFile = "environment"
	// maxWorkspaceFile bounds what is read of it, in bytes.
	maxWorkspaceFile = 1 << 20
)

// File is the default data file: one for each workspace, in Terraform's data directory.
func File(getenv func(string) string) string {
	dir := getenv("TF_DATA_DIR")
	if dir == "" {
		dir = dataDir
	}
	return filepath.Join(dir, nameFor(workspace(dir, getenv), runtime.GOOS))
}

// workspace is the selected workspace, read as the CLI reads it. A file that cannot be read or is empty means the
// default workspace for both, so state and sandbox always belong to the same workspace.
func workspace(dir string, getenv func(string) string) string {
	if name := getenv("TF_WORKSPACE"); name != "" {
		return name
	}
	if name := string(bytes.TrimSpace(readWorkspaceFile(filepath.Join(dir, workspaceFile)))); name != "" {
		return name
	}
	return defaultWorkspace
}

func readWorkspaceFile(path string) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // nothing was written
	raw, err := io.ReadAll(io.LimitReader(f, maxWorkspaceFile))
	if err != nil {
		return nil
	}
	return raw
}

// plainName is a workspace whose name can be part of a file name on every system. It has no "~", which marks all others.
var plainName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)

// oddCharacter is replaced in the readable part of a file name.
var oddCharacter = regexp.MustCompile(`[^A-Za-z0-9._-]`)

const (
	readableLength = 40 // of an odd workspace name, in bytes
	digestLength   = 16 // of its hash, in hex digits
)

// nameFor returns a different file name for each workspace. A name that is not plain, or that differs from another one
// only in case on a file system without case, consists of its readable part and a hash.
func nameFor(workspace, goos string) string {
	if workspace == defaultWorkspace {
		return fileName + fileSuffix
	}
	foldsCase := goos == "darwin" || goos == "windows"
	if plainName.MatchString(workspace) && (!foldsCase || workspace == strings.ToLower(workspace)) {
		return fileName + "." + workspace + fileSuffix
	}
	readable := oddCharacter.ReplaceAllString(workspace, "_")
	sum := sha256.Sum256([]byte(workspace))
	return fileName + "." + readable[:min(len(readable), readableLength)] + "~" + hex.EncodeToString(sum[:])[:digestLength] + fileSuffix
}
