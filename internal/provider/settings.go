package provider

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// settings are the values of the provider block and the environment.
type settings struct {
	api                client.Config
	sign               signing.Config
	light              bool
	tokenCache         string
	tokenCacheDir      string // "" is the default of cacheDir
	operationsDir      string // "" is the default of operationsDirs
	cacheDir           string // of the provider; "" is none
	simulator          bool
	simulatorPath      string // "" is the default of the workspace, or ephemeral
	simulatorEphemeral bool
	simulatorLike      string     // transcript; "" keeps the forms of the data
	unknown            path.Paths // set in the block, and unknown
	signingUnknown     path.Paths // the same for the Signing API, which blocks only its own resources
}

// setting is one row of the table of settings: its attribute and environment variable, its default, the rule for a value
// of the environment, and where a valid value is kept.
type setting struct {
	at       path.Path
	env      string
	fallback string
	check    func(string) error
	keep     func(string)
}

func oneOf(allowed []string) func(string) error {
	return func(s string) error {
		if !slices.Contains(allowed, s) {
			return fmt.Errorf("%q is not one of %q", s, allowed)
		}
		return nil
	}
}

func checkRetries(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > maxMaxRetries {
		return fmt.Errorf("%q is not a number from 0 to %d", s, maxMaxRetries)
	}
	return nil
}

// settingsTable lists every setting. The block takes precedence over the environment, and the environment over the
// default.
func settingsTable(s *settings) []setting {
	root := path.Root
	sign := path.Root("signing")
	return []setting{
		{root("base_url"), "RESELLER_BASE_URL", "", checkServiceURL, into(&s.api.BaseURL)},
		{root("upload_url"), "RESELLER_UPLOAD_URL", "", checkServiceURL, into(&s.api.UploadURL)},
		{root("api_key"), "RESELLER_API_KEY", "", apiKeyRule.Check, into(&s.api.APIKey)},
		{root("access_token"), "RESELLER_ACCESS_TOKEN", "", accessTokenRule.Check, into(&s.api.AccessToken)},
		{root("slug"), "RESELLER_SLUG", "", fwtype.HostKind{}.Check, into(&s.api.Slug)},
		{root("refresh"), "RESELLER_REFRESH", refreshes[0], oneOf(refreshes), func(v string) { s.light = v == refreshLight }},
		{root("token_cache"), "RESELLER_TOKEN_CACHE", tokenCacheDisk, oneOf(tokenCaches), into(&s.tokenCache)},
		{root("token_cache_dir"), "RESELLER_TOKEN_CACHE_DIR", "", nil, into(&s.tokenCacheDir)},
		{root("operations_dir"), "RESELLER_OPERATIONS_DIR", "", nil, into(&s.operationsDir)},
		{root("max_wait"), "RESELLER_MAX_WAIT", defaultMaxWait, waitRule.Check, func(v string) { s.api.MaxWait, _ = time.ParseDuration(v) }},
		{
			root("max_retries"), "RESELLER_MAX_RETRIES", strconv.Itoa(defaultMaxRetries), checkRetries,
			func(v string) { s.api.MaxRetries, _ = strconv.Atoi(v) },
		},
		{
			root("request_timeout"), "RESELLER_REQUEST_TIMEOUT", defaultTimeout, timeoutRule.Check,
			func(v string) { s.api.RequestTimeout, _ = time.ParseDuration(v) },
		},
		{sign.AtName("url"), "RESELLER_SIGNING_URL", "", checkServiceURL, into(&s.sign.URL)},
		{sign.AtName("api_url"), "RESELLER_SIGNING_API_URL", "", checkServiceURL, into(&s.sign.APIURL)},
		{sign.AtName("user_api_key"), "RESELLER_SIGNING_API_KEY", "", signingKeyRule.Check, into(&s.sign.UserAPIKey)},
		{sign.AtName("family"), "", signingFamilies[0], oneOf(signingFamilies), into(&s.sign.Family)},
	}
}

// into keeps a text.
func into(to *string) func(string) {
	return func(value string) { *to = value }
}

// origin is where the value of a setting comes from.
type origin int

const (
	fromNowhere origin = iota
	fromBlock
	fromUnknown // set in the block, and unknown
	fromEnvironment
)

// tokenOrigins name where an access token is configured.
var tokenOrigins = map[origin]string{
	fromBlock:       "access_token in the provider block",
	fromEnvironment: "the environment variable RESELLER_ACCESS_TOKEN",
}

// resolver reads settings and keeps their origins for the rules between settings.
type resolver struct {
	config  tfsdk.Config
	getenv  func(string) string
	origins map[string]origin
	out     settings
	diags   diag.Diagnostics
}

// resolveSettings reads the block and the environment and checks the rules that need both. Unknown values are not
// errors: they are known at apply.
func resolveSettings(ctx context.Context, config tfsdk.Config, getenv func(string) string) (settings, diag.Diagnostics) {
	r := &resolver{config: config, getenv: getenv, origins: map[string]origin{}}
	for _, s := range settingsTable(&r.out) {
		r.resolve(ctx, s)
	}
	r.resolveSimulator(ctx)
	if !r.diags.HasError() {
		r.check()
	}
	r.out.api.TokenOrigin = tokenOrigins[r.origins["access_token"]]
	return r.out, r.diags
}

func (r *resolver) resolve(ctx context.Context, s setting) {
	value, known := r.block(ctx, s.at)
	inEnv := ""
	if s.env != "" {
		inEnv = r.getenv(s.env)
	}
	if s.check != nil { // a directory may have white space
		value, inEnv = trimmed(value), trimmed(inEnv)
	}
	switch {
	case !known:
		r.origins[s.at.String()] = fromUnknown
		if len(s.at.Steps()) == 1 {
			r.out.unknown = append(r.out.unknown, s.at)
		} else {
			r.out.signingUnknown = append(r.out.signingUnknown, s.at)
		}
		return
	case value != "":
		// The validators of the schema have checked this value.
		r.origins[s.at.String()] = fromBlock
	case inEnv != "":
		value = inEnv
		r.origins[s.at.String()] = fromEnvironment
		if s.check == nil {
			break
		}
		if err := s.check(value); err != nil {
			r.diags.AddAttributeError(s.at, summaryEnvironment,
				fmt.Sprintf("Invalid value for %s in environment variable %s. %s.", s.at, s.env, diagnostic.Capitalize(err.Error())))
			return
		}
	default:
		value = s.fallback
	}
	if value != "" {
		s.keep(value)
	}
}

// block reads one attribute of the provider block as text; "" is not set.
func (r *resolver) block(ctx context.Context, at path.Path) (value string, known bool) {
	var given attr.Value
	r.diags.Append(r.config.GetAttribute(ctx, at, &given)...)
	switch v := given.(type) {
	case types.Int64:
		if !v.IsNull() && !v.IsUnknown() {
			value = v.String()
		}
	case effect.Textual:
		value = v.ValueString()
	}
	return value, given == nil || !given.IsUnknown()
}

func (r *resolver) resolveSimulator(ctx context.Context) {
	at := path.Root("simulator")
	var block types.Object
	r.diags.Append(r.config.GetAttribute(ctx, at, &block)...)
	if block.IsUnknown() {
		r.out.unknown = append(r.out.unknown, at)
		return
	}
	if block.IsNull() {
		if value := r.getenv("RESELLER_SIMULATOR"); value != "" {
			r.origins[at.String()] = fromEnvironment
			r.out.simulator = true
			r.out.simulatorPath = value
		}
		return
	}
	r.origins[at.String()] = fromBlock
	var ephemeral types.Bool
	r.diags.Append(r.config.GetAttribute(ctx, at.AtName("ephemeral"), &ephemeral)...)
	value, known := r.block(ctx, at.AtName("path"))
	if !known {
		r.out.unknown = append(r.out.unknown, at.AtName("path"))
	}
	if ephemeral.IsUnknown() {
		r.out.unknown = append(r.out.unknown, at.AtName("ephemeral"))
	}
	if ephemeral.ValueBool() && value != "" {
		r.diags.AddAttributeError(at.AtName("ephemeral"), diagnostic.SummaryInvalidCombination, ephemeralBesidePath)
	}
	like, known := r.block(ctx, at.AtName("like"))
	if !known {
		r.out.unknown = append(r.out.unknown, at.AtName("like"))
	}
	r.out.simulatorLike = like
	r.out.simulator = true
	r.out.simulatorEphemeral = ephemeral.ValueBool()
	r.out.simulatorPath = value
}

// check checks the rules between settings that the schema cannot check, because any of them may come from the
// environment.
func (r *resolver) check() {
	if r.out.simulator {
		r.checkSimulator()
		return
	}
	withoutURL := r.origins["base_url"] == fromNowhere
	withoutKey := r.origins["api_key"] == fromNowhere && r.origins["access_token"] == fromNowhere
	switch {
	case withoutURL && withoutKey:
		r.missing("base_url", urlAndKeyMissing, setURLAndKey, "Set RESELLER_BASE_URL and RESELLER_API_KEY.")
	case withoutURL:
		r.missing("base_url", urlMissing, setURL, "Set RESELLER_BASE_URL.")
	case withoutKey:
		r.missing("api_key", keyMissing, setKey, "Set RESELLER_API_KEY.")
	}
	if r.out.api.UploadURL != "" && sameURL(r.out.api.UploadURL, r.out.api.BaseURL) {
		r.diags.Append(diagnostic.InvalidValue(path.Root("upload_url"), "", uploadAtBaseURL))
	}
}

// missing is an error with what to set in a provider block, and what to set without one, as a command has none.
func (r *resolver) missing(attribute, fact, inBlock, withoutBlock string) {
	remedy := inBlock
	if r.config.Raw.IsNull() {
		remedy = withoutBlock
	}
	r.diags.AddAttributeError(path.Root(attribute), summaryConfigMissing, fact+remedy)
}

// checkSimulator rejects RESELLER_SIMULATOR together with settings of the live API, so that neither is ignored. A simulator
// in the block takes precedence over the environment. The errors are at `simulator`, because the CLI prints the line of the
// attribute, which may be a key.
func (r *resolver) checkSimulator() {
	if r.origins["simulator"] != fromEnvironment {
		return
	}
	for _, live := range []struct{ at, env string }{
		{"api_key", "RESELLER_API_KEY"},
		{"access_token", "RESELLER_ACCESS_TOKEN"},
		{"base_url", "RESELLER_BASE_URL"},
	} {
		if r.origins[live.at] == fromBlock {
			r.diags.AddAttributeError(path.Root("simulator"), summarySimulatorConflict, simulatorBesideBlock(live.at))
			return
		}
		if r.origins[live.at] == fromEnvironment {
			r.diags.AddAttributeError(path.Root("simulator"), summaryConfigConflict,
				fmt.Sprintf("RESELLER_SIMULATOR selects the simulator and %s the live API. Unset one of them.", live.env))
			return
		}
	}
}
