package fwtype

import (
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

type (
	HostName = TextValue[HostKind]
	Email    = TextValue[EmailKind]
	Color    = TextValue[ColorKind]
	WebURL   = TextValue[URLKind]
	ItemCode = TextValue[CodeKind]
	Currency = TextValue[CurrencyKind]
)

// HostKind is a plain host name (§2.1), compared without case as DNS does.
type HostKind struct{}

const maxHost = 253 // characters (RFC 1035)

var hostLabel = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)

func (HostKind) Normal(s string) string {
	return client.FoldHost(s)
}

func (HostKind) Check(s string) error {
	switch {
	case s == "":
		return errors.New("set a host name, such as sign.acme.example")
	case strings.Contains(s, "://") || strings.ContainsAny(s, "/?#:"):
		return errors.New("write the bare host name, without scheme, port or path, such as sign.acme.example")
	case strings.Contains(s, "@"):
		return errors.New("this looks like an email address. Write a host name, such as sign.acme.example")
	case strings.HasSuffix(s, "."):
		return errors.New("remove the dot at the end")
	case len(s) > maxHost:
		return fmt.Errorf("a host name has at most %d characters, this one has %d", maxHost, len(s))
	case net.ParseIP(s) != nil:
		return errors.New("this is an IP address. Write a host name, such as sign.acme.example")
	case !strings.Contains(s, "."):
		return errors.New("a host name contains a dot, such as sign.acme.example")
	}
	for label := range strings.SplitSeq(s, ".") {
		if !hostLabel.MatchString(label) {
			return fmt.Errorf("the part %q is not allowed in a host name. "+
				"Each part has 1 to 63 letters, digits and inner hyphens. Write an international name in its xn-- form", label)
		}
	}
	return nil
}

// LooksLikeHost reports whether a text may be the host name of a private label in an import. The API decides which host
// names exist, so this only rejects what cannot be one.
func LooksLikeHost(s string) bool {
	return strings.Contains(s, ".") && !strings.ContainsAny(s, "/:@ \t\r\n")
}

// EmailKind is one plain email address (§4.4, §4.9), compared as client.FoldEmail does.
type EmailKind struct{}

func (EmailKind) Normal(s string) string {
	return client.FoldEmail(s)
}

// Check accepts everything that may be one address: which ones exist is for the API to say.
func (EmailKind) Check(s string) error {
	const plain = "write one plain email address, such as ada@acme.example"
	if hidden := invisible(s); hidden != "" {
		return fmt.Errorf("%s. It has the character %s, which is invisible or a space", plain, hidden)
	}
	addr, err := mail.ParseAddress(s)
	if err != nil || addr.Name != "" || addr.Address != s && addr.String() != "<"+s+">" {
		return errors.New(plain)
	}
	return nil
}

// invisible returns the code point of the first control, format or space character of an address, "" for none. A plain
// space may stand within quotes.
func invisible(address string) string {
	quoted := strings.HasPrefix(address, `"`) && strings.Contains(address, `"@`)
	for _, r := range address {
		if r == ' ' && quoted {
			continue
		}
		if unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Z) {
			return fmt.Sprintf("%U", r)
		}
	}
	return ""
}

// ColorKind is #rgb or #rrggbb; "#0A0" equals "#00aa00" (§2.1).
type ColorKind struct{}

var hexColor = regexp.MustCompile(`^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$`)

func (ColorKind) Normal(s string) string {
	s = strings.ToLower(s)
	if len(s) == 4 {
		return string([]byte{s[0], s[1], s[1], s[2], s[2], s[3], s[3]})
	}
	return s
}

func (ColorKind) Check(s string) error {
	return Matching(hexColor, `write a color as "#rgb" or "#rrggbb" in hex digits, such as "#0a4"`)(s)
}

// URLKind is a full http or https URL (§4.9).
type URLKind struct{}

func (URLKind) Normal(s string) string {
	return s
}

func (URLKind) Check(s string) error {
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || strings.ContainsAny(s, " \t\r\n") {
		return errors.New("write a full http or https URL, such as https://acme.example/help")
	}
	return nil
}

// CodeKind is the code of a package or an add-on, stored in uppercase (§2.1).
type CodeKind struct{}

// maxCode and MaxItemName are limits of the provider: the API documentation gives none, and what is created is permanent.
const (
	maxCode     = 64
	MaxItemName = 255
)

func (CodeKind) Normal(s string) string {
	return strings.ToUpper(s)
}

func (CodeKind) Check(s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return errors.New("a code must not be blank. Write one such as GOLD")
	case strings.TrimSpace(s) != s || strings.ContainsAny(s, "\t\r\n"):
		return errors.New("remove the white space around the code")
	case utf8.RuneCountInString(s) > maxCode:
		return fmt.Errorf("a code has at most %d characters, this one has %d", maxCode, utf8.RuneCountInString(s))
	}
	return nil
}

// CurrencyKind is a three-letter ISO 4217 code (§2.1). The codes in use change over the years, so the API decides.
type CurrencyKind struct{}

var threeLetters = regexp.MustCompile(`^[A-Za-z]{3}$`)

func (CurrencyKind) Normal(s string) string {
	return strings.ToUpper(s)
}

func (CurrencyKind) Check(s string) error {
	return Matching(threeLetters, "write the three letters of ISO 4217, such as EUR")(s)
}
