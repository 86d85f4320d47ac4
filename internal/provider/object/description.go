// Package object is the runtime of resources. A resource is described: how its live object is found, which steps lead
// from one model to another, how a step is taken, and how a model is filled. From the description the runtime makes
// Read, ModifyPlan, Create, Update, Delete, import, identity, the warnings of a plan and the rows of its review.
//
// Its rule is that the state is the promise: a plan announces Steps(prior, planned), a pure function. An apply looks at
// the live object, computes the steps again from what it sees, and returns an error before its first call if one of them
// was not announced. A create starts from nothing, so what exists makes it do less. A destroy is announced from a fresh
// look, and passes its announcement to Delete in private state.
package object

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/codec"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Description of a resource type: M is its model; L is a pointer to what a look finds of the live object; S is a pointer
// to a step. Fields without a comment that says otherwise are required.
type Description[M Model, L any, S effect.Step] struct {
	// Type of the resource without the provider's prefix, such as "member".
	Type   string
	Schema func(ctx context.Context) schema.Schema
	// Identity lists the attributes that identify an object, and what each of them is. The state has them, too.
	Identity []Attribute
	// Subject is the attribute that names an object in a review.
	Subject string
	// Policy is what deletion_policy means. Only for models that embed Guarded.
	Policy *effect.DeletionPolicy
	// Replacing lists the attributes whose change replaces the object. Optional.
	Replacing []string
	// Validate checks a configuration that the attributes' own validators accept. It reads the attributes that it needs,
	// since a plan validates every object, changed or not. Optional.
	Validate func(ctx context.Context, config tfsdk.Config) diag.Diagnostics

	// Name names the object at the beginning of a sentence, such as "The assignment of sign.acme.example".
	Name func(ctx context.Context, s *session.Session, m M) string
	// Key is the name by which a create finds its live object, "" while a part of it is unknown. Without Key, a create
	// and a destroy of one live object in one plan are no error. Optional.
	Key func(m M) string
	// LiveKey is the key that a live object has now; default: that of its model. Optional.
	LiveKey func(m M, live L) string
	// Holds are the further live objects that a change takes, keeps or removes. live is nil if it was not read. Optional.
	Holds func(was, want M, live L) []session.Claim

	// Look finds the live object of a model: nil without an error if the API shows none.
	Look func(ctx context.Context, s *session.Session, m M, age inventory.Age) (L, error)
	// LookToDestroy also finds what a destroy removes with the object; default: Look. Optional.
	LookToDestroy func(ctx context.Context, s *session.Session, m M, age inventory.Age) (L, error)
	// Presence proves whether an object that Look did not find is absent. rejection is the error of the look, if any.
	Presence func(ctx context.Context, s *session.Session, m M, rejection error) (inventory.Presence, error)
	// Light says what the last full read showed that the list shows, too: members is the number that private state has.
	// Optional, for objects that a light refresh does not read.
	Light func(m M, members int) inventory.Seen
	// Fill copies the live object to a model. Configured values that mean the same keep their spelling. After an import,
	// Base.Reseller is null.
	Fill func(m M, live L)
	// Import resolves an import ID to the values of the identity, in its order. Parts of an identity are joined by a
	// slash.
	Import func(ctx context.Context, s *session.Session, id string) ([]string, diag.Diagnostics)

	// Steps lead from a prior model, nil for a create, to a wanted one, nil for a destroy. live is nil if it is absent or
	// was not read; then the prior model stands for it. Steps is pure.
	Steps func(was, want M, live L) []S
	// Announce returns what the steps cost, whom they reach and what they remove. It is pure; a review has no live object.
	Announce func(v View[M, L], steps []S) effect.Notices
	// Drift says what has changed outside of Terraform between two states, now being nil for an object that is gone;
	// default: the changed attributes. Optional.
	Drift func(was, now M) []string
	// Plan has further rules of a plan, and may change what is planned for computed attributes: only as a function of
	// the prior state and the plan, since an apply plans again. Optional.
	Plan func(ctx context.Context, c *Change[M, L, S]) diag.Diagnostics
	// Check has the rules that hold at plan and again before the first call of an apply. Optional.
	Check func(ctx context.Context, c *Change[M, L, S]) diag.Diagnostics
	// Take makes the call of a step, and sets in now what the response shows.
	Take func(ctx context.Context, c *Change[M, L, S], step S, now M) transport.Outcome
	// Failed explains a step that is not known to be in effect, after it has restored what the apply must not leave undone.
	// c.Done are the steps before it. The run may be canceled.
	Failed func(ctx context.Context, c *Change[M, L, S], step S, o transport.Outcome) diag.Diagnostics
	// Keep fills what a failed update leaves in state, and reports whether there is anything; default: Fill. Optional.
	Keep func(kept, want M, live L) bool
	// ReadBack completes the model after the last step; default: Look and Fill. Optional.
	ReadBack func(ctx context.Context, c *Change[M, L, S], now M) diag.Diagnostics

	// Unseen: a look does not show whether a step is in effect.
	Unseen bool
	// Moved are the API's codes which say that the object is not as it was read. Optional.
	Moved []string

	// Resumes: a create that fails between two steps returns an error without state, and the next create does the rest.
	// Otherwise the first step makes the object, and a later failure is a warning.
	Resumes bool
	// AtCreate and AtUpdate say how new the look of an apply must be; the zero value does not look.
	AtCreate, AtUpdate inventory.Age
	// AtDelete says how new the look of a delete must be; default: inventory.Fresh. With inventory.Cached the deletes of
	// one apply share a list, which is enough where the API rejects what must not happen.
	AtDelete inventory.Age
	// Quiet reports whether a plan without changes says nothing about the object; default: always. Optional.
	Quiet func(m M) bool

	Texts Texts[M]

	once  sync.Once
	codec *codec.Codec
}

// Attribute of an identity.
type Attribute struct{ Name, Description string }

// Texts are the messages of a type that the runtime cannot word for all.
type Texts[M any] struct {
	// SummaryRead is the summary of a failed read.
	SummaryRead string
	// Gone warns that the object was removed from state.
	Gone func(ctx context.Context, s *session.Session, m M) diag.Diagnostic
	// Replace rejects a replacement that no plan announced: -replace, replace_triggered_by or a tainted object. Nil
	// only if a destroy has no steps.
	Replace func(name string) diag.Diagnostic
}

// Change is one plan or apply of one object.
type Change[M Model, L any, S effect.Step] struct {
	*session.Session
	Was, Want M // nil for a create, nil for a destroy
	Config    M // of a plan, where an omitted attribute is null; nil for a destroy
	Live      L // nil if it is absent or was not read
	Steps     []S
	// Done are the steps of this apply that are in effect.
	Done     []S
	Applying bool
	// Memo is what the type keeps during one apply.
	Memo any
	// Replacing: the plan destroys the prior object and creates the wanted one.
	Replacing bool

	warnings diag.Diagnostics
	doubtful bool // a step may be in effect
}

// Warn adds a warning to an apply, about what its plan could not know.
func (c *Change[M, L, S]) Warn(d diag.Diagnostic) { c.warnings.Append(d) }

// Creates reports whether the change creates the object.
func (c *Change[M, L, S]) Creates() bool { return isNone(c.Was) }

// Destroys reports whether the change destroys the object.
func (c *Change[M, L, S]) Destroys() bool { return isNone(c.Want) }

// Subject is the model that the change is about: the wanted one, or the prior one of a destroy.
func (c *Change[M, L, S]) Subject() M {
	if !c.Destroys() {
		return c.Want
	}
	return c.Was
}

// View is what an announcement is made from.
type View[M Model, L any] struct {
	Was, Want M // nil for a create, nil for a destroy
	// Next is the wanted object of a replacement, in the view of its destroy.
	Next  M
	Live  L // what a plan found; a review finds nothing
	Names Names
}

// Names are what others call an object: a plan looks it up, a review has what the saved plan shows.
type Names interface {
	// Host returns the host name of a private label, "private label ID", or effect.NewLabel without an ID.
	Host(labelID string) string
	// Code returns the code of a package, "" if it is unknown.
	Code(packageID string) string
	// IsLive reports whether a host name was provisioned before the plan.
	IsLive(host string) bool
}

// TypeName is the type with the provider's prefix.
func (d *Description[M, L, S]) TypeName() string { return effect.ProviderType + "_" + d.Type }

// New returns the resource.
func (d *Description[M, L, S]) New() resource.Resource { return d.with(nil) }

func (d *Description[M, L, S]) with(s *session.Session) *described[M, L, S] {
	return &described[M, L, S]{ResourceBase: session.ResourceBase{Session: s}, d: d}
}
