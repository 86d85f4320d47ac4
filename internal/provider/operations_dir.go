package provider

import (
	"cmp"
	"os"
	"path/filepath"
)

const (
	cacheDirName      = "terraform-provider-reseller"
	operationsDirName = "operations"
	terraformDataDir  = ".terraform" // unless TF_DATA_DIR names another
)

// operationsDirs are the directories that may contain operation markers, in order of preference. A configured directory
// is the only one. cacheDir is the provider's cache directory, "" for none.
func operationsDirs(set settings, cacheDir string, getenv func(string) string) []string {
	dirs := []string{filepath.Join(cmp.Or(getenv("TF_DATA_DIR"), terraformDataDir), operationsDirName)}
	switch {
	case set.operationsDir != "":
		dirs = []string{set.operationsDir}
	case cacheDir != "":
		dirs = []string{filepath.Join(cacheDir, operationsDirName), dirs[0]}
	}
	for i, dir := range dirs {
		if abs, err := filepath.Abs(dir); err == nil {
			dirs[i] = abs
		}
	}
	return dirs
}

// cacheDir is the provider's cache directory, independent of token_cache; "" in an environment without one.
func cacheDir(set settings) string {
	if set.tokenCacheDir != "" {
		return set.tokenCacheDir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, cacheDirName)
}
