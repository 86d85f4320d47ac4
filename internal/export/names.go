package export

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// maxName keeps a file name within what file systems allow.
const maxName = 100

// nameOf returns a name for Terraform, and whether no other text has it. It depends on nothing but the text, so that a
// name stays when others come and go. separator is the one character that becomes an underscore. A text with any other
// character that a name cannot have gets a hash.
func nameOf(text string, separator rune) (name string, exact bool) {
	text = strings.ToLower(text)
	exact = text != "" && len(text) <= maxName && !strings.HasPrefix(text, string(separator))
	name = strings.Map(func(r rune) rune {
		switch {
		case r == separator:
			return '_'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-':
			return r
		}
		exact = false
		return '_'
	}, text)
	if name == "" || name[0] < 'a' { // a digit or a hyphen
		name = "_" + strings.TrimLeft(name, "_")
	}
	if exact {
		return name, true
	}
	hash := sha256.Sum256([]byte(text))
	return name[:min(len(name), maxName)] + "_" + hex.EncodeToString(hash[:4]), false
}

// names gives each object of a type another name.
type names map[string]bool

// unique matters only for objects that the API says to be different and that have the same text.
func (n names) unique(name string) string {
	for i, first := 2, name; n[name]; i++ {
		name = fmt.Sprintf("%s_%d", first, i)
	}
	n[name] = true
	return name
}
