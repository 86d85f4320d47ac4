package provider

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// serviceURL accepts https for any host, and http for localhost and loopback addresses only, because a token must not
// be sent unencrypted over a network.
var serviceURL = &fwtype.StringRule{
	Check:  checkServiceURL,
	Secret: true, // it may be a pasted key
}

// trimmed returns a setting without the white space around it, such as the line break at the end of a file.
func trimmed(s string) string {
	const byteOrderMark = '\uFEFF'
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == byteOrderMark })
}

func checkServiceURL(s string) error {
	s = trimmed(s)
	u, err := url.Parse(s)
	switch {
	case strings.ContainsFunc(s, unicode.IsSpace):
		return errors.New("the URL contains white space. Write a full URL such as https://api.example")
	case err != nil:
		return errors.New("write a URL such as https://api.example")
	case u.User != nil:
		return errors.New("remove the user name and password from the URL; the API key authenticates")
	case u.Hostname() == "":
		return errors.New("write a full URL such as https://api.example") // the value is not shown: it may be a pasted key
	case u.RawQuery != "" || u.Fragment != "":
		return errors.New("remove the query and fragment (all after ? or #) from the URL")
	case u.Scheme == "https", u.Scheme == "http" && transport.IsLoopback(u.Hostname()):
		return nil
	case u.Scheme == "http":
		return fmt.Errorf("http would send the access token to %s unencrypted. Use https; http is allowed for localhost and loopback addresses only", u.Host)
	default:
		return fmt.Errorf("the URL has the scheme %s. Use https, or http on loopback addresses", u.Scheme)
	}
}

// sameURL reports whether two service URLs have the same address.
func sameURL(a, b string) bool {
	return canonicalURL(a) == canonicalURL(b)
}

func canonicalURL(s string) string {
	u, err := url.Parse(strings.TrimRight(s, "/"))
	if err != nil {
		return s
	}
	defaultPort := map[string]string{"https": ":443", "http": ":80"}[u.Scheme]
	return u.Scheme + "://" + strings.TrimSuffix(strings.ToLower(u.Host), defaultPort) + u.EscapedPath()
}

// apiKeyForm is that of §2.9: a fixed prefix, `live_`, the 32-character key ID, `_` and the secret.
var apiKeyForm = regexp.MustCompile(`^\S*live_([0-9A-Za-z]{32})_\S+$`)

// The secrets among the settings.
var (
	apiKeyRule = secret(apiKeyForm,
		"write the whole API key, such as rsl_live_<key ID>_<secret>, as the reseller console showed it when it was created (API, Keys)")
	accessTokenRule = secret(regexp.MustCompile(`^\S+$`), "write the whole access token")
	signingKeyRule  = secret(regexp.MustCompile(`^\S+$`), "copy the user API key from the user's profile page")
)

func secret(form *regexp.Regexp, hint string) *fwtype.StringRule {
	const hidden = ". The value is not shown, because it may be secret"
	return &fwtype.StringRule{Secret: true, Check: func(given string) error {
		given = trimmed(given)
		switch {
		case form.MatchString(given):
			return nil
		case strings.ContainsFunc(given, unicode.IsSpace):
			return errors.New("the value contains white space. " + diagnostic.Capitalize(hint) + hidden)
		default:
			return errors.New(hint + hidden)
		}
	}}
}

var (
	waitRule    = duration(false)
	timeoutRule = duration(true)
)

// duration accepts what time.ParseDuration accepts, except for negative values.
func duration(positive bool) *fwtype.StringRule {
	return &fwtype.StringRule{Secret: true, Check: func(s string) error { // the texts show it
		d, err := time.ParseDuration(s)
		switch {
		case err != nil:
			return fmt.Errorf("%q is not a duration. Write one such as 90s, 15m or 1h", s)
		case d < 0:
			return fmt.Errorf("%q is negative. Write a duration such as 90s", s)
		case d == 0 && positive:
			return fmt.Errorf("%q gives API calls no time. Write a duration such as 60s", s)
		}
		return nil
	}}
}
