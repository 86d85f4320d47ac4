package provider

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
)

// session is what Configure hands to every resource and data source: one a
// configured provider, so it never outlives one run of one process.
type session struct {
	client    *client.Client
	inventory *inventory.Inventory

	activating      *noted // items that a plan creates or activates, by itemKey
	readAssignments *noted // by tenant id

	manyWalks bool // this process may serve more than one walk
	reads     *walkReads

	// What the requests of a walk mention: a second block for the same thing is
	// worth a warning.
	plannedHosts, plannedPackages, plannedAddons *walkNames
	plannedMembers                               *walkNames // by personKey with the email address
	readMembers, adoptedMembers                  *walkNames // by personKey with the ID

	// What an apply of this process creates is a fact: a second block for the same
	// thing is an error before its call.
	creating   *noted // in flight, by type and name
	ownMembers *noted // by personKey with the email address and with the ID

	signingSession

	canUpload bool // an upload address is set

	sharedMu sync.Mutex
	shared   map[reflect.Type]any

	// pending names the settings that are not known yet. Nothing can be read
	// then; what is in state stays as it is.
	pending path.Paths
}

// newSession returns the session of one Configure. walk identifies the walk that a
// request belongs to.
func newSession(walk func() int, canUpload bool, pending path.Paths) *session {
	return &session{
		readAssignments: newNoted(), activating: newNoted(),
		plannedHosts: newWalkNames(walk), plannedPackages: newWalkNames(walk), plannedAddons: newWalkNames(walk),
		plannedMembers: newWalkNames(walk), readMembers: newWalkNames(walk), adoptedMembers: newWalkNames(walk),
		reads:    newWalkReads(),
		creating: newNoted(), ownMembers: newNoted(),
		signingSession: newSigningSession(),
		canUpload:      canUpload,
		shared:         map[reflect.Type]any{},
		pending:        pending,
	}
}

// shared returns the one value of a type that all resources of a session use. The first caller creates it.
func shared[T any](s *session, create func(*session) T) T {
	s.sharedMu.Lock()
	defer s.sharedMu.Unlock()
	key := reflect.TypeFor[T]()
	if value, ok := s.shared[key].(T); ok {
		return value
	}
	value := create(s)
	s.shared[key] = value
	return value
}

// beginWalk forgets what an earlier walk read and planned.
func (s *session) beginWalk() {
	s.inventory.ForgetReads()
	for _, names := range []*walkNames{s.plannedHosts, s.plannedPackages, s.plannedAddons, s.plannedMembers, s.readMembers, s.adoptedMembers} {
		names.begin()
	}
}

// Types of resources, after the provider's name.
const (
	typeLabel    = "private_label"
	typePackage  = "package"
	typeMember   = "member"
	typeDocument = "document"
)

// deferredHint is for a value that is not another after all.
const deferredHint = "If it is the same and comes from a data source, let that be read at plan: take its depends_on off."

// ready tells whether the service can be called.
func (s *session) ready() bool { return s != nil && s.client != nil }

func (p *resellerProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	set, diags := resolveSettings(ctx, req.Config, p.getenv)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	s := newSession(p.periods.walks(req.TerraformVersion), set.sandbox || set.uploadURL != "", set.unknown)
	s.manyWalks = makesManyWalks(req.TerraformVersion)
	if len(set.unknown) == 0 {
		resp.Diagnostics.Append(p.connect(s, set)...)
	}
	p.session.Store(s)
	resp.ResourceData = s
	resp.DataSourceData = s
	resp.EphemeralResourceData = s
	resp.ActionData = s
	resp.ListResourceData = s
}

// connect makes the client. It makes no call: the first one that is needed does.
func (p *resellerProvider) connect(s *session, set settings) diag.Diagnostics {
	var diags diag.Diagnostics
	cfg := client.Config{
		BaseURL:        set.baseURL,
		UploadURL:      set.uploadURL,
		APIKey:         set.apiKey,
		AccessToken:    set.accessToken,
		Slug:           set.slug,
		UserAgent:      "terraform-provider-reseller/" + p.version,
		TokenCacheDir:  tokenCacheDir(set),
		MaxWait:        set.maxWait,
		MaxRetries:     set.maxRetries,
		RequestTimeout: set.requestTimeout,
		Transport:      p.transport,
		Clock:          p.clock,
	}
	set.cacheDir = cacheDir(set)
	if set.sandbox {
		diags.Append(p.enterSandbox(&cfg, &set)...)
		if diags.HasError() {
			return diags
		}
	}
	c, err := client.New(cfg)
	if err != nil {
		diags.AddError("The provider cannot be set up", err.Error())
		return diags
	}
	s.client = c
	s.inventory = inventory.New(c)
	s.connectSigning(signing.Config{
		URL: set.signingURL, APIURL: set.signingAPIURL, UserAPIKey: set.signingKey, Family: set.signingFamily, UserAgent: cfg.UserAgent,
		MaxWait: cfg.MaxWait, MaxRetries: cfg.MaxRetries, RequestTimeout: cfg.RequestTimeout, Transport: cfg.Transport, Clock: cfg.Clock,
		Markers: client.NewOperationMarkers(operationsDirs(set, set.cacheDir, p.getenv)...),
	}, set.signingUnknown)
	return diags
}

// enterSandbox points the clients at the simulated service.
func (p *resellerProvider) enterSandbox(cfg *client.Config, set *settings) diag.Diagnostics {
	at := path.Root("sandbox").AtName("path")
	var diags diag.Diagnostics
	if p.openSandbox == nil {
		diags.AddAttributeError(path.Root("sandbox"), "This build has no sandbox", "The provider was built without the simulated service.")
		return diags
	}
	box, err := p.openSandbox(set.sandboxPath)
	if err != nil {
		diags.AddAttributeError(at, "The sandbox cannot be opened",
			fmt.Sprintf("%s. Nothing was changed. The file is the one that `sandbox = { path = \"…\" }` or RESELLER_SANDBOX names.", strings.TrimSuffix(err.Error(), ".")))
		return diags
	}
	cfg.BaseURL, cfg.UploadURL = box.BaseURL, box.UploadURL
	cfg.APIKey, cfg.AccessToken, cfg.Slug = box.APIKey, "", ""
	cfg.Transport, cfg.Clock = box.Transport, box.Clock
	set.signingURL, set.signingAPIURL, set.signingKey, set.signingUnknown = box.SigningURL, "", box.SigningAPIKey, nil
	if set.tokenCacheDir == "" {
		set.cacheDir = box.TokenCacheDir
		if set.tokenCache == tokenCacheDisk {
			cfg.TokenCacheDir = box.TokenCacheDir
		}
	}
	diags.AddWarning("Sandbox: nothing reaches the live service",
		fmt.Sprintf("The provider works on the simulated service kept in %s. Portals, codes and e-mails exist only there. Take `sandbox` out of the provider block (or unset RESELLER_SANDBOX) to work on the live service.", set.sandboxPath))
	return diags
}

// tokenCacheDir is "" for tokens in memory.
func tokenCacheDir(set settings) string {
	if set.tokenCache == tokenCacheMemory {
		return ""
	}
	// No folder of the user's own (a bare container): memory does.
	return cacheDir(set)
}

// sessionFrom reads what Configure handed over; nil before Configure.
func sessionFrom(data any, diags *diag.Diagnostics) *session {
	if data == nil {
		return nil
	}
	s, ok := data.(*session)
	if !ok {
		diags.AddError("Unexpected provider data", fmt.Sprintf("Got %T. This is a bug of the provider; please report it.", data))
	}
	return s
}

// forResource gives a resource its session.
type forResource struct {
	*session
}

func (r *forResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.session = sessionFrom(req.ProviderData, &resp.Diagnostics)
}

// forDataSource gives a data source its session.
type forDataSource struct {
	*session
}

func (d *forDataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.session = sessionFrom(req.ProviderData, &resp.Diagnostics)
}

// begin reads the arguments of what calls the service at once. It is false where
// they, or the settings, cannot be had.
func (s *session) begin(ctx context.Context, config tfsdk.Config, arguments any, diags *diag.Diagnostics) bool {
	diags.Append(config.Get(ctx, arguments)...)
	if !diags.HasError() && !s.ready() {
		diags.Append(s.notReady())
	}
	return !diags.HasError()
}

// notReady explains why a call that is needed cannot be made.
func (s *session) notReady() diag.Diagnostic {
	names := []string{}
	if s != nil {
		for _, p := range s.pending {
			names = append(names, p.String())
		}
	}
	return diag.NewErrorDiagnostic("The provider's settings are not known yet",
		fmt.Sprintf("The provider block depends on values that are known only after an apply (%s), so the service cannot be read. Apply what those values come from first, with -target, or set them from variables.", strings.Join(names, ", ")))
}
