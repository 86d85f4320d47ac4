package effect

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// ProviderType is the name of the provider in the types of its resources.
const ProviderType = "reseller"

// Names are what a saved plan shows of objects that others refer to by their ID.
type Names struct {
	Hosts  map[string]string // host name by private label ID
	Codes  map[string]string // package code by package ID
	Emails map[string]string // email address by user ID
}

// Reviewers create the review of a saved plan: one for each type of resource and action.
type Reviewers struct {
	Resources []Reviewer
	Actions   []ActionReviewer
}

// Reviewer derives the notices of one resource type from a saved plan.
type Reviewer struct {
	Type  string // such as reseller_member
	Shape tftypes.Type
	// Subject is the attribute that names an object which is only removed from state.
	Subject string
	// Notices of a change. A null prior value is a create, a null planned value a destroy.
	Notices func(ctx context.Context, prior, planned tftypes.Value, names Names) (Notices, error)
	// Drift says what has changed outside of Terraform, from the state before a refresh to the one after it, null for an
	// object that is gone. Without a phrase, a review lists the changed attributes.
	Drift func(ctx context.Context, before, after tftypes.Value) ([]string, error)
}

// ActionReviewer derives the effect of one action type from a saved plan.
type ActionReviewer struct {
	Type   string // such as reseller_resend_invite
	Effect Effect // its subject is found by UserID; without a kind there is no effect
	UserID string // argument that holds the ID of the user whom the action reaches
}

// NewReviewer reads values of a resource into models, for the function that also makes the warnings of a plan. empty
// returns a pointer to a new model; that of no object is nil. drift may be nil.
func NewReviewer(
	r resource.Resource, subject string, empty func() any,
	notices func(ctx context.Context, prior, planned any, names Names) Notices, drift func(before, after any) []string,
) Reviewer {
	ctx := context.Background()
	var name resource.MetadataResponse
	r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: ProviderType}, &name)
	var shape resource.SchemaResponse
	r.Schema(ctx, resource.SchemaRequest{}, &shape)
	decode := func(ctx context.Context, v tftypes.Value) (any, error) {
		if v.IsNull() {
			return nil, nil //nolint:nilnil // no object is a value
		}
		m := empty()
		diags := (&tfsdk.State{Raw: v, Schema: shape.Schema}).Get(ctx, m)
		return m, diagnostic.AsError(diags)
	}
	both := func(ctx context.Context, before, after tftypes.Value) (was, will any, err error) {
		was, errBefore := decode(ctx, before)
		will, errAfter := decode(ctx, after)
		return was, will, errors.Join(errBefore, errAfter)
	}
	return Reviewer{
		Type: name.TypeName, Shape: shape.Schema.Type().TerraformType(ctx), Subject: subject,
		Notices: func(ctx context.Context, prior, planned tftypes.Value, names Names) (Notices, error) {
			was, will, err := both(ctx, prior, planned)
			if err != nil {
				return nil, err
			}
			return notices(ctx, was, will, names), nil
		},
		Drift: func(ctx context.Context, before, after tftypes.Value) ([]string, error) {
			was, now, err := both(ctx, before, after)
			if err != nil {
				return nil, err
			}
			switch {
			case drift != nil:
				return drift(was, now), nil
			case now == nil:
				return []string{"no longer found"}, nil
			default:
				return nil, nil
			}
		},
	}
}
