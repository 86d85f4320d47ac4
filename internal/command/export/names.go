package export

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxName keeps a file name within what file systems allow.
const maxName = 100

// Separators that become an underscore without loss: the names of their texts differ whenever the texts do.
const (
	hostSeparator = '.'
	codeSeparator = '_'
)

// names gives each text of a type its own name for Terraform. A name depends on its text alone, unless a text that differs
// from it in nothing but separators is there too: then only the one with the usual separator keeps it, and the others get a
// hash. So a name stays when others come and go.
type names map[string]int

// among counts the names of all texts of the reseller, also of those that are not exported.
func among(texts []string) names {
	n := names{}
	seen := map[string]bool{}
	for _, text := range texts {
		text = strings.ToLower(text)
		if name, _ := plainName(text); !seen[text] {
			seen[text] = true
			n[name]++
		}
	}
	return n
}

// identifierFor returns the name of a text, and whether it has no hash.
func (n names) identifierFor(text string, separator rune) (name string, plain bool) {
	text = strings.ToLower(text)
	name, plain = plainName(text)
	usual := !strings.ContainsFunc(text, func(r rune) bool { return r != separator && !isLetterOrDigit(r) })
	if plain && (n[name] < 2 || usual) {
		return name, true
	}
	hash := sha256.Sum256([]byte(text))
	return name[:min(len(name), maxName)] + "_" + hex.EncodeToString(hash[:4]), false
}

// plainName has letters, digits and underscores. It is not plain if the text has a character besides these and the
// separators of host names and codes.
func plainName(text string) (name string, plain bool) {
	plain = text != "" && len(text) <= maxName && isLetterOrDigit(rune(text[0]))
	name = strings.Map(func(r rune) rune {
		switch {
		case isLetterOrDigit(r):
			return r
		case !strings.ContainsRune("._-", r):
			plain = false
		}
		return '_'
	}, text)
	if name == "" || name[0] < 'a' { // a digit, or an underscore
		name = "_" + strings.TrimLeft(name, "_")
	}
	return name, plain
}

func isLetterOrDigit(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
}
