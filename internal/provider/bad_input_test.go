package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Each kind of bad input is an error at validate, at its attribute.
func TestBadInput_PrivateLabel(t *testing.T) {
	t.Parallel()
	links := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "link%d = \"https://social.example/%d\"\n", i, i)
		}
		return "social_links = {\n" + b.String() + "}"
	}
	owner := func(mail, first, last string) string {
		return fmt.Sprintf("owner = {\n email = %q\n first_name = %q\n last_name = %q\n}", mail, first, last)
	}
	cases := []struct{ name, body, want string }{
		{"host with a scheme", `domain = "https://sign.acme.example"`, "such as sign.acme.example"},
		{"host with a path", `domain = "sign.acme.example/x"`, "such as sign.acme.example"},
		{"host blank", `domain = ""`, "such as sign.acme.example"},
		{"host missing", ``, `The argument "domain" is required`},
		{"app name blank", "domain = \"a.example\"\napp_name = \"  \"", "must not be blank"},
		{"owner email", "domain = \"a.example\"\n" + owner("ada", "Ada", "L"), "Write one plain email address"},
		{"owner first name", "domain = \"a.example\"\n" + owner("ada@a.example", " ", "L"), "must not be blank"},
		{"owner last name", "domain = \"a.example\"\n" + owner("ada@a.example", "Ada", ""), "must not be blank"},
		{"color", "domain = \"a.example\"\ncolor_primary = \"green\"", "Write a color as"},
		{"accent", "domain = \"a.example\"\ncolor_accent = \"#12345\"", "Write a color as"},
		{"support URL", "domain = \"a.example\"\nsupport_url = \"acme.example\"", "full http or https URL"},
		{"website URL", "domain = \"a.example\"\nwebsite_url = \"ftp://acme.example\"", "full http or https URL"},
		{"21 social links", "domain = \"a.example\"\n" + links(21), "at most 20"},
		{"social link", "domain = \"a.example\"\nsocial_links = { x = \"acme\" }", "full http or https URL"},
		{"social link over a field", "domain = \"a.example\"\nsocial_links = { appName = \"https://acme.example\" }", "value must be none of"},
		{"social link under no name", "domain = \"a.example\"\nsocial_links = { \"a b\" = \"https://acme.example\" }", "must be a field name in camelCase"},
		{"reason too long", "domain = \"a.example\"\nsuspended = true\nsuspend_reason = \"" + strings.Repeat("é", 501) + "\"", "between 1 and 500"},
		{"reason without suspension", "domain = \"a.example\"\nsuspend_reason = \"unpaid\"", diagnostic.SummaryInvalidCombination},
		{"reason with suspended = false", "domain = \"a.example\"\nsuspended = false\nsuspend_reason = \"unpaid\"", diagnostic.SummaryInvalidCombination},
		{"deletion policy", "domain = \"a.example\"\ndeletion_policy = \"DELETE\"", "value must be one of"},
	}
	w := providertest.NewTestEnv(t)
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c := coretest.New(t, w)
			c.Config(w.Config("resource \"reseller_private_label\" \"bad\" {\n" + tc.body + "\n}\n"))
			c.Validate().WantError(t, tc.want)
		})
	}
	// The limits themselves are allowed.
	c := coretest.New(t, w)
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, links(20)+"\nsuspended = true\nsuspend_reason = \""+strings.Repeat("é", 500)+"\"")))
	c.Validate().WantOK(t)
	assert.Empty(t, w.Sim.Journal(), "validate made calls")
}

// Configuration errors of the provider block come before any API call.
func TestBadInput_Provider(t *testing.T) {
	t.Parallel()
	key := func(w *providertest.TestEnv) string { return w.Sim.APIKey() }
	for name, tc := range map[string]struct {
		block func(*providertest.TestEnv) string
		want  string
	}{
		"key and simulator of the environment": {func(w *providertest.TestEnv) string {
			w.Env.Set("RESELLER_SIMULATOR", "data.json")
			return "base_url = \"https://api.example\"\napi_key = \"" + key(w) + "\""
		}, "RESELLER_SIMULATOR selects the simulator, and api_key in the provider block selects the live API"},
		"neither key nor simulator": {func(*providertest.TestEnv) string { return "" }, "base_url and api_key are not set"},
		"no key":                    {func(*providertest.TestEnv) string { return `base_url = "https://api.example"` }, "Neither api_key nor access_token is set"},
		"key and simulator":         {func(w *providertest.TestEnv) string { return "simulator = {}\napi_key = \"" + key(w) + "\"" }, "simulator and api_key cannot be set together. Remove one of them."},
		"address and simulator":     {func(*providertest.TestEnv) string { return "simulator = {}\nbase_url = \"https://api.example\"" }, "simulator and base_url cannot be set together. Remove one of them."},
		"plain http": {func(w *providertest.TestEnv) string {
			return "base_url = \"http://api.example\"\napi_key = \"" + key(w) + "\""
		}, "would send the access token to api.example unencrypted"},
		"malformed key": {func(*providertest.TestEnv) string { return "base_url = \"https://api.example\"\napi_key = \"letmein\"" }, "Invalid value for api_key. Write the whole API key, such as rsl_live_<key ID>_<secret>"},
		"malformed URL": {func(w *providertest.TestEnv) string {
			return "base_url = \"api.example\"\napi_key = \"" + key(w) + "\""
		}, "Write a full URL"},
		"malformed upload URL": {func(w *providertest.TestEnv) string {
			return "base_url = \"https://api.example\"\nupload_url = \"x\"\napi_key = \"" + key(w) + "\""
		}, "Invalid value for upload_url"},
		"bad duration": {func(w *providertest.TestEnv) string {
			return "base_url = \"https://api.example\"\nmax_wait = \"soon\"\napi_key = \"" + key(w) + "\""
		}, `Invalid value for max_wait. "soon" is not a duration`},
		"no time for a call": {func(w *providertest.TestEnv) string {
			return "base_url = \"https://api.example\"\nrequest_timeout = \"0s\"\napi_key = \"" + key(w) + "\""
		}, `Invalid value for request_timeout. "0s" gives API calls no time`},
		"bad cache": {func(w *providertest.TestEnv) string {
			return "base_url = \"https://api.example\"\ntoken_cache = \"tape\"\napi_key = \"" + key(w) + "\""
		}, "value must be one of"},
		"negative retries": {func(w *providertest.TestEnv) string {
			return "base_url = \"https://api.example\"\nmax_retries = -1\napi_key = \"" + key(w) + "\""
		}, "between 0 and 20"},
		"half a retry": {func(w *providertest.TestEnv) string {
			return "base_url = \"https://api.example\"\nmax_retries = 1.5\napi_key = \"" + key(w) + "\""
		}, "max_retries: 1.5."},
		"bad slug": {func(w *providertest.TestEnv) string {
			return "base_url = \"https://api.example\"\nslug = \"https://x.example\"\napi_key = \"" + key(w) + "\""
		}, "such as sign.acme.example"},
		"signing key with a blank": {func(w *providertest.TestEnv) string {
			return "base_url = \"https://api.example\"\nsigning = {\n url = \"https://sign.example\"\n user_api_key = \"two words\"\n}\napi_key = \"" + key(w) + "\""
		}, "Invalid value for signing.user_api_key"},
		"bad signing family": {func(w *providertest.TestEnv) string {
			return "base_url = \"https://api.example\"\nsigning = { family = \"c\" }\napi_key = \"" + key(w) + "\""
		}, "value must be one of"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			c := w.Cli()
			c.Config("provider \"reseller\" {\n" + tc.block(w) + "\n}\ndata \"reseller_dashboard\" \"d\" {}\n")
			r := c.Run("plan", "-no-color", "-input=false")
			r.WantError(t, tc.want)
			assert.NotContains(t, r.Out, key(w), "the key is in the output")
			assert.Empty(t, w.Sim.Journal(), "calls")
		})
	}
}

func TestBadInput_DataSources(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	for name, tc := range map[string]struct{ body, want string }{
		"neither id nor domain": {`data "reseller_private_label" "x" {}`, "Exactly one of"},
		"both":                  {"data \"reseller_private_label\" \"x\" {\nid = \"0123456789abcdef0123456789abcdef\"\ndomain = \"a.example\"\n}", "Exactly one of"},
		"no id":                 {`data "reseller_private_label" "x" { id = "../../x" }`, "32 lowercase hex characters"},
		"no month":              {`data "reseller_private_labels" "x" { period = "2026-13" }`, "YYYY-MM"},
		"no status":             {`data "reseller_private_labels" "x" { status = "Gone" }`, "value must be one of"},
	} {
		t.Run(name, func(t *testing.T) {
			c := coretest.New(t, w)
			c.Config(w.Config(tc.body))
			c.Validate().WantError(t, tc.want)
		})
	}
	assert.Empty(t, w.Sim.Journal(), "calls")
}
