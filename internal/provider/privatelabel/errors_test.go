package privatelabel_test

import (
	"bufio"
	"image/color"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// Each error of §4.9 reaches the user with its code, and nothing is created.
func TestPrivateLabel_ProvisionRefused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		prepare func(*providertest.TestEnv) error
		host    string
		want    []string
	}{
		"HOST_TAKEN by another reseller": {
			func(w *providertest.TestEnv) error {
				c := coretest.New(t, w)
				c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "")))
				c.Apply().WantOK(w.T)
				return w.Sim.MoveAway(providertest.AcmeHost)
			}, providertest.AcmeHost,
			[]string{privatelabel.SummaryProvision, providertest.AcmeHost + " was not provisioned", "API error HOST_TAKEN (HTTP 400)", "Nothing was created", "nobody can provision again"},
		},
		"HOST_RESERVED": {nil, "console.portals.example", []string{"was not provisioned", "API error HOST_RESERVED", "The platform reserves this host name"}},
		"INSUFFICIENT_SCOPE": {
			func(w *providertest.TestEnv) (err error) {
				w.Key, err = w.Sim.MintKey("reseller:read")
				return err
			}, providertest.AcmeHost,
			[]string{"was not provisioned", "API error INSUFFICIENT_SCOPE", "lacks the scope reseller:provision"},
		},
		"no scope to read": {
			func(w *providertest.TestEnv) (err error) {
				w.Key, err = w.Sim.MintKey("reseller:provision")
				return err
			}, providertest.AcmeHost,
			[]string{session.SummarySlug, "API error INSUFFICIENT_SCOPE", "lacks the scope reseller:read, which every resource"},
		},
		"key revoked": {
			func(w *providertest.TestEnv) (err error) {
				if w.Key, err = w.Sim.MintKey("reseller:read", "reseller:provision"); err != nil {
					return err
				}
				return w.Sim.RevokeKey(w.Key)
			}, providertest.AcmeHost,
			[]string{"API error invalid_client", "unknown, revoked or mistyped"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			if tc.prepare != nil {
				require.NoError(t, tc.prepare(w))
			}
			c := coretest.New(t, w)
			c.Config(w.Config(providertest.Label("acme", tc.host, "")))
			r := c.Apply()
			r.WantError(t, tc.want...)
			assert.NotContains(t, r.Out, w.APIKey(), "the key is in the output")
			assert.Empty(t, w.Sim.Labels())
			assert.Empty(t, c.State())
		})
	}
}

// A read that is rejected or fails keeps the state: only the list proves absence.
func TestPrivateLabel_ReadFailures(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fault simulator.Fault
		want  []string
	}{
		"detail forbidden, list shows it": {simulator.Fault{Route: providertest.RouteDetail, Kind: simulator.FaultForbidden}, []string{providertest.AcmeHost + " could not be read", "API error FORBIDDEN"}},
		"list forbidden":                  {simulator.Fault{Route: providertest.RouteList, Kind: simulator.FaultForbidden}, []string{"could not be read", "API error FORBIDDEN"}},
		"list fails":                      {simulator.Fault{Route: providertest.RouteList, Kind: simulator.FaultServerError}, []string{"could not be read", "API error INTERNAL_SERVER_ERROR", "failed in the API"}},
		"list is a page":                  {simulator.Fault{Route: providertest.RouteList, Kind: simulator.FaultPage}, []string{"could not be read", "not JSON"}},
		"connection resets":               {simulator.Fault{Route: providertest.RouteList, Kind: simulator.FaultReset}, []string{"could not be read", "The API call failed"}},
		"limited for too long":            {simulator.Fault{Route: providertest.RouteList, Kind: simulator.FaultRateLimit, RetryAfter: 3600e9}, []string{diagnostic.SummaryRateLimit, "could not be read", `The "console" rate limit`, "max_wait"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := providertest.NewTestEnv(t)
			c := coretest.Applied(t, w, w.Config(providertest.Label("acme", providertest.AcmeHost, "")))
			tc.fault.Times = -1
			w.Sim.Inject(tc.fault)
			c.Plan().WantError(t, tc.want...)
			c.Apply("-refresh-only").WantError(t)
			_, ok := c.State()[providertest.Acme]
			assert.True(t, ok, "the label was dropped from state")
			w.Sim.ClearFaults()
			w.Sim.Clock().Advance(3600e9)
			c.WantEmptyPlan()
		})
	}
}

// The reseller's slug may change (§2.1): the stored slug is then read again.
func TestPrivateLabel_SlugChanged(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := coretest.Applied(t, w, w.Config(providertest.Label("acme", providertest.AcmeHost, "")))
	require.NoError(t, w.Sim.ChangeSlug(w.Sim.Slug(), "renamed.example"))
	c.WantEmptyPlan()
	c.WantEmptyPlan()
	assert.Equal(t, 2, w.Calls(providertest.RouteDashboard), "dashboard calls")
}

// With an access token there is no token exchange.
func TestProvider_AccessToken(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	w.Env.Set("RESELLER_ACCESS_TOKEN", w.Exchange())
	w.Sim.ResetJournal()
	c := coretest.New(t, w)
	c.Config(w.Config(`data "reseller_dashboard" "d" {}`)) // with the key in the block, too
	c.Plan().WantOK(t)
	assert.Equal(t, 0, w.Calls(providertest.RouteToken), "exchanges")
	w.Env.Set("RESELLER_ACCESS_TOKEN", "sim.old.token")
	c.Plan().WantError(t, "API error UNAUTHORIZED", "RESELLER_ACCESS_TOKEN")
}

// Settings that are unknown at plan time do not block a plan over state.
func TestProvider_UnknownSettings(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	c := w.Cli()
	c.Config(w.Config(providertest.Label("acme", providertest.AcmeHost, "")))
	c.Apply().WantOK(t)
	unknown := func(body string) string {
		return "resource \"terraform_data\" \"key\" {\n  input = \"" + w.APIKey() + "\"\n}\nprovider \"reseller\" {\n  base_url = \"" + simulator.BaseURL + "\"\n  api_key = terraform_data.key.output\n}\n" + body
	}
	c.Config(unknown(providertest.Label("acme", providertest.AcmeHost, "") + providertest.Label("bolt", "sign.bolt.example", "")))
	r := c.Plan()
	assert.Equal(t, 2, r.Code, "exit code\n%s", r.Out)
	c.Apply().WantOK(t, "2 added")
	c.WantEmptyPlan()
	c.Config(unknown(`data "reseller_dashboard" "d" {}`) + providertest.Label("acme", providertest.AcmeHost, "") + providertest.Label("bolt", "sign.bolt.example", ""))
	c.Plan().WantOK(t)
}

// The first Ctrl-C during the POST: the private label is created, in state and not tainted.
func TestPrivateLabel_Interrupted(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	server := httptest.NewServer(w.Sim)
	t.Cleanup(server.Close)
	c := providertest.InstalledCLI(t,
		"RESELLER_BASE_URL="+server.URL,
		"RESELLER_API_KEY="+w.APIKey(),
		"RESELLER_TOKEN_CACHE_DIR="+t.TempDir())
	c.Config(providertest.Label("acme", providertest.AcmeHost, ""))
	cmd := exec.Command(providertest.CliBinary(t), "apply", "-no-color", "-input=false", "-auto-approve")
	cmd.Dir, cmd.Env = c.Dir, c.Env
	providertest.OwnProcessGroup(t, cmd) // a Ctrl-C goes to the whole group
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	started := make(chan int, 1)
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteProvision, After: true, Hook: func() {
		assert.NoError(t, providertest.InterruptGroup(<-started))
	}})
	require.NoError(t, cmd.Start())
	started <- cmd.Process.Pid
	_ = cmd.Wait() // an interrupted apply may fail or succeed; its state counts
	got, known := c.State()[providertest.Acme]
	require.True(t, known, "state: %v\n%s", c.State(), out.String())
	assert.NotEqual(t, "tainted", got.Status, "state: %v\n%s", c.State(), out.String())
	c.Apply().WantOK(t)
	c.WantEmptyPlan()
	assert.Len(t, w.Sim.Outbox(), 1, "emails")
}

// A Ctrl-C ends a wait for DNS before the next look, which is a minute later, and however long the wait may be.
func TestDomainVerification_Interrupted(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	server := httptest.NewServer(w.Sim)
	t.Cleanup(server.Close)
	c := providertest.InstalledCLI(t,
		"RESELLER_BASE_URL="+server.URL,
		"RESELLER_API_KEY="+w.APIKey(),
		"RESELLER_TOKEN_CACHE_DIR="+t.TempDir(),
		"TF_LOG_PROVIDER=INFO")
	label := providertest.Label("acme", providertest.AcmeHost, "")
	c.Config(label)
	c.Apply().WantOK(t)
	c.Config(label + `
resource "reseller_domain_verification" "acme" {
  private_label_id = reseller_private_label.acme.id
  timeouts         = { create = "24h" }
}
`)
	cmd := exec.Command(providertest.CliBinary(t), "apply", "-no-color", "-input=false", "-auto-approve")
	cmd.Dir, cmd.Env = c.Dir, c.Env
	providertest.OwnProcessGroup(t, cmd)
	errs, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var said strings.Builder
	looks := -1 // before the wait
	for lines := bufio.NewScanner(errs); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if looks < 0 && strings.Contains(lines.Text(), "waiting for the DNS of a private label") {
			looks = w.Calls(providertest.RouteDetail)
			assert.NoError(t, providertest.InterruptGroup(cmd.Process.Pid))
		}
	}
	_ = cmd.Wait() // the exit code shows it
	if code := cmd.ProcessState.ExitCode(); code != 1 || looks < 0 || !strings.Contains(said.String(), "canceled after 0s: context canceled.") {
		t.Errorf("exit code %d, %d looks\n%s", code, looks, said.String())
	}
	n := w.Calls(providertest.RouteDetail)
	assert.Equal(t, looks, n, "%d looks after the interrupt", n-looks)
	state := c.State()
	require.Len(t, state, 1)
	assert.NotEqual(t, "tainted", state[providertest.Acme].Status, "state: %v", state)
}

// No secret reaches the output, the logs or the state, even at TRACE.
func TestSecrets_Trace(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	server := httptest.NewServer(w.Sim)
	t.Cleanup(server.Close)
	cache := t.TempDir()
	c := providertest.InstalledCLI(t,
		"RESELLER_BASE_URL="+server.URL,
		"RESELLER_UPLOAD_URL="+server.URL+simulator.UploadPrefix,
		"RESELLER_API_KEY="+w.APIKey(),
		"RESELLER_SIGNING_URL="+server.URL,
		"RESELLER_SIGNING_API_KEY="+w.Sim.SigningAPIKey(),
		"RESELLER_TOKEN_CACHE_DIR="+cache,
		"TF_LOG=TRACE")
	c.File("logo.png", string(providertest.Drawn(t, 2, 2, color.White)))
	everything := providertest.Label("acme", providertest.AcmeHost, "deletion_policy = \"ABANDON\"") + `
resource "reseller_member" "bob" {
  private_label_id = reseller_private_label.acme.id
  email            = "bob@acme.example"
  first_name       = "Bob"
  last_name        = "Byte"
}
resource "reseller_branding" "acme" {
  domain        = reseller_private_label.acme.domain
  color_primary = "#0a0"
  logo_path     = "logo.png"
}
data "reseller_api_keys" "all" {}
`
	if providertest.OlderCLI(t, "1.10.0") {
		t.Log("the CLI knows no ephemeral resources: their token is not part of this run")
	} else {
		everything += "ephemeral \"reseller_access_token\" \"run\" {}\n"
	}
	c.Config(everything)
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteProvision, Kind: simulator.FaultServerError, After: true})
	out := c.Apply().Out
	assert.Contains(t, out, "reseller API call", "TF_LOG=TRACE does not give the provider's log")
	assert.Contains(t, out, "Calling provider defined Resource Create", "TF_LOG=TRACE does not give the SDK's log")
	out += c.Plan("-out=saved").Out
	out += c.Run("show", "-json", "saved").Out
	w.Sim.Inject(simulator.Fault{Route: providertest.RouteList, Kind: simulator.FaultUnauthorized, Times: -1})
	out += c.Plan().Out
	w.Sim.ClearFaults()
	out += c.Destroy().Out
	state, err := os.ReadFile(filepath.Join(c.Dir, "terraform.tfstate.backup"))
	require.NoError(t, err)
	out += string(state)
	entries, err := os.ReadDir(cache)
	require.NoError(t, err)
	for _, e := range entries {
		raw, err := os.ReadFile(filepath.Join(cache, e.Name()))
		require.NoError(t, err)
		out += string(raw)
	}
	_, secretPart, _ := strings.Cut(w.APIKey(), "live_")
	for _, secret := range append(w.Sim.Tokens(), w.APIKey(), secretPart[33:], w.Sim.SigningAPIKey()) {
		if i := strings.Index(out, secret); i >= 0 {
			t.Errorf("a secret is in the output: …%s…", out[max(0, i-200):i])
		}
	}
	assert.NotEmpty(t, w.Sim.Tokens(), "no token was made")
}

// Without a request for logs, the SDK writes none.
func TestLogs_Quiet(t *testing.T) {
	t.Parallel()
	c := providertest.InstalledCLI(t, "TF_LOG=", "TF_LOG_PROVIDER=")
	c.Config(providertest.InSimulator + providertest.Label("acme", providertest.AcmeHost, ""))
	logged := c.Plan().Out
	assert.NotContains(t, logged, "@module", "logs nobody asked")
	assert.NotContains(t, logged, "[TRACE]", "logs nobody asked")
}

// 20 concurrent plans make one token exchange.
func TestTokenCache_ManyProcesses(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	server := httptest.NewServer(w.Sim)
	t.Cleanup(server.Close)
	require.NoError(t, w.Sim.Seed(1))
	c := providertest.InstalledCLI(t,
		"RESELLER_BASE_URL="+server.URL,
		"RESELLER_API_KEY="+w.APIKey(),
		"RESELLER_TOKEN_CACHE_DIR="+t.TempDir())
	c.Config(`data "reseller_private_labels" "all" {}`)
	turns := make(chan struct{}, 10)
	done := make(chan providertest.Result, 20)
	for range 20 {
		go func() {
			turns <- struct{}{}
			done <- c.Run("plan", "-no-color", "-input=false", "-lock=false")
			<-turns
		}()
	}
	for range 20 {
		r := <-done
		r.WantOK(t)
	}
	assert.Equal(t, 1, w.Calls(providertest.RouteToken), "exchanges")
	assert.Equal(t, 1, w.Calls(providertest.RouteDashboard), "dashboard calls")
	assert.Equal(t, 20, w.Calls(providertest.RouteList), "lists")
}
