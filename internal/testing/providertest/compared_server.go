package providertest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
)

// comparedServer also sends to the framework each request that the fast path handles, and reports each difference.
type comparedServer struct {
	*provider.FastPathServer
	tell     func(string)
	answered func()
}

func (s *comparedServer) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	fast, rest := s.ReadFast(ctx, req)
	full, err := s.Server.ReadResource(rest, req)
	if fast == nil {
		return full, err
	}
	if err != nil || len(full.Diagnostics) > 0 {
		s.tell(fmt.Sprintf("the framework's read says %v, %v", err, full.Diagnostics))
	}
	s.compare(ctx, "read", req.TypeName, fast.NewState, full.NewState, fast.Private, full.Private, fast.NewIdentity, full.NewIdentity)
	return fast, nil
}

func (s *comparedServer) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	fast, ok := s.PlanFast(ctx, req)
	full, err := s.Server.PlanResourceChange(ctx, req)
	if !ok {
		return full, err
	}
	if err != nil || len(full.Diagnostics) > 0 || len(full.RequiresReplace) > 0 {
		if _, still := s.PlanFast(ctx, req); !still {
			return fast, nil // another object was planned between the two
		}
		s.tell(fmt.Sprintf("the framework's plan says %v, %v, %v", err, full.Diagnostics, full.RequiresReplace))
	}
	s.compare(ctx, "plan", req.TypeName, fast.PlannedState, full.PlannedState, fast.PlannedPrivate, full.PlannedPrivate, fast.PlannedIdentity, full.PlannedIdentity)
	return fast, nil
}

func (s *comparedServer) compare(ctx context.Context, what, typeName string, fast, full *tfprotov6.DynamicValue, fastPrivate, fullPrivate []byte, fastIdentity, fullIdentity *tfprotov6.ResourceIdentityData) {
	s.answered()
	if !bytes.Equal(fast.MsgPack, full.MsgPack) && !s.sameValues(ctx, typeName, fast, full) {
		s.tell(fmt.Sprintf("%s: the states differ\n%q\n%q", what, fast.MsgPack, full.MsgPack))
	}
	var a, b map[string][]byte
	if json.Unmarshal(fastPrivate, &a) != nil || json.Unmarshal(fullPrivate, &b) != nil || !reflect.DeepEqual(a, b) {
		s.tell(fmt.Sprintf("%s: the private states differ\n%s\n%s", what, fastPrivate, fullPrivate))
	}
	if a, b := identityBytes(fastIdentity), identityBytes(fullIdentity); !bytes.Equal(a, b) {
		s.tell(fmt.Sprintf("%s: the identities differ\n%q\n%q", what, a, b))
	}
}

// sameValues compares what Terraform decodes: the framework encodes the keys of a map in any order.
func (s *comparedServer) sameValues(ctx context.Context, typeName string, fast, full *tfprotov6.DynamicValue) bool {
	served, err := s.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return false
	}
	typ := served.ResourceSchemas[typeName].ValueType()
	a, errFast := fast.Unmarshal(typ)
	b, errFull := full.Unmarshal(typ)
	return errFast == nil && errFull == nil && a.Equal(b)
}

// identityBytes are nil where there is no identity.
func identityBytes(i *tfprotov6.ResourceIdentityData) []byte {
	if i == nil || i.IdentityData == nil {
		return nil
	}
	return i.IdentityData.MsgPack
}
