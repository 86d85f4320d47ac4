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
	defaultSandboxPath = ".terraform/reseller-sandbox.json"
	defaultMaxWait     = "15m"
	defaultTimeout     = "60s"
	defaultMaxRetries  = 4
)

func (p *resellerProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Declare white-labelled signing portals of a reseller: private labels, what each gets, who is in it and how it looks. " +
			"The service is live and forgets nothing, so the provider warns and refuses at plan; `sandbox = {}` runs the same configuration against a simulated service, with no account and no network.",
		Attributes: map[string]schema.Attribute{
			"base_url": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Address of the Reseller API, `https`, or `http` for `localhost` and loopback addresses only. Required unless `sandbox` is set. Environment: `RESELLER_BASE_URL`.",
				Validators:          []validator.String{serviceURL{}},
			},
			"upload_url": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Address that takes logo uploads (§4.7); the API refuses them at `base_url`. Needed only to upload logos. Environment: `RESELLER_UPLOAD_URL`.",
				Validators:          []validator.String{serviceURL{}},
			},
			"api_key": schema.StringAttribute{
				Optional:            true,
				Sensitive:           true,
				MarkdownDescription: "API key of the reseller, made in the reseller console. It is exchanged for a token that lasts an hour and is shared between runs. Environment: `RESELLER_API_KEY`.",
				Validators:          []validator.String{apiKeyForm},
			},
			"access_token": schema.StringAttribute{
				Optional:            true,
				Sensitive:           true,
				MarkdownDescription: "A token already exchanged. It beats the key, and no exchange is made. Environment: `RESELLER_ACCESS_TOKEN`.",
				Validators:          []validator.String{accessTokenForm},
			},
			"slug": schema.StringAttribute{
				CustomType:          fwtype.TextType[fwtype.HostKind]{},
				Optional:            true,
				MarkdownDescription: "The reseller's own domain, as in the paths of the API. Left out, it is asked from the dashboard once and remembered beside the token. Environment: `RESELLER_SLUG`.",
				Validators:          fwtype.TextRules[fwtype.HostKind](),
			},
			"token_cache": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Where tokens are kept: `disk` (default; encrypted, shared by the processes of a run and by runs, since an address may exchange a key 5 times in 15 minutes) or `memory`. Environment: `RESELLER_TOKEN_CACHE`.",
				Validators:          []validator.String{stringvalidator.OneOf(tokenCaches...)},
			},
			"token_cache_dir": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Directory of the token cache. Default: the user's cache directory; in the sandbox, beside its data. Environment: `RESELLER_TOKEN_CACHE_DIR`.",
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"operations_dir": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Directory of operation markers: a file for each document that is being uploaded, signed or minted, locked while the API call is under way, by which other runs recognize a call in progress and an interrupted one. " +
					"It has to belong to the user who runs Terraform, and no other user may write to it. Without a directory that can be written these calls return an error before anything is sent, whatever `token_cache` is. " +
					"Default: `operations` in the provider's cache directory (`token_cache_dir`, or the user's cache directory; in the sandbox, beside its data), or in the Terraform data directory (`TF_DATA_DIR`, or `.terraform`) where that cannot be written. Environment: `RESELLER_OPERATIONS_DIR`.",
				Validators: []validator.String{stringvalidator.LengthAtLeast(1)},
			},
			"max_wait": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Longest time a rate limit may stay closed before an error says when to come back, as a duration such as `15m` (default). `0s` never waits. Queueing behind other calls does not count. Environment: `RESELLER_MAX_WAIT`.",
				Validators:          []validator.String{duration{}},
			},
			"max_retries": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "How often a call that is safe to repeat is repeated after a server failure, 0 to 20; default 4. Calls that make something are never repeated blindly. Environment: `RESELLER_MAX_RETRIES`.",
				Validators:          []validator.Int64{int64validator.Between(0, maxMaxRetries)},
			},
			"request_timeout": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Longest time for one HTTP call, as a duration; default `60s`. Environment: `RESELLER_REQUEST_TIMEOUT`.",
				Validators:          []validator.String{duration{positive: true}},
			},
			"sandbox": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Runs everything against the simulated service inside the provider: no network, no key, nobody is e-mailed. Conflicts with `base_url`, `api_key` and `access_token`; `slug` and `upload_url` are the sandbox's own then. Environment: `RESELLER_SANDBOX` (the path).",
				Attributes: map[string]schema.Attribute{
					"path": schema.StringAttribute{
						Optional:            true,
						MarkdownDescription: "File with the simulated service's data, kept between runs; default `" + defaultSandboxPath + "`.",
						Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
					},
				},
			},
			"signing": schema.SingleNestedAttribute{
				Optional:            true,
				MarkdownDescription: "Settings of the Signing API; only for the signing resources.",
				Attributes: map[string]schema.Attribute{
					"url": schema.StringAttribute{
						Optional:            true,
						MarkdownDescription: "Address of the Signing API. Environment: `RESELLER_SIGNING_URL`.",
						Validators:          []validator.String{serviceURL{}},
					},
					"api_url": schema.StringAttribute{
						Optional:            true,
						MarkdownDescription: "Base URL of the family `signing-api` and of minting, where it differs from `url`. Default: `url`. Environment: `RESELLER_SIGNING_API_URL`.",
						Validators:          []validator.String{serviceURL{}},
					},
					"user_api_key": schema.StringAttribute{
						Optional:            true,
						Sensitive:           true,
						MarkdownDescription: "API key of the signing user, from the user's profile page. Environment: `RESELLER_SIGNING_API_KEY`.",
						Validators:          []validator.String{signingKeyForm},
					},
					"family": schema.StringAttribute{
						Optional:            true,
						MarkdownDescription: "Which of the two address families the service answers: `signing-api` (default) or `signing`.",
						Validators:          []validator.String{stringvalidator.OneOf(signingFamilies...)},
					},
				},
			},
		},
	}
}

// Allowed values stand once and feed validators, resolution and messages.
var (
	tokenCaches     = []string{tokenCacheDisk, tokenCacheMemory}
	signingFamilies = []string{"signing-api", "signing"}
)

const (
	tokenCacheDisk   = "disk"
	tokenCacheMemory = "memory"
	maxMaxRetries    = 20
)

func (p *resellerProvider) ConfigValidators(context.Context) []provider.ConfigValidator {
	conflict := func(attribute string) provider.ConfigValidator {
		return providervalidator.Conflicting(path.MatchRoot("sandbox"), path.MatchRoot(attribute))
	}
	return []provider.ConfigValidator{conflict("base_url"), conflict("api_key"), conflict("access_token")}
}
