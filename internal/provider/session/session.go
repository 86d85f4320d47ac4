// Package session is what Configure passes to every object: the clients, the inventory, and access to private state. It
// also decides whether an object is absent or belongs to another reseller.
package session

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/dns"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/walk"
)

// Session belongs to one configured provider, and so to one run of one process. Configure passes it to every resource
// and data source.
type Session struct {
	Client    *client.Client
	Inventory *inventory.Inventory

	Walks    *walk.Process      // of this process
	Register *register.Register // what the current plan does with live objects, and what the current apply has stored

	signingSession

	CanUpload bool // upload_url is set

	LookupDNS dns.Lookup // asks the machine's resolver, or the simulator

	LabelReads *LabelReads

	// Simulator is set if the session does not use the live API.
	Simulator Simulator

	// Pending are the settings that are known after apply. Until then nothing can be read, and the state does not
	// change.
	Pending path.Paths
}

// New returns the session of one Configure.
func New(canUpload bool, pending path.Paths) *Session {
	walks := &walk.Process{}
	return &Session{Walks: walks, Register: register.New(walks), CanUpload: canUpload, LabelReads: &LabelReads{}, Pending: pending}
}

// ReadBy returns the session of the request about an object, whose inventory reads in its name.
func (s *Session) ReadBy(request walk.Request) *Session {
	if !s.Ready() {
		return s
	}
	reading := *s
	reading.Inventory = s.Inventory.ReadIn(s.Walks.Number(request))
	return &reading
}

// Types of resources, without the provider's prefix, that are recognized outside of their own package.
const (
	TypePrivateLabel = "private_label"
	TypePackage      = "package"
	TypeAddon        = "addon"

	TypeDocument        = "document"
	TypeDocumentSigning = "document_signing"
	TypeMintedDocument  = "minted_document"
)

// DeferredHint is the remedy for a value that is unknown but will not change.
const DeferredHint = "Remove depends_on from a data source to know its value at plan time."

// Clock returns the clock of all waits.
func (s *Session) Clock() transport.Clock {
	if !s.Ready() {
		return transport.RealClock{}
	}
	return s.Client.Clock()
}

// Ready reports whether the API can be called.
func (s *Session) Ready() bool {
	return s != nil && s.Client != nil
}

// FromProviderData returns the session that Configure passed; nil before Configure.
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

// ResourceBase is embedded by resources and holds their session.
type ResourceBase struct {
	*Session
}

func (r *ResourceBase) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.Session = FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// Slug returns the reseller's slug, or "" if it cannot be read.
func (s *Session) Slug(ctx context.Context) string {
	slug, err := s.Inventory.Slug(ctx)
	if err != nil {
		return ""
	}
	return slug
}

// KnownHost names a private label in messages by its host name, if that is known without an API call.
func (s *Session) KnownHost(id string) string {
	if host, ok := s.ListedHost(id); ok {
		return printable.OneLine(host)
	}
	if id == "" {
		return effect.LabelLater
	}
	return "private label " + id
}

// ListedHost returns the host name of a private label from any list of this run.
func (s *Session) ListedHost(id string) (host string, ok bool) {
	if !s.Ready() {
		return "", false
	}
	return s.Inventory.Host(id)
}

// HostOf names a private label in messages by its host name, which may read the list of private labels.
func (s *Session) HostOf(ctx context.Context, id string) string {
	s.list(ctx, id)
	return s.KnownHost(id)
}

// list reads the list of private labels, unless the host name of one is known.
func (s *Session) list(ctx context.Context, id string) {
	if _, ok := s.ListedHost(id); !ok && id != "" && s.Ready() {
		_, _ = s.Inventory.Labels(ctx, inventory.Cached) // it only affects a name
	}
}

// CodeOf returns the code of a package for messages, "" if it is unknown.
func (s *Session) CodeOf(ctx context.Context, packageID string) string {
	if !s.Ready() {
		return ""
	}
	item, err := s.Inventory.FindItem(ctx, client.KindPackage, packageID, inventory.Cached)
	if err != nil || item == nil {
		return ""
	}
	return item.Code
}

// Names look up names for a plan, as an effect needs them.
type Names struct {
	ctx context.Context
	s   *Session
}

// Names returns the names that the API shows.
func (s *Session) Names(ctx context.Context) Names {
	return Names{ctx, s}
}

// Label adds the host name to an ID.
func (n Names) Label(l effect.Label) effect.Label {
	n.s.list(n.ctx, l.ID)
	if host, ok := n.s.ListedHost(l.ID); ok {
		l.Host = printable.OneLine(host)
	}
	return l
}

// Code returns the code of a package, "" if it is unknown.
func (n Names) Code(packageID string) string {
	return n.s.CodeOf(n.ctx, packageID)
}

// IsNew reports whether no private label has a host name, or the current apply has provisioned it.
func (n Names) IsNew(host string) bool {
	if !n.s.Ready() {
		return true
	}
	labels, err := n.s.Inventory.Labels(n.ctx, inventory.Cached)
	if err != nil {
		return true
	}
	live, ok := labels.ByHost(host)
	return !ok || n.s.Register.StoredElsewhere(register.Object{Type: TypePrivateLabel, ID: live.TenantID}, "")
}

// LacksLabel reports whether the newest list of this run lacks a private label.
func (s *Session) LacksLabel(ctx context.Context, id string) bool {
	labels, err := s.Inventory.Labels(ctx, inventory.Cached)
	if err != nil {
		return false
	}
	_, ok := labels.ByID(id)
	return !ok
}
