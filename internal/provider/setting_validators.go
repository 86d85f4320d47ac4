package provider

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// serviceURL allows https anywhere, and http on loopback only: a token must
// not cross a network in the clear.
type serviceURL struct{}

func (serviceURL) Description(context.Context) string {
	return "an https address, or http on loopback"
}

func (v serviceURL) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (serviceURL) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if err := checkServiceURL(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a usable service address", err.Error())
	}
}

func checkServiceURL(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return errors.New("the address cannot be read as a URL; write one such as https://api.example")
	case u.User != nil:
		return errors.New("the address carries a user name or password; leave it out, the key authenticates")
	case u.Hostname() == "" || strings.ContainsAny(s, " \t\r\n"):
		return fmt.Errorf("%q is not a full address; write one such as https://api.example", s)
	case u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("%q: leave out what follows ? or #", s)
	case u.Scheme == "https", u.Scheme == "http" && isLoopback(u.Hostname()):
		return nil
	case u.Scheme == "http":
		return fmt.Errorf("%q would send the token over a network in the clear; use https (http is for loopback only)", s)
	default:
		return fmt.Errorf("%q: use https (or http on loopback)", s)
	}
}

func isLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

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
	if err := v.check(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a usable duration", err.Error())
	}
}

func (v duration) check(s string) error {
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
