package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
)

// version is set by the linker: -X main.version=1.2.3.
var version string

const unknownVersion = "dev"

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

// printVersion prints one line, for users and bug reports.
func printVersion(w io.Writer, own string) {
	fmt.Fprintf(w, "terraform-provider-reseller %s (%s, %s/%s)\n", own, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
