// Package clients has the files of a configuration with a YAML file for each client, as `export -style clients` writes it.
package clients

import "embed"

// Files are main.tf and the module.
//
//go:embed main.tf modules/portal
var Files embed.FS
