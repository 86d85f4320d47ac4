package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	require.NoError(t, err)
	for _, want := range []int{0, 3} {
		dir := t.TempDir()
		code, err := runMetered(plugin, dir, []string{"exit", strconv.Itoa(want)})
		require.NoError(t, err, "exit %d: %d", want, code)
		assert.Equal(t, want, code, "exit")
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
	code, err := runMetered(filepath.Join(dir, "absent"), dir, nil)
	require.Error(t, err, "a missing plugin ended with %d", code)
	assert.NotEqual(t, 0, code, "a missing plugin ended with %d, %v", code, err)
	_, err = readUsage(dir)
	assert.ErrorIs(t, err, errUnfinished, "the report is not marked as unfinished")
}

func TestReadUsage_AddsUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, report := range map[string]string{"7": `{"cpu":100,"peak":30}`, "8": `{"cpu":50,"peak":90}`} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".json"), []byte(report), 0o600))
	}
	got, err := readUsage(dir)
	require.NoError(t, err, "got %+v", got)
	assert.Equal(t, usage{CPU: 150, Peak: 90}, got)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "8.json"), []byte("torn{"), 0o600))
	got, err = readUsage(dir)
	assert.Error(t, err, "a report that is no JSON gave %+v", got)
}
