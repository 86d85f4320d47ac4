package provider

import (
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
	if set.operationsDir != "" {
		return []string{absolute(set.operationsDir)}
	}
	dataDir := getenv("TF_DATA_DIR")
	if dataDir == "" {
		dataDir = terraformDataDir
	}
	dirs := []string{absolute(filepath.Join(dataDir, operationsDirName))}
	if cacheDir != "" {
		dirs = append([]string{absolute(filepath.Join(cacheDir, operationsDirName))}, dirs...)
	}
	return dirs
}

// absolute returns the path unchanged if it has no absolute form.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
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
