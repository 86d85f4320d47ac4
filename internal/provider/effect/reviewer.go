package effect

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
)

// ProviderType is the name of the provider in the types of its resources.
const ProviderType = "reseller"

// Names are what a saved plan shows of objects that others refer to by their ID.
type Names struct {
	Hosts  map[string]string // host name by private label ID
	Custom map[string]string // custom domain by private label ID
	Codes  map[string]string // package code by package ID
	Emails map[string]string // email address by user ID
	New    map[string]bool   // host names in lower case that the plan provisions

	// NewHost and NewCode are of the private label and the package that a change refers to, whose IDs are known after apply;
	// "" if they are unknown.
	NewHost, NewCode string
}

// Label completes a private label.
func (n Names) Label(l Label) Label {
	if l.ID == "" && l.Host == "" {
		l.Host = n.NewHost
		l.Later = l.Host == ""
	}
	l.Host = cmp.Or(l.Host, n.Hosts[l.ID])
	l.ID = cmp.Or(l.ID, idOf(n.Hosts, l.Host), idOf(n.Custom, l.Host))
	return l
}

// idOf returns the ID of the private label with a host name, "" for none.
func idOf(hosts map[string]string, host string) string {
	for id, name := range hosts {
		if strings.EqualFold(name, host) {
			return id
		}
	}
	return ""
}

// IsNew reports whether the plan provisions a host name.
func (n Names) IsNew(host string) bool {
	return n.New[strings.ToLower(host)]
}

// Code returns the code of a package, "" if it is unknown.
func (n Names) Code(packageID string) string {
	if packageID == "" {
		return n.NewCode
	}
	return n.Codes[packageID]
}

// Reviewers create the review of a saved plan: one for each type of resource and action.
type Reviewers struct {
	Resources []Reviewer
	Actions   []ActionReviewer
}

// Reviewer derives the warnings of one resource type from a saved plan.
type Reviewer struct {
	Type  string // such as reseller_member
	Shape tftypes.Type
	// Subject is the attribute that names an object which is only removed from state.
	Subject string
	// NeverReplaced: a replacement is an error, also of a tainted object.
	NeverReplaced bool
	// Warnings of a change. A null prior value is a create, a null planned value a destroy.
	Warnings func(ctx context.Context, prior, planned tftypes.Value, names Names) (Warnings, error)
	// Drift is what has changed outside of Terraform, from the state before a refresh to the one after it, null for an
	// object that is gone. Without an effect, a review lists the changed attributes.
	Drift func(ctx context.Context, before, after tftypes.Value) ([]Effect, error)
	// Claims of live objects that a change makes, as the register has them while a plan is made.
	Claims func(ctx context.Context, prior, planned tftypes.Value) ([]register.Claim, error)
}

// ActionReviewer derives the effect of one action type from a saved plan.
type ActionReviewer struct {
	Type   string // such as reseller_resend_invite
	Event  Event  // without a kind there is no effect
	UserID string // argument that holds the ID of the user whom the action reaches
}

// noLongerFound is the drift of an object that a read did not find, unless its type has words of its own.
var noLongerFound = HarmLost.Drift("no longer found")

// NewReviewer reads values of a resource into models, for the function that also makes the warnings of a plan. empty
// returns a new model; the zero value of M is that of no object. drift may be nil.
func NewReviewer[M any](
	r resource.Resource, subject string, empty func() M,
	warnings func(was, will M, names Names) Warnings, drift func(was, now M) []Effect, claims func(was, will M) []register.Claim,
) Reviewer {
	ctx := context.Background()
	var name resource.MetadataResponse
	r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: ProviderType}, &name)
	var shape resource.SchemaResponse
	r.Schema(ctx, resource.SchemaRequest{}, &shape)
	decode := func(ctx context.Context, v tftypes.Value) (m M, err error) {
		if !v.IsNull() {
			m = empty()
			err = diagnostic.AsError((&tfsdk.State{Raw: v, Schema: shape.Schema}).Get(ctx, m))
		}
		return m, err
	}
	both := func(ctx context.Context, before, after tftypes.Value) (was, will M, err error) {
		was, errBefore := decode(ctx, before)
		will, errAfter := decode(ctx, after)
		return was, will, errors.Join(errBefore, errAfter)
	}
	return Reviewer{
		Type: name.TypeName, Shape: shape.Schema.Type().TerraformType(ctx), Subject: subject,
		Warnings: func(ctx context.Context, prior, planned tftypes.Value, names Names) (Warnings, error) {
			was, will, err := both(ctx, prior, planned)
			if err != nil {
				return nil, err
			}
			return warnings(was, will, names), nil
		},
		Claims: func(ctx context.Context, prior, planned tftypes.Value) ([]register.Claim, error) {
			was, will, err := both(ctx, prior, planned)
			if err != nil {
				return nil, err
			}
			return claims(was, will), nil
		},
		Drift: func(ctx context.Context, before, after tftypes.Value) ([]Effect, error) {
			was, now, err := both(ctx, before, after)
			if err != nil {
				return nil, err
			}
			var effects []Effect
			if drift != nil {
				effects = drift(was, now)
			}
			if effects == nil && after.IsNull() {
				effects = []Effect{{Event: noLongerFound}}
			}
			return effects, nil
		},
	}
}
