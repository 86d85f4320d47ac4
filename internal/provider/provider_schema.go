package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/providervalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
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
			"The API has no test mode, and many operations are permanent. The provider announces them in the plan, or returns an error at plan time. With `simulator = {}` the same configuration uses the simulator in the provider, without an account and without a network.",
		Attributes: map[string]schema.Attribute{
			"base_url":     text(serviceURL, "Base URL of the Reseller API: `https`, or `http` for `localhost` and loopback IP addresses only. Required unless `simulator` is set. Environment: `RESELLER_BASE_URL`."),
			"upload_url":   text(serviceURL, "Base URL for logo uploads, which the API rejects at `base_url`: it must differ. Required only to upload logos. Environment: `RESELLER_UPLOAD_URL`."),
			"api_key":      secretText(apiKeyRule, "API key of the reseller, created in the reseller console. The provider exchanges it for an access token that is valid for one hour and shared between runs. Environment: `RESELLER_API_KEY`."),
			"access_token": secretText(accessTokenRule, "Access token from an earlier token exchange. Takes precedence over `api_key`; no token exchange is made. Environment: `RESELLER_ACCESS_TOKEN`."),
			"slug": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.HostKind]{},
				Optional:            true,
				MarkdownDescription: "The reseller's own domain, as in the paths of the API. If omitted, it is read from the dashboard once and cached with the access token. Environment: `RESELLER_SLUG`.",
				Validators:          fwtype.TextRules[fwtype.HostKind](),
			},
			"token_cache":     text(stringvalidator.OneOf(tokenCaches...), "Where access tokens are kept: `disk` (default) or `memory`. On disk they are shared between processes and runs, because a source IP address may exchange an API key 5 times in 15 minutes. Tokens on disk are encrypted. Environment: `RESELLER_TOKEN_CACHE`."),
			"token_cache_dir": text(stringvalidator.LengthAtLeast(1), "Directory of the cached access tokens. Default: the user's cache directory; in the simulator, beside its data file. Environment: `RESELLER_TOKEN_CACHE_DIR`."),
			"operations_dir": text(stringvalidator.LengthAtLeast(1), "Directory of operation markers. A marker is a file for a document that is being uploaded, signed or minted. The provider locks it during the API call, so that other runs recognize a call in progress and an interrupted one. "+
				"The directory must belong to the user who runs Terraform, and no other user may write to it. Without a writable directory, these calls return an error before anything is sent, independent of `token_cache`. "+
				"Default: `operations` in the provider's cache directory (`token_cache_dir`, or the user's cache directory; in the simulator, beside its data). If that is not writable, in the Terraform data directory (`TF_DATA_DIR`, or `.terraform`). Environment: `RESELLER_OPERATIONS_DIR`."),
			"max_wait": text(waitRule, "Longest time to wait for a rate limit to reset, as a duration such as `15m` (default). If a rate limit resets later, the provider returns an error with the reset time. `0s` never waits. Time in the request queue does not count. Environment: `RESELLER_MAX_WAIT`."),
			"max_retries": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "Number of retries after a server failure, 0 to 20; default 4. Create calls are retried only if the API documents the retry as safe, or after a read shows that the first call had no effect. Environment: `RESELLER_MAX_RETRIES`.",
				Validators:          []validator.Int64{int64validator.Between(0, maxMaxRetries)},
			},
			"request_timeout": text(timeoutRule, "Longest time for one API call, as a duration; default `60s`. Environment: `RESELLER_REQUEST_TIMEOUT`."),
			"refresh": text(stringvalidator.OneOf(refreshes...), "How a refresh reads: `full` (default) or `light`. With `light`, it reads the members of a private label only if the list of private labels counts another number than their last full read, "+
				"and its add-ons only if the list shows another package than the state. A plan that changes an object, and every apply, read as with `full`. For watching many portals often: a member in exchange for another, a role and an add-on are not seen. Environment: `RESELLER_REFRESH`."),
			"simulator": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Sends all API calls to the simulator in the provider: no network, no API key, and no emails. Conflicts with `base_url`, `api_key` and `access_token`; `slug` and `upload_url` are then those of the simulator. Environment: `RESELLER_SIMULATOR` (the path), which also conflicts with these three arguments.",
				Attributes: map[string]schema.Attribute{
					"path": text(stringvalidator.LengthAtLeast(1), "File with the simulator's data, kept between runs. Each file is a separate reseller account. A state works only with the file that it was written with. "+
						"Default: `.reseller-simulator/default.json` in the working directory, and `.reseller-simulator/<workspace>.json` in another workspace. The provider creates this directory with a `.gitignore`, so that git commits nothing in it."),
					"like": text(stringvalidator.LengthAtLeast(1), "Transcript of `terraform-provider-reseller check`. Where the API documentation leaves a question open, the simulator then answers in the form of the API that the transcript shows. "+
						"The file with the simulator's data keeps these forms."),
					"ephemeral": schema.BoolAttribute{
						Optional: true,
						MarkdownDescription: "Whether the data is for one CLI command only, for example for `terraform test`; default `false`. All provider processes of the command share it, no other command sees it, and a later run removes it. " +
							"It is stored in a private directory in the system's temporary directory, with its tokens and operation markers, independent of `token_cache_dir` and `operations_dir`. Conflicts with `path`.",
					},
				},
			},
			"signing": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Settings of the Signing API; only for the signing resources.",
				Attributes: map[string]schema.Attribute{
					"url":          text(serviceURL, "Base URL of the Signing API. The family `signing-api` can do with `api_url` alone. Environment: `RESELLER_SIGNING_URL`."),
					"api_url":      text(serviceURL, "Base URL of the family `signing-api` and of minting, if it differs from `url`. Default: `url`. Environment: `RESELLER_SIGNING_API_URL`."),
					"user_api_key": secretText(signingKeyRule, "API key of the signing user, from the user's profile page. Environment: `RESELLER_SIGNING_API_KEY`."),
					"family":       text(stringvalidator.OneOf(signingFamilies...), "Which of the two path families of the Signing API to use: `signing-api` (default) or `signing`."),
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

func (p *resellerProvider) ConfigValidators(context.Context) []provider.ConfigValidator {
	conflict := func(attribute string) provider.ConfigValidator {
		return providervalidator.Conflicting(path.MatchRoot("simulator"), path.MatchRoot(attribute))
	}
	return []provider.ConfigValidator{conflict("base_url"), conflict("api_key"), conflict("access_token")}
}
