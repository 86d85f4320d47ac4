package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
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

func TestRunMetered_ReportsThePlugin(t *testing.T) {
	t.Parallel()
	plugin, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{0, 3} {
		dir := t.TempDir()
		code, err := runMetered(plugin, dir, []string{"exit", strconv.Itoa(want)})
		if err != nil || code != want {
			t.Errorf("exit %d: %d, %v", want, code, err)
		}
		// A coarse clock shows no CPU time for so short a process.
		took, err := readUsage(dir)
		if err != nil || (took.Peak <= 0 && runtime.GOOS != "windows") {
			t.Errorf("exit %d: the report is %+v, %v", want, took, err)
		}
	}
}

func TestRunMetered_MissingPlugin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code, err := runMetered(filepath.Join(dir, "absent"), dir, nil); err == nil || code == 0 {
		t.Errorf("a missing plugin ended with %d, %v", code, err)
	}
	if _, err := readUsage(dir); !errors.Is(err, errUnfinished) {
		t.Errorf("the report is not marked as unfinished: %v", err)
	}
}

func TestReadUsage_AddsUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, report := range map[string]string{"7": `{"cpu":100,"peak":30}`, "8": `{"cpu":50,"peak":90}`} {
		if err := os.WriteFile(filepath.Join(dir, name+".json"), []byte(report), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := readUsage(dir); err != nil || got != (usage{CPU: 150, Peak: 90}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "8.json"), []byte("torn{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := readUsage(dir); err == nil {
		t.Errorf("a report that is no JSON gave %+v", got)
	}
}
