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

// currentVersion is what the linker was told; else what Go wrote into the
// binary, which is the module's version after a `go install` of one and a
// pseudo-version after a build in a clone.
func currentVersion(linked string, readBuildInfo func() (*debug.BuildInfo, bool)) string {
	if linked != "" {
		return linked
	}
	if info, ok := readBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return unknownVersion
}

// printVersion prints one line, for people and bug reports.
func printVersion(w io.Writer, own string) {
	fmt.Fprintf(w, "terraform-provider-reseller %s (%s, %s/%s)\n", own, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
