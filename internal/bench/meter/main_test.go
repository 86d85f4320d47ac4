package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/bench/usage"
)

// TestMain is also the plugin that the meter runs: with "exit N" it ends with N.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "exit" {
		code, err := strconv.Atoi(os.Args[2])
		if err != nil {
			code = 99
		}
		os.Exit(code)
	}
	os.Exit(m.Run())
}

func TestRun_ReportsThePlugin(t *testing.T) {
	t.Parallel()
	plugin, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{0, 3} {
		dir := t.TempDir()
		code, err := run(plugin, dir, []string{"exit", strconv.Itoa(want)})
		if err != nil || code != want {
			t.Errorf("exit %d: %d, %v", want, code, err)
		}
		// A coarse clock shows no CPU time for so short a process.
		took, err := usage.Read(dir)
		if err != nil || (took.Peak <= 0 && runtime.GOOS != "windows") {
			t.Errorf("exit %d: the report is %+v, %v", want, took, err)
		}
	}
	if code, err := run(plugin, "", []string{"exit", "4"}); err != nil || code != 4 {
		t.Errorf("without a directory: %d, %v", code, err)
	}
}

func TestRun_MissingPlugin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code, err := run(filepath.Join(dir, "absent"), dir, nil); err == nil || code == 0 {
		t.Errorf("a missing plugin ended with %d, %v", code, err)
	}
	if _, err := usage.Read(dir); !errors.Is(err, usage.ErrUnfinished) {
		t.Errorf("the report is not marked as unfinished: %v", err)
	}
}
