package sandbox

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestFile(t *testing.T) {
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
		"no data directory":          {"", "", ".terraform/reseller-sandbox.json"},
		"named by the environment":   {"", "staging", ".terraform/reseller-sandbox.staging.json"},
		"default by the environment": {selected, "default", selected + "/reseller-sandbox.json"},
		"data directory":             {filepath.Join(dir, "none"), "", dir + "/none/reseller-sandbox.json"},
		"selected":                   {selected, "", selected + "/reseller-sandbox.staging.json"},
		"environment over selected":  {selected, "live", selected + "/reseller-sandbox.live.json"},
		"line break":                 {spaced, "", spaced + "/reseller-sandbox.staging.json"},
		"empty file":                 {empty, "", empty + "/reseller-sandbox.json"},
		"unreadable file":            {folder, "", folder + "/reseller-sandbox.json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := File(func(key string) string {
				return map[string]string{"TF_DATA_DIR": tc.dataDir, "TF_WORKSPACE": tc.workspace}[key]
			})
			if filepath.ToSlash(got) != filepath.ToSlash(tc.want) {
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
		"staging", "a.b", ".", "..", "...", "a/b", "a_b", "a b", "../../etc/passwd", `..\..`, "a%2Fb", "%", "a:b", "$a", "a~b", "ä", "日本", "\x00", "a\nb", "\x1b[31m", "\xff",
		long, long + "a", long + "b", strings.Repeat("ä", 500), strings.Repeat("/", 4000), "Default", "-", "con", "a/b~" + strings.Repeat("0", 16),
	}
	safe := regexp.MustCompile(`^reseller-sandbox\.[A-Za-z0-9._~-]+\.json$`)
	for _, goos := range []string{"linux", "darwin", "windows"} {
		seen := map[string]string{}
		for _, workspace := range append(names, "default") {
			name := nameFor(workspace, goos)
			key := name
			if goos != "linux" {
				key = strings.ToLower(name)
			}
			if other, has := seen[key]; has {
				t.Errorf("%s: %q and %q are both %s", goos, workspace, other, name)
			}
			seen[key] = workspace
			if workspace != "default" && (!safe.MatchString(name) || len(name) > 130 || filepath.Base(name) != name) {
				t.Errorf("%s: %q is in %s", goos, workspace, name)
			}
		}
		if name := nameFor("default", goos); name != "reseller-sandbox.json" {
			t.Errorf("the default workspace is in %s", name)
		}
		if one, other := nameFor("Prod", goos), nameFor("prod", goos); goos == "linux" && one != "reseller-sandbox.Prod.json" || goos != "linux" && strings.EqualFold(one, other) {
			t.Errorf("%s: Prod is in %s, prod in %s", goos, one, other)
		}
	}
}
