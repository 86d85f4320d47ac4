package command

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
)

const unknownVersion = "dev"

// Version is the version of this binary: the linked one, if there is any.
func Version(linked string) string {
	return currentVersion(linked, debug.ReadBuildInfo)
}

// currentVersion is the version from the linker, else the version that Go wrote into the binary: the module's version
// after `go install`, or a pseudo-version after a build in a clone.
func currentVersion(linked string, readBuildInfo func() (*debug.BuildInfo, bool)) string {
	if linked != "" {
		return linked
	}
	if info, ok := readBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return unknownVersion
}

// PrintVersion prints one line, for users and bug reports.
func PrintVersion(w io.Writer, version string) {
	fmt.Fprintf(w, "terraform-provider-reseller %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
