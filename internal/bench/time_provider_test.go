package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestFindTimeProvider_Named(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terraform-provider-time")
	if _, err := findTimeProvider(t.Context(), path, false); err == nil {
		t.Error("a named binary that does not exist is no error")
	}
	if err := os.WriteFile(path, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	found, err := findTimeProvider(t.Context(), path, false)
	if err != nil || found.binary != path {
		t.Errorf("found %+v, %v", found, err)
	}
}

func TestFindTimeProvider_Cached(t *testing.T) { //nolint:paralleltest // sets the cache directory
	home := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, home)
	}
	found, err := findTimeProvider(t.Context(), "", false)
	if err != nil || found.binary != "" || found.missing == "" {
		t.Errorf("without a binary: %+v, %v", found, err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "terraform-provider-reseller", "bench", timeVersion)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "terraform-provider-time")
	if err := os.WriteFile(binary, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	found, err = findTimeProvider(t.Context(), "", false)
	if err != nil || found.binary != binary || found.missing != "" {
		t.Errorf("with a binary: %+v, %v", found, err)
	}
}

func TestFindTimeProvider_NotAvailable(t *testing.T) { //nolint:paralleltest // sets the environment of the go command
	home := t.TempDir()
	for name, value := range map[string]string{"XDG_CACHE_HOME": home, "GOPROXY": "off", "GOMODCACHE": t.TempDir(), "GOFLAGS": "-modcacherw"} {
		t.Setenv(name, value)
	}
	if cache, err := os.UserCacheDir(); err != nil || cache != home {
		t.Skipf("the cache directory is %s here, which the test must not write to", cache)
	}
	found, err := findTimeProvider(t.Context(), "", true)
	if err != nil || found.binary != "" || found.missing == "" {
		t.Fatalf("found %+v, %v", found, err)
	}
	if lastLine(found.missing) != found.missing {
		t.Errorf("the reason has several lines: %q", found.missing)
	}

	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := findTimeProvider(canceled, "", true); err == nil {
		t.Error("a canceled bench continues")
	}
}

func TestLastLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                              "",
		"one":                           "one",
		"go: downloading\n\ngo: 404.\n": "go: 404",
	} {
		if got := lastLine(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
