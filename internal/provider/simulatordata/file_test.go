package simulatordata

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func noEnvironment(string) string { return "" }

// The first run creates the directory, which git ignores. A later one keeps what the user changed.
func TestOfWorkspace(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, content := range []string{"*\n", "*.tokens\n"} {
		file, err := OfWorkspace(noEnvironment)
		if err != nil || filepath.ToSlash(file) != ".reseller-simulator/default.json" {
			t.Fatalf("%s, %v", file, err)
		}
		ignored := filepath.Join(filepath.Dir(file), ".gitignore")
		if got, err := os.ReadFile(ignored); err != nil || string(got) != content {
			t.Errorf(".gitignore: %q, %v, want %q", got, err, content)
		}
		if info, err := os.Stat(filepath.Dir(file)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		if err := os.WriteFile(ignored, []byte("*.tokens\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, workspace := range []string{"blue", "..", "../../outside", "/tmp/outside"} {
		file, err := OfWorkspace(func(key string) string { return map[string]string{"TF_WORKSPACE": workspace}[key] })
		if err != nil || filepath.Dir(file) != directory {
			t.Errorf("%s: %s, %v", workspace, file, err)
		}
	}
}

// A file in the directory's place is an error, and a link in the .gitignore's place is not followed.
func TestOfWorkspace_NotUsable(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile(directory, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if file, err := OfWorkspace(noEnvironment); err == nil || !strings.Contains(err.Error(), directory) {
		t.Errorf("%s, %v", file, err)
	}
	if err := errors.Join(os.Remove(directory), os.Mkdir(directory, 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../elsewhere", filepath.Join(directory, ".gitignore")); err != nil {
		t.Skip(err)
	}
	if _, err := OfWorkspace(noEnvironment); err != nil || exists("elsewhere") {
		t.Errorf("the link was followed: %v", err)
	}
}

func TestWorkspace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(at, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, "environment"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return at
	}
	selected, spaced, empty, folder := write("selected", "staging"), write("spaced", " staging\n"), write("empty", "\n"), filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "environment"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct{ dataDir, workspace, want string }{
		"no data directory":          {"", "", "default"},
		"named by the environment":   {"", "staging", "staging"},
		"default by the environment": {selected, "default", "default"},
		"data directory":             {filepath.Join(dir, "none"), "", "default"},
		"selected":                   {selected, "", "staging"},
		"environment over selected":  {selected, "live", "live"},
		"line break":                 {spaced, "", "staging"},
		"empty file":                 {empty, "", "default"},
		"unreadable file":            {folder, "", "default"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := workspace(func(key string) string {
				return map[string]string{"TF_DATA_DIR": tc.dataDir, "TF_WORKSPACE": tc.workspace}[key]
			})
			if got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

// Every workspace has its own name that is a file name on every system.
func TestNameFor_OddWorkspaces(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 100)
	names := []string{
		"default", "staging", "a.b", ".", "..", "...", ".gitignore", "a/b", "a_b", "a b", "../../etc/passwd", `..\..`, "a%2Fb", "%", "a:b", "$a", "a~b", "ä", "日本", "\x00", "a\nb", "\x1b[31m", "\xff",
		long, long + "a", long + "b", strings.Repeat("ä", 500), strings.Repeat("/", 4000), "Default", "-", "con", "con.x", "CON", "lpt1", "console", "a/b~" + strings.Repeat("0", 16),
	}
	safe := regexp.MustCompile(`^[A-Za-z0-9._~-]+\.json$`)
	for _, goos := range []string{"linux", "darwin", "windows"} {
		seen := map[string]string{}
		for _, workspace := range names {
			name := nameFor(workspace, goos)
			key := name
			if goos != "linux" {
				key = strings.ToLower(name)
			}
			if other, has := seen[key]; has {
				t.Errorf("%s: %q and %q are both %s", goos, workspace, other, name)
			}
			seen[key] = workspace
			if !safe.MatchString(name) || len(name) > 110 || filepath.Base(name) != name {
				t.Errorf("%s: %q is in %s", goos, workspace, name)
			}
			if device, _, _ := strings.Cut(key, "."); goos == "windows" && slices.Contains([]string{"con", "lpt1"}, device) {
				t.Errorf("%q is in %s, which is a device", workspace, name)
			}
		}
		for _, workspace := range []string{"default", "staging", "a.b", "console", "v1.2_x-y"} {
			if name := nameFor(workspace, goos); name != workspace+".json" {
				t.Errorf("%s: %s is in %s", goos, workspace, name)
			}
		}
	}
}
