package provider

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

// NewServer returns a factory of protocol servers of one version: what main
// serves and tests attach to.
func NewServer(version string, opts ...Option) func() tfprotov6.ProviderServer {
	return func() tfprotov6.ProviderServer {
		return guardedServer{newSettledServer(newProvider(version, opts...))}
	}
}

func newSettledServer(p *resellerProvider) *settledServer {
	framework, ok := providerserver.NewProtocol6(p)().(frameworkServer)
	if !ok {
		panic("the framework's server lacks a part of the protocol") // told by every test
	}
	return &settledServer{frameworkServer: countingServer{forgetfulServer{framework}, p}, provider: p}
}

// frameworkServer is all that the framework's server answers.
type frameworkServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

// settledServer answers for labels that are settled and have not changed, and
// hands everything else to the framework. The framework walks the schema for
// every attribute of every step: over a thousand labels that nobody touched,
// two thirds of the provider's time. What may be answered here is only what
// the framework and the resource would answer, byte for byte; a test compares
// both.
type settledServer struct {
	frameworkServer
	provider *resellerProvider
}

// privateLabelFingerprint identifies the attributes of a private label, their types and flags. A state that was written
// with other attributes lacks what only a read by the resource can fill.
var privateLabelFingerprint = sync.OnceValue(func() string {
	var resp resource.SchemaResponse
	newPrivateLabelResource().Schema(context.Background(), resource.SchemaRequest{}, &resp)
	return schemaFingerprint(resp.Schema)
})

// schemaFingerprint covers what decides how a state is read, and no description.
func schemaFingerprint(s schema.Schema) string {
	lines := []string{fmt.Sprintf("version %d", s.Version)}
	for name, a := range s.Attributes {
		lines = append(lines, fmt.Sprintf("%s %s %t %t %t", name, a.GetType().TerraformType(context.Background()), a.IsRequired(), a.IsOptional(), a.IsComputed()))
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:8])
}

const privateLabelType = "reseller_private_label"

// ReadResource answers with the state as it is when the list shows the label
// as the private state remembers it.
func (s *settledServer) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	if resp, ok := s.readSettled(ctx, req); ok {
		return resp, nil
	}
	return s.frameworkServer.ReadResource(ctx, req)
}

func (s *settledServer) readSettled(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, bool) {
	s.provider.beginRead(req)
	mem, ok := s.settled(req.TypeName, req.Private)
	if !ok || !s.unchanged(ctx, mem) {
		return nil, false
	}
	identity, err := identityOf(req.CurrentIdentity, mem.ID)
	if err != nil {
		return nil, false
	}
	return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, Private: req.Private, NewIdentity: identity}, true
}

// PlanResourceChange answers with the proposed state when it is the prior one.
// A create, a destroy, a replacement's second half and every unknown value
// differ in it.
func (s *settledServer) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	if resp, ok := s.planSettled(req); ok {
		return resp, nil
	}
	return s.frameworkServer.PlanResourceChange(ctx, req)
}

func (s *settledServer) planSettled(req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, bool) {
	if _, ok := s.settled(req.TypeName, req.PriorPrivate); !ok || !sameBytes(req.PriorState, req.ProposedNewState) {
		return nil, false
	}
	identity, err := plannedIdentity(req.PriorIdentity)
	if err != nil {
		return nil, false
	}
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState, PlannedPrivate: req.PriorPrivate, PlannedIdentity: identity}, true
}

// settled reads the memory of a private label that says so.
func (s *settledServer) settled(typeName string, private []byte) (memory, bool) {
	var mem memory
	if typeName != privateLabelType || len(private) == 0 {
		return mem, false
	}
	// The framework keeps each key's JSON as bytes. A key of its own (such as
	// after an import) means that there is more to do.
	var keys map[string][]byte
	if json.Unmarshal(private, &keys) != nil || len(keys) != 1 {
		return mem, false
	}
	if json.Unmarshal(keys[memoryKey], &mem) != nil {
		return mem, false
	}
	return mem, mem.Settled && mem.Schema == privateLabelFingerprint()
}

// unchanged tells whether the list shows the label as it is remembered, under
// the same reseller. An error is for the resource to tell.
func (s *settledServer) unchanged(ctx context.Context, mem memory) bool {
	run := s.provider.session.Load()
	if !run.ready() {
		return false
	}
	labels, err := run.inventory.Labels(ctx)
	if err != nil {
		return false
	}
	item, ok := labels.ByID(mem.ID)
	return ok && mem.shows(item) && mem.Slug == run.slug(ctx)
}

// shows tells whether a list item is what a settled label was last read as.
func (m memory) shows(item *client.PrivateLabelSummary) bool {
	custom := ""
	if item.CustomDomain != nil {
		custom = *item.CustomDomain
	}
	return item.Status == client.StatusActive && item.SuspendedAt == nil && item.SuspendedBy == nil &&
		strings.EqualFold(item.PrimaryHost, m.Host) && custom == m.CustomDomain
}

// identityOf keeps the identity, and makes it where an older CLI stored none.
func identityOf(current *tfprotov6.ResourceIdentityData, id string) (*tfprotov6.ResourceIdentityData, error) {
	if current != nil && current.IdentityData != nil {
		return current, nil
	}
	return encodeIdentity(map[string]tftypes.Value{"id": tftypes.NewValue(tftypes.String, id)})
}

// plannedIdentity is the prior one; a CLI that knows no identity gets a null one, as the framework answers.
func plannedIdentity(prior *tfprotov6.ResourceIdentityData) (*tfprotov6.ResourceIdentityData, error) {
	if prior != nil && prior.IdentityData != nil {
		return prior, nil
	}
	return encodeIdentity(nil)
}

func encodeIdentity(fields any) (*tfprotov6.ResourceIdentityData, error) {
	typ := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"id": tftypes.String}}
	value, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, fields))
	if err != nil {
		return nil, fmt.Errorf("the identity cannot be encoded: %w", err)
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: &value}, nil
}

func sameBytes(a, b *tfprotov6.DynamicValue) bool {
	return a != nil && b != nil && len(a.MsgPack) > 0 && bytes.Equal(a.MsgPack, b.MsgPack)
}
