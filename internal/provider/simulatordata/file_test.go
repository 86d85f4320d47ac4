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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func noEnvironment(string) string { return "" }

// The first run creates the directory, which git ignores. A later one keeps what the user changed.
func TestOfWorkspace(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, content := range []string{"*\n", "*.tokens\n"} {
		file, err := OfWorkspace(noEnvironment)
		require.NoError(t, err, file)
		require.Equal(t, ".reseller-simulator/default.json", filepath.ToSlash(file), file)
		ignored := filepath.Join(filepath.Dir(file), ".gitignore")
		got, err := os.ReadFile(ignored)
		require.NoError(t, err, "gitignore: %q, want %q", got, content)
		assert.Equal(t, content, string(got), "gitignore")
		if info, err := os.Stat(filepath.Dir(file)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		require.NoError(t, os.WriteFile(ignored, []byte("*.tokens\n"), 0o600))
	}
	for _, workspace := range []string{"blue", "..", "../../outside", "/tmp/outside"} {
		file, err := OfWorkspace(func(key string) string { return map[string]string{"TF_WORKSPACE": workspace}[key] })
		require.NoError(t, err, "%s: %s", workspace, file)
		assert.Equal(t, directory, filepath.Dir(file), "%s: %s", workspace, file)
	}
}

// A file in the directory's place is an error, and a link in the .gitignore's place is not followed.
func TestOfWorkspace_NotUsable(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile(directory, nil, 0o600))
	file, err := OfWorkspace(noEnvironment)
	assert.ErrorContains(t, err, directory, file)
	require.NoError(t, errors.Join(os.Remove(directory), os.Mkdir(directory, 0o700)))
	if err := os.Symlink("../elsewhere", filepath.Join(directory, ".gitignore")); err != nil {
		t.Skip(err)
	}
	_, err = OfWorkspace(noEnvironment)
	require.NoError(t, err, "the link was followed")
	assert.False(t, exists("elsewhere"), "the link was followed: %v", err)
}

func TestWorkspace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		at := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(at, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(at, "environment"), []byte(text), 0o600))
		return at
	}
	selected, spaced, empty, folder := write("selected", "staging"), write("spaced", " staging\n"), write("empty", "\n"), filepath.Join(dir, "folder")
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "environment"), 0o700))
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
			assert.Equal(t, tc.want, got)
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
			other, taken := seen[key]
			assert.False(t, taken, "%s: %q and %q are both %s", goos, workspace, other, name)
			seen[key] = workspace
			assert.True(t, safe.MatchString(name), "%s: %q is in %s", goos, workspace, name)
			assert.LessOrEqual(t, len(name), 110, "%s: %q is in %s", goos, workspace, name)
			assert.Equal(t, name, filepath.Base(name), "%s: %q is", goos, workspace)
			if device, _, _ := strings.Cut(key, "."); goos == "windows" && slices.Contains([]string{"con", "lpt1"}, device) {
				t.Errorf("%q is in %s, which is a device", workspace, name)
			}
		}
		for _, workspace := range []string{"default", "staging", "a.b", "console", "v1.2_x-y"} {
			assert.Equal(t, workspace+".json", nameFor(workspace, goos), "%s: %s is", goos, workspace)
		}
	}
}
