package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

const (
	defaultMaxWait    = "15m"
	defaultTimeout    = "60s"
	defaultMaxRetries = 4
)

func (p *resellerProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manages the private labels (white-labeled signing portals) of a reseller: their packages, add-ons, members, branding and documents. " +
			"The API has no test mode, and many operations are permanent. The plan warns before permanent, billed and emailed effects, and rejects many requests that the API would reject. With `simulator = {}`, the same configuration uses the provider's simulator, without an account or network.",
		Attributes: map[string]schema.Attribute{
			"base_url":     live(text(serviceURL, "Base URL of the Reseller API: `https`, or `http` for `localhost` and loopback IP addresses only. Required unless `simulator` is set. Environment: `RESELLER_BASE_URL`.")),
			"upload_url":   text(serviceURL, "Base URL for logo uploads, which must differ from `base_url`. Required only to upload logos. Environment: `RESELLER_UPLOAD_URL`."),
			"api_key":      live(secretText(apiKeyRule, "API key of the reseller. The provider exchanges it for an access token that is valid for one hour and shared between runs. Environment: `RESELLER_API_KEY`.")),
			"access_token": live(secretText(accessTokenRule, "Access token from an earlier token exchange. Takes precedence over `api_key`. Environment: `RESELLER_ACCESS_TOKEN`.")),
			"slug": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.HostKind]{},
				Optional:            true,
				MarkdownDescription: "The reseller's own domain, used in API paths. Default: read once from the dashboard and cached. Environment: `RESELLER_SLUG`.",
				Validators:          fwtype.TextRules[fwtype.HostKind](),
			},
			"token_cache":     text(fwtype.OneOf(tokenCaches...), "Where the provider keeps access tokens: `disk` (default, encrypted) or `memory`. Environment: `RESELLER_TOKEN_CACHE`."),
			"token_cache_dir": text(fwtype.NotEmpty, "Directory of the cached access tokens. Default: the user's cache directory, or the directory of the simulator's data. Environment: `RESELLER_TOKEN_CACHE_DIR`."),
			"operations_dir": text(fwtype.NotEmpty, "Directory of operation markers. While the provider uploads, signs or mints a document, it locks a marker file, so that later runs recognize an interrupted call. "+
				"Only the user who runs Terraform may write to it. Without a writable directory, the provider sends no document. "+
				"Default: `operations` in `token_cache_dir`, or in the Terraform data directory if that is not writable. Environment: `RESELLER_OPERATIONS_DIR`."),
			"max_wait": text(waitRule, "Longest time to wait for a rate limit to reset, as a duration such as `15m` (default). If the limit resets later, the run fails with the reset time. `0s` never waits. Environment: `RESELLER_MAX_WAIT`."),
			"max_retries": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "Number of retries after a server failure, 0 to 20. Default: 4. Create calls are retried only if the API documents the retry as safe, or after a read shows that the first call had no effect. Environment: `RESELLER_MAX_RETRIES`.",
				Validators:          []validator.Int64{fwtype.Between(0, maxMaxRetries)},
			},
			"request_timeout": text(timeoutRule, "Longest time for one API call, as a duration. Default: `60s`. Environment: `RESELLER_REQUEST_TIMEOUT`."),
			"refresh": text(fwtype.OneOf(refreshes...), "What a refresh reads. `full` (default) reads every object. `light` reads members only if their number changed, and add-ons only if the package changed. "+
				"`light` is for frequent drift checks on many portals. It does not detect changed roles, changed add-ons, or a member who replaced a former member. Plans that change an object, and applies, always read in full. Environment: `RESELLER_REFRESH`."),
			"simulator": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Sends all API calls to the provider's simulator, without a network, an API key or emails. Conflicts with `base_url`, `api_key` and `access_token`. Sets `slug` and `upload_url`. Environment: `RESELLER_SIMULATOR` (the path).",
				Attributes: map[string]schema.Attribute{
					"path": text(fwtype.NotEmpty, "File with the simulator's data. Each file is a separate reseller account. A state works only with the file that it was written with. "+
						"Default: `.reseller-simulator/<workspace>.json` in the working directory, in which git ignores all files."),
					"like": text(fwtype.NotEmpty, "Transcript of `terraform-provider-reseller check`. Where the API documentation leaves a question open, the simulator responds like the API in the transcript. "+
						"The data file keeps this choice."),
					"ephemeral": schema.BoolAttribute{
						Optional: true,
						MarkdownDescription: "Whether the data is for one CLI command only, such as `terraform test`. Default: `false`. The command's provider processes share it, and a later run removes it. " +
							"Tokens and operation markers are stored with it, in a private temporary directory. Conflicts with `path`.",
					},
				},
			},
			"signing": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Settings of the Signing API.",
				Attributes: map[string]schema.Attribute{
					"url":          text(serviceURL, "Base URL of the Signing API. Optional for the family `signing-api` if `api_url` is set. Environment: `RESELLER_SIGNING_URL`."),
					"api_url":      text(serviceURL, "Base URL of the family `signing-api` and of minting, if it differs from `url`. Default: `url`. Environment: `RESELLER_SIGNING_API_URL`."),
					"user_api_key": secretText(signingKeyRule, "API key of the signing user, from the user's profile page. Environment: `RESELLER_SIGNING_API_KEY`."),
					"family":       text(fwtype.OneOf(signingFamilies...), "Path family of the Signing API: `signing-api` (default) or `signing`."),
				},
			},
		},
	}
}

// text is an attribute that may be omitted.
func text(rule validator.String, description string) schema.StringAttribute {
	return schema.StringAttribute{Optional: true, MarkdownDescription: description, Validators: []validator.String{rule}}
}

func secretText(rule validator.String, description string) schema.StringAttribute {
	a := text(rule, description)
	a.Sensitive = true
	return a
}

// Allowed values, for validators, settings and messages.
var (
	refreshes       = []string{"full", refreshLight}
	tokenCaches     = []string{tokenCacheDisk, tokenCacheMemory}
	signingFamilies = []string{"signing-api", "signing"}
)

const (
	refreshLight     = "light"
	tokenCacheDisk   = "disk"
	tokenCacheMemory = "memory"
	maxMaxRetries    = 20
)

// live is a setting of the live API.
func live(a schema.StringAttribute) schema.StringAttribute {
	a.Validators = append(a.Validators, fwtype.ConflictsWith(path.Root("simulator")))
	return a
}
