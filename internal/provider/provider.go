// Package provider is the Terraform side: settings, Configure and the protocol servers. It uses the API only through
// the inventory and the client.
package provider

import (
	"context"
	"net/http"
	"os"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/dns"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/assignment"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/branding"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/catalog"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/document"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/member"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/privatelabel"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/report"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/shortpath"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// Simulator is the simulator with an opened data file, as the provider needs it.
type Simulator struct {
	BaseURL, UploadURL, APIKey string
	SigningURL, SigningAPIKey  string
	Transport                  http.RoundTripper
	Clock                      transport.Clock
	LookupDNS                  dns.Lookup
	TokenCacheDir              string // where its tokens are stored
	Slug                       string // of its reseller, different for each data file
}

// SimulatorOpener opens the simulator with a data file, in the forms that a transcript shows, "" for those of the file.
type SimulatorOpener func(path, transcript string) (*Simulator, error)

// Options of a provider. The zero value is what a user has, without a simulator.
type Options struct {
	// OpenSimulator makes `simulator = {}` available. The provider does not import the simulator.
	OpenSimulator SimulatorOpener
	// Transport of all calls of the live API.
	Transport http.RoundTripper
	// Clock of every wait.
	Clock transport.Clock
	// LookupDNS replaces the machine's resolver.
	LookupDNS dns.Lookup
	// Getenv replaces the environment.
	Getenv func(string) string
	// WrapShortPath replaces the server that handles unchanged objects, for tests that compare it with the framework.
	WrapShortPath func(*shortpath.Server) Server
}

type resellerProvider struct {
	Options
	version string

	// session of the latest Configure, for requests that need no resource.
	session atomic.Pointer[session.Session]
}

var (
	_ provider.Provider                  = (*resellerProvider)(nil)
	_ provider.ProviderWithListResources = (*resellerProvider)(nil)
	_ provider.ProviderWithActions       = (*resellerProvider)(nil)
)

// New returns a factory of providers of one version.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return newProvider(version, Options{}) }
}

func newProvider(version string, o Options) *resellerProvider {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.LookupDNS == nil {
		o.LookupDNS = dns.NewLookup(nil)
	}
	return &resellerProvider{Options: o, version: version}
}

func (p *resellerProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "reseller"
	resp.Version = p.version
}

// all is what the provider has, except for its functions and the ephemeral resource. The schema, the short paths, the
// reviewers and the tests of all types find everything here.
var all = registration.Join(
	privatelabel.Entry,
	catalog.Entry,
	assignment.Entry,
	member.Entry,
	branding.Entry,
	document.Entry,
	report.Entry,
)

func (p *resellerProvider) Resources(context.Context) []func() resource.Resource {
	return slice.Map(all.Resources, func(t registration.Type) func() resource.Resource { return t.New })
}

func (p *resellerProvider) DataSources(context.Context) []func() datasource.DataSource {
	return all.DataSources
}

// ListResources are for `terraform query` (Terraform 1.14 and later).
func (p *resellerProvider) ListResources(context.Context) []func() list.ListResource {
	return slice.Map(all.Lists, func(l *registration.Listing) func() list.ListResource { return l.New })
}

// Actions are for CLIs that know them (Terraform 1.14 and later).
func (p *resellerProvider) Actions(context.Context) []func() action.Action {
	return slice.Map(all.Actions, func(a *registration.Action) func() action.Action { return a.New })
}

// Reviewers are those of all resources and actions, for the subcommand `review`.
func Reviewers() effect.Reviewers {
	return effect.Reviewers{
		Resources: slice.Map(all.Resources, registration.Type.Reviewer), Actions: slice.Map(all.Actions, (*registration.Action).Reviewer),
	}
}
