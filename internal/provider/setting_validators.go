package provider

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// serviceURL accepts https for any host, and http for localhost and loopback addresses only, because a token must not
// be sent unencrypted over a network.
type serviceURL struct{}

func (serviceURL) Description(context.Context) string {
	return "an https address, or http for localhost and loopback addresses"
}

func (v serviceURL) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (serviceURL) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if err := checkServiceURL(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.Append(diagnostic.InvalidValue(req.Path, "", err.Error()))
	}
}

func checkServiceURL(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return errors.New("write a URL such as https://api.example")
	case u.User != nil:
		return errors.New("remove the user name and password from the URL; the API key authenticates")
	case u.Hostname() == "" || strings.ContainsAny(s, " \t\r\n"):
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
func sameURL(a, b string) bool { return canonicalURL(a) == canonicalURL(b) }

func canonicalURL(s string) string {
	u, err := url.Parse(strings.TrimRight(s, "/"))
	if err != nil {
		return s
	}
	defaultPort := map[string]string{"https": ":443", "http": ":80"}[u.Scheme]
	return u.Scheme + "://" + strings.TrimSuffix(strings.ToLower(u.Host), defaultPort) + u.EscapedPath()
}

// secretForm replaces the stock validator, which would show the value: a mistyped key is still a secret.
type secretForm struct {
	pattern *regexp.Regexp
	hint    string
}

func (v secretForm) Description(context.Context) string { return v.hint }

func (v secretForm) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v secretForm) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if err := v.Check(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.Append(diagnostic.InvalidValue(req.Path, "", err.Error()+". The value is not shown, because it may be secret"))
	}
}

func (v secretForm) Check(s string) error {
	if !v.pattern.MatchString(s) {
		return errors.New(v.hint)
	}
	return nil
}

// The secrets among the settings. The form of an API key is that of §2.9: a fixed prefix, `live_`, the 32-character key
// ID, `_` and the secret.
var (
	apiKeyForm = secretForm{
		regexp.MustCompile(`^\S*live_([0-9A-Za-z]{32})_\S+$`),
		"an API key has a prefix, live_, the 32-character key ID, _ and the secret. Copy the whole API key from the reseller console (API, Keys)",
	}
	accessTokenForm = secretForm{regexp.MustCompile(`^\S+$`), "an access token contains no white space"}
	signingKeyForm  = secretForm{regexp.MustCompile(`^\S+$`), "a user API key contains no white space. Copy it from the user's profile page"}
)

// duration accepts what time.ParseDuration accepts, except for negative values.
type duration struct {
	positive bool
}

func (v duration) Description(context.Context) string { return "a duration such as 90s, 15m or 1h" }

func (v duration) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v duration) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if err := v.Check(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.Append(diagnostic.InvalidValue(req.Path, "", err.Error()))
	}
}

func (v duration) Check(s string) error {
	d, err := time.ParseDuration(s)
	switch {
	case err != nil:
		return fmt.Errorf("%q is not a duration. Write one such as 90s, 15m or 1h", s)
	case d < 0:
		return fmt.Errorf("%q is negative. Write a duration such as 90s", s)
	case d == 0 && v.positive:
		return fmt.Errorf("%q gives API calls no time. Write a duration such as 60s", s)
	}
	return nil
}
