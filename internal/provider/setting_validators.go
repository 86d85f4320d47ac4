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

// serviceURL allows https anywhere, and http for localhost and loopback addresses
// only: a token must not cross a network in the clear.
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
		resp.Diagnostics.AddAttributeError(req.Path, "Not a usable service address", fmt.Sprintf("%s was not accepted: %s.", req.Path, err))
	}
}

func checkServiceURL(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return errors.New("it cannot be read as a URL; write one such as https://api.example")
	case u.User != nil:
		return errors.New("it carries a user name or password; leave that out, the key authenticates")
	case u.Hostname() == "" || strings.ContainsAny(s, " \t\r\n"):
		return errors.New("it is not a full address; write one such as https://api.example") // not shown: it may be a key in the wrong place
	case u.RawQuery != "" || u.Fragment != "":
		return errors.New("leave out of it what follows ? or #")
	case u.Scheme == "https", u.Scheme == "http" && transport.IsLoopback(u.Hostname()):
		return nil
	case u.Scheme == "http":
		return fmt.Errorf("it would send the token to %s in the clear; use https (http is for localhost and loopback addresses only)", u.Host)
	default:
		return fmt.Errorf("its scheme is %s; use https (or http on loopback)", u.Scheme)
	}
}

// secretForm is a rule of its own since the stock one would show the value: a
// key that is mistyped is a secret still.
type secretForm struct {
	name    string
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
		resp.Diagnostics.AddAttributeError(req.Path, "Not a usable "+v.name, diagnostic.Capitalize(err.Error())+". What was given is not shown, since it may be secret.")
	}
}

func (v secretForm) Check(s string) error {
	if !v.pattern.MatchString(s) {
		return errors.New(v.hint)
	}
	return nil
}

// The secrets among the settings. The form of an API key is that of §2.9: a fixed
// prefix, `live_`, the 32-character key id, `_` and the secret.
var (
	apiKeyForm = secretForm{
		"API key", regexp.MustCompile(`^\S*live_([0-9A-Za-z]{32})_\S+$`),
		"an API key is a prefix, `live_`, the 32-character key id, `_` and the secret; copy it whole from the reseller console (API, Keys)",
	}
	accessTokenForm = secretForm{"access token", regexp.MustCompile(`^\S+$`), "an access token has no blanks or line breaks in it"}
	signingKeyForm  = secretForm{"key of the Signing API", regexp.MustCompile(`^\S+$`), "the API key of a signing user has no blanks or line breaks in it; copy it from the user's profile page"}
)

// duration allows what time.ParseDuration reads, not negative.
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
		resp.Diagnostics.AddAttributeError(req.Path, "Not a usable duration", err.Error())
	}
}

func (v duration) Check(s string) error {
	d, err := time.ParseDuration(s)
	switch {
	case err != nil:
		return fmt.Errorf("%q cannot be read as a duration; write one such as 90s, 15m or 1h", s)
	case d < 0:
		return fmt.Errorf("%q is negative", s)
	case d == 0 && v.positive:
		return fmt.Errorf("%q would give every call no time at all; write one such as 60s", s)
	}
	return nil
}
