// Package clients has the files of a configuration with a YAML file for each client, as `export -style clients` writes it.
package clients

import "embed"

// Files are main.tf, that for a module block for each client, and the modules.
//
//go:embed main.tf blocks modules/portal
var Files embed.FS
