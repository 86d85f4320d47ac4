// Package session is what Configure gives to every object: the clients, the inventory, and what objects remember in
// private state. Whose API key this is and whether something is gone is decided here.
package session

import (
	"context"
	"fmt"
	"reflect"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
)

// Session is what Configure hands to every resource and data source: one a
// configured provider, so it never outlives one run of one process.
type Session struct {
	Client    *client.Client
	Inventory *inventory.Inventory

	Activating *NameSet // catalog items that a plan creates or activates, by ItemKey
	Creating   *NameSet // what an apply creates at this moment, by Claim: a second resource for it is an error

	ManyWalks bool // this process may serve more than one walk
	Reads     *WalkReads

	walk    func() int // identifies the walk that a request belongs to
	namesMu sync.Mutex
	names   []*WalkNames // of all objects

	signingSession

	CanUpload bool // an upload address is set

	sharedMu sync.Mutex
	shared   map[reflect.Type]any

	// Sandbox is what the session works on, if that is not the live API.
	Sandbox Sandbox

	// pending names the settings that are not known yet. Nothing can be read
	// then; what is in state stays as it is.
	Pending path.Paths
}

// New returns the session of one Configure. walk identifies the walk that a
// request belongs to.
func New(walk func() int, canUpload bool, pending path.Paths) *Session {
	return &Session{
		Activating:     NewNameSet(),
		Creating:       NewNameSet(),
		Reads:          NewWalkReads(),
		walk:           walk,
		signingSession: newSigningSession(),
		CanUpload:      canUpload,
		shared:         map[reflect.Type]any{},
		Pending:        pending,
	}
}

// Types of resources, after the provider's name.
const (
	TypeLabel      = "private_label"
	TypePackage    = "package"
	TypeAssignment = "assignment"
	TypeMember     = "member"
	TypeMembers    = "members"
	TypeDocument   = "document"
)

// DeferredHint is for a value that is not another after all.
const DeferredHint = "If it is the same value and comes from a data source, remove depends_on from the data source, so that it is read at plan time."

// Ready reports whether the service can be called.
func (s *Session) Ready() bool { return s != nil && s.Client != nil }

// FromProviderData reads what Configure handed over; nil before Configure.
func FromProviderData(data any, diags *diag.Diagnostics) *Session {
	if data == nil {
		return nil
	}
	s, ok := data.(*Session)
	if !ok {
		diags.AddError(summaryProviderData, fmt.Sprintf("The provider received %T from itself. This is a bug in the provider. Report it.", data))
	}
	return s
}

// ResourceBase gives a resource its session.
type ResourceBase struct {
	*Session
}

func (r *ResourceBase) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.Session = FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// DataSourceBase gives a data source its session.
type DataSourceBase struct {
	*Session
}

func (d *DataSourceBase) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.Session = FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// Values are a configuration, a plan or a state.
type Values interface {
	Get(ctx context.Context, target any) diag.Diagnostics
}

// Begin reads the values of a request that calls the API at once. It is false where they, or the settings, cannot be had.
func (s *Session) Begin(ctx context.Context, from Values, target any, diags *diag.Diagnostics) bool {
	diags.Append(from.Get(ctx, target)...)
	if !diags.HasError() && !s.Ready() {
		diags.Append(s.NotReady())
	}
	return !diags.HasError()
}

// Slug of the reseller, or "" when it cannot be had: it is only a memory aid.
func (s *Session) Slug(ctx context.Context) string {
	slug, err := s.Inventory.Slug(ctx)
	if err != nil {
		return ""
	}
	return slug
}

// KnownHost names a label in messages by its host, where that is known without
// a call.
func (s *Session) KnownHost(id string) string {
	if s.Ready() {
		if host, ok := s.Inventory.Host(id); ok {
			return host
		}
	}
	return "private label " + id
}

// HostOf names a label in messages: by its host, for which the labels may have
// to be listed.
func (s *Session) HostOf(ctx context.Context, id string) string {
	if s.Ready() {
		if _, ok := s.Inventory.Host(id); !ok {
			_, _ = s.Inventory.CachedLabels(ctx) // only a name hangs on it
		}
	}
	return s.KnownHost(id)
}
