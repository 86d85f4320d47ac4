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

// operationsDir is the directory of operation markers, if none is configured below the provider's cache directory. In
// an environment without one (cacheDir is ""), it is below Terraform's data directory.
func operationsDir(set settings, cacheDir string, getenv func(string) string) string {
	switch {
	case set.operationsDir != "":
		return absolute(set.operationsDir)
	case cacheDir != "":
		return absolute(filepath.Join(cacheDir, operationsDirName))
	default:
		return absolute(filepath.Join(cmp.Or(getenv("TF_DATA_DIR"), terraformDataDir), operationsDirName))
	}
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
